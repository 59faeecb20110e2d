import type { Place } from '@placefleet/shared/place'
import { parseBody } from '../maps/answers/body.ts'
import { type AnswerKind, classifyAnswer } from '../maps/answers/classify.ts'
import { parsePhotoList } from '../maps/photos/payload.ts'
import { parsePlacePage } from '../maps/place/page.ts'
import { isPlacePayload, missingParts, parsePlacePayload } from '../maps/place/payload/payload.ts'
import { failureOf } from '../maps/requests/failure.ts'
import { pageVerdict } from '../maps/requests/map-request.ts'
import type { Verdict } from '../maps/requests/verdicts.ts'
import { readLocalBoq } from '../maps/reviews/local-boq.ts'
import { parseReviewList } from '../maps/reviews/payload.ts'
import { embeddedSearch, parseSearchPayload, type SearchResult } from '../maps/search/payload.ts'

/** An answer of the site, by itself. */
type AnswerText = {
  readonly url: string
  readonly status: number
  readonly text: string
  /** Whether the client runs scripts. */
  readonly scripts: boolean
}

/** What the parsers make of an answer without its exit and its history. */
export type Reading = {
  readonly kind: AnswerKind
  readonly verdict: Verdict
  /** What it holds. `page`: a page without a place payload in it. */
  readonly what: 'page' | 'place' | 'search' | 'photos' | 'reviews' | 'review window'
  /** The places, reviews or photos that came. */
  readonly items: readonly object[]
}

type Content = Pick<Reading, 'what' | 'verdict' | 'items'>

/** Reads an answer. `now` is the time at which it came, in milliseconds. */
export function readAnswer({ url, status, text, scripts }: AnswerText, now: number): Reading {
  const kind = classifyAnswer({ url, status, text })
  if (kind === 'payload') return { kind, ...readPayload(url, text, now) }
  if (kind === 'page' || kind === 'feed' || kind === 'place' || kind === 'unmarked') {
    const { payload } = parsePlacePage(text)
    if (isPlacePayload(payload)) return { kind, ...readPlace(payload, now) }
    const items = placesOf(embeddedSearch(text, { now }))
    return { kind, what: 'page', verdict: pageVerdict({ kind }), items }
  }
  const { fault } = failureOf({ kind, url, status, text, retryAfterMs: undefined }, { refusesExit: false, scripts })
  return { kind, what: 'page', verdict: fault, items: [] }
}

/** Returns how many of the items of a reading have each field. */
export function fieldsOf({ items }: Pick<Reading, 'items'>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [name, value] of items.flatMap((item) => Object.entries(item))) {
    if (value !== undefined) counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const OF_SEARCH = {
  found: 'whole',
  empty: 'doubtful_empty',
  doubtful: 'doubtful_empty',
  malformed: 'layout',
  foreign: 'unknown',
} as const

function readPayload(url: string, text: string, now: number): Content {
  const path = URL.parse(url)?.pathname ?? ''
  if (path === '/maps/preview/place') return readPlace(parseBody(text), now)
  if (path === '/search') {
    const result = parseSearchPayload(parseBody(text), { now })
    return { what: 'search', verdict: OF_SEARCH[result.shape], items: placesOf(result) }
  }
  if (path.endsWith('/GetLocalBoqProxy')) {
    const { state, reviews } = readLocalBoq(parseBody(text), now)
    return { what: 'review window', ...ofList(state, reviews) }
  }
  if (path.endsWith('/batchexecute') && text.includes('/MapsPhotoService')) {
    const { state, photos } = parsePhotoList(text)
    return { what: 'photos', ...ofList(state, photos) }
  }
  if (path.endsWith('/batchexecute') || path === '/maps/rpc/listugcposts') {
    const { state, reviews } = parseReviewList(text, { now })
    return { what: 'reviews', ...ofList(state, reviews) }
  }
  return { what: 'page', verdict: 'unknown', items: [] }
}

function readPlace(payload: unknown, now: number): Content {
  const result = parsePlacePayload(payload, { now })
  if (!isPlacePayload(payload)) return { what: 'place', verdict: 'unknown', items: [] }
  if (!result.ok) return { what: 'place', verdict: 'layout', items: [] }
  const verdict = missingParts(payload).length > 0 ? 'trimmed' : 'whole'
  return { what: 'place', verdict, items: [result.place] }
}

const placesOf = (result: SearchResult | undefined): Place[] => result?.places.map(({ whole }) => whole().place) ?? []

function ofList(state: 'listed' | 'refused' | 'malformed', items: readonly object[]): Omit<Content, 'what'> {
  if (state === 'listed') return { verdict: items.length > 0 ? 'whole' : 'doubtful_empty', items }
  return { verdict: state === 'refused' ? 'request_refused' : 'unknown', items }
}
