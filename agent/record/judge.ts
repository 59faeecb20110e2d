import type { Place } from '@placefleet/shared/place'
import { type AnswerKind, classifyAnswer } from '../maps/answers/classify.ts'
import { parsePhotoList } from '../maps/photos/payload.ts'
import { parsePlacePage } from '../maps/place/page.ts'
import { isPlacePayload, missingParts, parsePlacePayload } from '../maps/place/payload/payload.ts'
import { failureOf } from '../maps/requests/failure.ts'
import { pageVerdict } from '../maps/requests/map-request.ts'
import type { Verdict } from '../maps/requests/verdicts.ts'
import { readLocalBoq } from '../maps/reviews/local-boq.ts'
import { parseReviewList } from '../maps/reviews/payload.ts'
import { embeddedSearch, parseSearchPayload } from '../maps/search/payload.ts'
import { bodyOf, type Holds } from './read-answer.ts'

/** An answer of the site, by itself. */
type AnswerText = {
  readonly url: string
  readonly status: number
  readonly text: string
  readonly scripts: boolean
}

/** What an answer means without its exit and its history, and what it holds. */
export type Judgement = {
  readonly kind: AnswerKind
  readonly verdict: Verdict
  /** What was asked for. `page`: a page, with or without a payload in it. */
  readonly what: Exclude<Holds, 'nodes' | 'nothing'> | 'page'
  /** How many of the items that came have each field. */
  readonly fields: Readonly<Record<string, number>>
}

/** Judges an answer. `now` is the time at which it came, in milliseconds. */
export function judge({ url, status, text, scripts }: AnswerText, now: number): Judgement {
  const kind = classifyAnswer({ url, status, body: text })
  const what = askedFor(url, text)
  if (kind !== 'payload') return judgePage({ kind, status, text, scripts }, now)
  return { kind, what, ...judgePayload(what, text, now) }
}

function askedFor(url: string, text: string): Judgement['what'] {
  const path = URL.parse(url)?.pathname ?? ''
  if (path.endsWith('/GetLocalBoqProxy')) return 'review window'
  if (path === '/maps/preview/place') return 'place'
  if (path === '/search') return 'search'
  if (path.endsWith('/batchexecute')) return bodyOf(text).procedure?.includes('Photo') ? 'photos' : 'reviews'
  return path === '/maps/rpc/listugcposts' ? 'reviews' : 'page'
}

type Content = Pick<Judgement, 'verdict' | 'fields'>

function judgePage(
  { kind, status, text, scripts }: { kind: AnswerKind; status: number; text: string; scripts: boolean },
  now: number,
): Content & { kind: AnswerKind; what: Judgement['what'] } {
  if (kind === 'page' || kind === 'feed' || kind === 'place' || kind === 'unmarked') {
    const { payload } = parsePlacePage(text)
    if (isPlacePayload(payload)) return { kind, what: 'place', ...judgePlace(payload, now) }
    const places = embeddedSearch(text, { now })?.places.map(({ whole }) => whole().place) ?? []
    return { kind, what: 'page', verdict: pageVerdict({ kind }), fields: countFields(places) }
  }
  const answer = { kind, status, text, retryAfterMs: undefined }
  const { fault } = failureOf(answer, { refusesExit: false, scripts })
  return { kind, what: 'page', verdict: fault, fields: {} }
}

function judgePayload(what: Judgement['what'], text: string, now: number): Content {
  const { value } = bodyOf(text)
  if (what === 'place') return judgePlace(value, now)
  if (what === 'search') {
    const { shape, places } = parseSearchPayload(value, { now })
    const verdicts = {
      found: 'whole',
      empty: 'doubtful_empty',
      doubtful: 'doubtful_empty',
      malformed: 'layout',
      foreign: 'unknown',
    } as const
    return { verdict: verdicts[shape], fields: countFields(places.map(({ whole }) => whole().place)) }
  }
  if (what === 'photos') {
    const { state, photos } = parsePhotoList(text)
    return { verdict: verdictOfList(state, photos), fields: countFields(photos) }
  }
  if (what === 'page') return { verdict: 'unknown', fields: {} }
  const { state, reviews } = what === 'review window' ? readLocalBoq(value, now) : parseReviewList(text, { now })
  return { verdict: verdictOfList(state, reviews), fields: countFields(reviews) }
}

function judgePlace(payload: unknown, now: number): Content {
  const result = parsePlacePayload(payload, { now })
  if (!isPlacePayload(payload)) return { verdict: 'unknown', fields: {} }
  if (!result.ok) return { verdict: 'layout', fields: {} }
  const places: Place[] = [result.place]
  return { verdict: missingParts(payload).length > 0 ? 'trimmed' : 'whole', fields: countFields(places) }
}

function verdictOfList(state: 'listed' | 'refused' | 'malformed', items: readonly unknown[]): Verdict {
  if (state === 'listed') return items.length > 0 ? 'whole' : 'doubtful_empty'
  return state === 'refused' ? 'request_refused' : 'unknown'
}

function countFields(items: readonly object[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items)
    for (const [name, value] of Object.entries(item)) {
      if (value !== undefined) counts[name] = (counts[name] ?? 0) + 1
    }
  return counts
}
