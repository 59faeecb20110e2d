import { z } from 'zod'
import { cidFromKey, halfKey, keyFromCid, keyFromPlaceId, placeKey } from './place-key.ts'
import { decodePercent } from './text.ts'

/**
 * The place that a text names. `key`: by its data id, or a place id, which is the same numbers in another spelling.
 * `cid`: by the second half of its data id, as a decimal number. `short_link`: by a link that only a request resolves.
 */
export type NamedPlace =
  | { kind: 'key'; place_key: string }
  | { kind: 'cid'; cid: string }
  | { kind: 'short_link'; url: string }

const DATA_ID = '0x[0-9a-f]{1,17}:0x[0-9a-f]{1,17}'
const PLACE_ID = 'ChIJ[\\w-]{23}'
const HALF = '\\d{1,20}'

/**
 * Where links of the map site hold an id, the surest first. Decoded, so `!1s0x1:0x2`, `ftid=0x1:0x2`, `place_id:ChIJ…`.
 * Sources of HTML write `&amp;ludocid=1`.
 */
const IN_LINKS = [
  new RegExp(`![1-9]\\d?s(${DATA_ID})(?![\\w:])`, 'i'),
  new RegExp(`[?&#;](?:ftid|fid|data_id)=(${DATA_ID})(?![\\w:])`, 'i'),
  new RegExp(`(?:place_?id[:=]|/place/|![1-9]\\d?s)(${PLACE_ID})(?![\\w-])`, 'i'),
  new RegExp(`[?&#;](?:cid|ludocid)=(${HALF})(?!\\w)`, 'i'),
]

const LONGEST = 8_192
const LINK = /^(?:https?:)?\/|^(?:[\w-]+\.)+[a-z]{2,}[/?]/i
/** The hosts of the map site, also with a country's ending, and every host with its paths: a mirror has them too. */
const MAP_SITE =
  /^(?:https?:)?(?:\/\/)?(?:[^/?#@]*\.)?(?:google\.[a-z]{2,3}(?:\.[a-z]{2})?|goo\.gl)[/?:#]|^[^?#]*\/maps(?:[/?@]|$)/i
const MAP_HOST = /^(?:[\w-]+\.)*google\.[a-z]{2,3}(?:\.[a-z]{2})?$/
const SHORT_HOST = /^(?:[\w-]+\.)*goo\.gl$/
const SHORT_LINK = /^(?:https?:)?(?:\/\/)?((?:maps\.app\.goo\.gl|(?:www\.)?goo\.gl\/maps)\/[\w-]+)/i

/**
 * Reads the id of a place in every form that people have: a data id or fid (`0x…:0x…`), a place id (`ChIJ…`), a CID, or
 * a link of the map site, also percent-encoded or within a redirect of the site. Quotes around it and a spreadsheet's
 * apostrophe do not matter. Undefined for a text that names no place.
 */
export function readNamedPlace(text: string): NamedPlace | undefined {
  if (text.length > LONGEST) return undefined
  const bare = text.trim().replace(/^['"<\s]+|['">\s]+$/g, '')
  return readId(bare.replace(/^(?:places\/|place_id:)/i, '')) ?? readLink(decodePercent(bare))
}

/**
 * Returns the key of a named place; `0x0:0x…` when only its second half is known. A short link stands for itself: no
 * key is known before it is resolved.
 */
export function keyOfNamed(named: NamedPlace): string {
  if (named.kind === 'key') return named.place_key
  return named.kind === 'cid' ? halfKey(BigInt(named.cid)) : named.url
}

/** Whether a host is one of the map site, with any country's ending. */
export const isMapHost = (hostname: string): boolean => MAP_HOST.test(hostname)

/** Whether a URL is on a host of the map site, or of its short links. */
export const isOnMapSite = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' && (isMapHost(hostname) || SHORT_HOST.test(hostname))

function readId(id: string): NamedPlace | undefined {
  const key = placeKey(id) ?? keyFromPlaceId(id)
  if (key !== undefined) return namedBy(key)
  const half = keyFromCid(id)
  return half === undefined ? undefined : namedBy(half)
}

function readLink(link: string): NamedPlace | undefined {
  const short = SHORT_LINK.exec(link)?.[1]
  if (!LINK.test(link) || !MAP_SITE.test(link)) return undefined
  const ids = decodePercent(link) // of a link within a link
  for (const form of IN_LINKS) {
    const named = readId(form.exec(ids)?.[1] ?? '')
    if (named) return named
  }
  return short === undefined ? undefined : { kind: 'short_link', url: `https://${short}` }
}

/** The site writes a place of which it names only the second half as `0x0:0x…`. */
const namedBy = (place_key: string): NamedPlace =>
  place_key.startsWith('0x0:') ? { kind: 'cid', cid: cidFromKey(place_key) } : { kind: 'key', place_key }

/** Why a place that the user named was not stored. */
export const MISSED_INPUT = ['not_found', 'filtered', 'out_of_area', 'blocked', 'failed'] as const
export type MissedInput = (typeof MISSED_INPUT)[number]

/**
 * What an agent says of a place that the user named. `reference_key`: the key of its reference. `place_key`: its own
 * key, where that is another one.
 */
export const InputReport = z.object({
  reference_key: z.string(),
  place_key: z.string().max(64).optional(),
  status: z.enum(MISSED_INPUT).optional(),
})
export type InputReport = z.infer<typeof InputReport>
