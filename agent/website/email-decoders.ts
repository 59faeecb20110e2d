import { hasPublicSuffix } from '@placefleet/shared/web-presence/host-name'
import { isGeneric } from './email-address.ts'
import {
  decodeBase64,
  decodeCloudflare,
  decodeCodes,
  decodeHex,
  decodePercent,
  decodeTypo3,
  reversed,
  rot13,
} from './email-codes.ts'
import { plainSpelling } from './email-spelling.ts'
import type { PageElement } from './page.ts'

/** Finds the addresses that an element hides in its attributes. Returns texts that hold addresses, and others. */
type Decoder = (element: PageElement, values: readonly Value[]) => readonly string[]

/** The longest value that is decoded. */
const MAX_VALUE = 2_000
/** Attributes that hold no address, or that other code reads. */
const KNOWN = new Set(
  'class style id href src srcset rel type target role width height method action content title alt value'.split(' '),
)
const MAILTO = /^\s*mailto:/i

/** Attributes in ROT13, which is a wrong address as it stands. */
const ROTATED = { drupal: 'data-mail-to', emailEncoder: 'data-enc-email' } as const
export const isRotated = (attribute: string): boolean => Object.values<string>(ROTATED).includes(attribute)

/** The ways in which content systems and their plugins hide addresses in attributes, each by who does it. */
export const DECODERS: Readonly<Record<string, Decoder>> = {
  cloudflare: ({ attributes }) => {
    const { 'data-cfemail': code = '', href = '' } = attributes
    return [code, /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)/i.exec(href)?.[1] ?? '']
      .map(decodeCloudflare)
      .filter(isText)
  },
  /** Since TYPO3 11.5 `data-mailto-token`. */
  typo3: (_, values) => values.map(({ value }) => decodeTypo3(value)?.replace(MAILTO, '')).filter(isText),
  /** Drupal's `data-mail-to`: ROT13 with `/at/` and `/dot/`. */
  drupal: (_, values) =>
    values.flatMap(({ name, value }) => {
      if (!value.includes('/at/')) return []
      const address = value.replaceAll('/at/', '@').replaceAll('/dot/', '.')
      return [name === ROTATED.drupal ? rot13(address) : address]
    }),
  /** WordPress's Email Encoder: ROT13 with `[at]`. */
  emailEncoder: ({ attributes }) => {
    const code = attributes[ROTATED.emailEncoder] ?? ''
    return code === '' || code.length > MAX_VALUE ? [] : [rot13(plainSpelling(code, []))]
  },
  /** One attribute with the whole address in Base64, hex, character codes or percent escapes. */
  whole: (_, values) =>
    values.flatMap(({ name, value }) => {
      const readings = [decodeBase64(value), decodeHex(value), decodeCodes(value), decodePercent(value)]
      return [...readings.filter(isText), ...mailValues(name, value)].filter((text) => text.includes('@'))
    }),
  /** Two attributes of any names, of which one is a host: `first` and `last` of Joomla, `data-a` and `data-b`. */
  pairs: pairsOf,
}

/** Returns what the attributes of an element may hide: addresses, and other texts. */
export function hiddenTexts(element: PageElement): string[] {
  const values = valuesOf(element)
  return Object.values(DECODERS).flatMap((decode) => decode(element, values))
}

const isText = (text: string | undefined): text is string => text !== undefined && text !== ''

type Value = { readonly name: string; readonly value: string }

/** Those of `data-` attributes, and all of an element that a page defines itself. */
function valuesOf({ name, attributes }: PageElement): Value[] {
  const isOwn = name.includes('-')
  return Object.entries(attributes)
    .filter(([key, value]) => (isOwn || key.startsWith('data-')) && !KNOWN.has(key) && value.length <= MAX_VALUE)
    .map(([key, value]) => ({ name: key, value }))
}

/** Readings of a value whose attribute says that it is an address: with another sign for `@`, reversed, or in ROT13. */
function mailValues(name: string, value: string): string[] {
  if (!name.includes('mail') || value.length > 320) return []
  const [, local, host = ''] = /^([\w.+-]{1,64})(?:@|[#|*~!$]|::|%at%|__at__)([\w.-]{4,253})$/i.exec(value.trim()) ?? []
  if (local === undefined) return []
  return hasPublicSuffix(host.toLowerCase()) ? [`${local}@${host}`] : [reversed(value), rot13(`${local}@${host}`)]
}

/** More attributes are those of a widget. */
const MOST_VALUES = 8
/** Elements whose attributes configure something. */
const CONFIGURED = new Set('script link meta iframe html body img video audio form input select option base'.split(' '))
const INLINE = new Set('a span b i em strong'.split(' '))
const SETTING =
  /theme|lang|locale|colou?r|size|icon|toggle|target|type|id$|index|count|effect|place|action|event|track|page|categor|label|cookie|src|url|api|version|mode|format/i
const HINT = /mail|user|local|account|contact|crypt|spam|obfus|protect|antibot|nobot|cloak/i
const NAME_HINT = /user|name|local|account|first|box|before|left|prefix|part1|pre$|^data-(?:u|l|n)$/i
const SUFFIX_HINT = /tld|ext|suffix|zone|ending/i
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const LOCAL = /^[a-z0-9][a-z0-9._+-]{0,39}$/i
const NO_LOCAL =
  /^(?:\d+|true|false|on|off|yes|no|auto|left|right|top|bottom|none|null|click|hover|open|link|button|[a-z]{2}(?:[-_][a-z]{2})?)$/i

/**
 * Joins a host in one attribute and a name in another one. Without a word about mail in the element's names, the name
 * must be that of a mailbox, or the element must be a link that leads nowhere: other elements have hosts for other
 * reasons.
 */
function pairsOf(element: PageElement, values: readonly Value[]): string[] {
  if (values.length < 2 || values.length > MOST_VALUES || CONFIGURED.has(element.name)) return []
  const decoded = values.map(({ name, value }) => ({ name, value: bare(value) }))
  const hosts = hostsIn(decoded)
  if (hosts.length === 0) return []
  const { class: classes = '', href = '' } = element.attributes
  const hinted =
    HINT.test(`${element.name} ${classes} ${values.map(({ name }) => name).join(' ')}`) ||
    (element.name === 'a' && /^(?:#|javascript:|$)/i.test(href)) ||
    (decoded.length === 2 && INLINE.has(element.name) && !values.some(({ name }) => SETTING.test(name)))
  return hosts.flatMap(({ host, used }) => {
    const names = decoded.filter(
      ({ name, value }) =>
        !used.includes(name) && LOCAL.test(value) && !NO_LOCAL.test(value) && !hosts.some(({ host }) => host === value),
    )
    const local =
      names.find(({ name }) => NAME_HINT.test(name)) ??
      names.find(({ value }) => isGeneric(value)) ??
      (names.length === 1 ? names[0] : undefined)
    return local && (hinted || isGeneric(local.value)) ? [`${local.value}@${host}`] : []
  })
}

/** A value as it is, or out of Base64. */
function bare(value: string): string {
  const text = value.trim()
  const decoded = decodeBase64(text)?.trim()
  if (decoded === undefined || HOST.test(text)) return text
  return HOST.test(decoded) || LOCAL.test(decoded) ? decoded : text
}

function hostsIn(values: readonly Value[]): { host: string; used: string[] }[] {
  const whole = values.filter(({ value }) => HOST.test(value) && hasPublicSuffix(value.toLowerCase()))
  if (whole.length > 0) return whole.map(({ name, value }) => ({ host: value, used: [name] }))
  const suffix = values.find(
    ({ name, value }) => SUFFIX_HINT.test(name) && /^\.?[a-z]{2,24}(?:\.[a-z]{2})?$/i.test(value),
  )
  const label = values.find(({ name, value }) => /domain|host|site|^data-d$/i.test(name) && LABEL.test(value))
  if (!suffix || !label) return []
  return [{ host: `${label.value}.${suffix.value.replace(/^\./, '')}`, used: [label.name, suffix.name] }]
}
