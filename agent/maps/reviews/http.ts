import type { Review } from '@placefleet/shared/review'
import type { AnswerKind } from '../answers/classify.ts'
import { isRefusedQuestion, MapFailed } from '../requests/failure.ts'
import { type HttpSession, type MapAnswer, requestMap } from '../requests/map-request.ts'
import type { Verdict } from '../requests/verdicts.ts'
import { type FirstPage, localBoqUrl, parseLocalBoq } from './local-boq.ts'
import type { ReviewList } from './payload.ts'

export type ReviewQuery = FirstPage & {
  /** Whether these reviews are enough, whatever their order. */
  readonly enough: (reviews: readonly Review[]) => boolean
  /** Whether the job takes no review after this one in the requested order. */
  readonly ends: (last: Review | undefined) => boolean
}

/** Reviews in the requested order. `complete` when `enough` was reached or the list ended. */
export type ReviewResult = { readonly reviews: Review[]; readonly complete: boolean }

/**
 * Pages through the reviews of a place until they are enough or the list ends. A refused page ends the list as not
 * complete, and for an hour none is requested. Throws MapFailed when the site refuses the exit or returns nothing.
 */
export async function reviewsByHttp(session: HttpSession, query: ReviewQuery): Promise<ReviewResult> {
  const { memory } = session.identity.exit
  if (memory.isClosed('reviews')) return { reviews: [], complete: false }
  try {
    const result = await readPages(session, query)
    if (!result.complete) memory.close('reviews')
    return result
  } catch (error) {
    if (error instanceof MapFailed && mayBeOfEndpoint(error)) memory.close('reviews')
    throw error
  }
}

// The endpoint may be the reason for a refusal of the exit, and for silence.
const mayBeOfEndpoint = (failure: MapFailed): boolean => isRefusedQuestion(failure) || failure.fault === 'timeout'

/** The site sometimes omits the token of the next page, so a full page without one is requested this many times. */
const TRIES_WITHOUT_TOKEN = 3
/** The lengths of full pages that the site has sent. It need not send as many reviews as are requested. */
const FULL_PAGES: readonly number[] = [10, 60]

async function readPages(session: HttpSession, query: ReviewQuery): Promise<ReviewResult> {
  const reviews = new Map<string, Review>()
  let token: string | undefined
  let largest = 0
  for (let tries = 1; ; ) {
    const list = await requestReviews(session, query, token)
    if (list.state !== 'listed') return { reviews: [...reviews.values()], complete: false }
    const before = reviews.size
    for (const review of list.reviews) reviews.set(review.id, reviews.get(review.id) ?? review)
    const { length } = list.reviews
    const isFull = largest > 0 ? length >= largest : FULL_PAGES.includes(length)
    const isLast = list.next_token === undefined && (!isFull || tries === TRIES_WITHOUT_TOKEN)
    const isRepeated = reviews.size === before && tries === 1
    const read = [...reviews.values()]
    if (isLast || isRepeated || query.enough(read) || query.ends(list.reviews.at(-1))) {
      return { reviews: read, complete: true }
    }
    tries = list.next_token === undefined ? tries + 1 : 1
    if (list.next_token !== undefined) largest = Math.max(largest, length)
    token = list.next_token ?? token
  }
}

/** The kinds of answers that are about the endpoint alone. A captcha, the consent form and an outage are not. */
const OF_ENDPOINT = [
  'payload',
  'refused',
  'not_found',
  'bad_request',
  'needs_scripts',
  'unmarked',
  'page',
] as const satisfies readonly AnswerKind[]

/** Requests a page of a list. Throws MapFailed when the exit is refused or gets no answer. */
export const requestReviews = (session: HttpSession, query: FirstPage, token?: string): Promise<ReviewList> =>
  requestMap(session, localBoqUrl(session.identity, query, token), {
    kinds: OF_ENDPOINT,
    read(answer) {
      const list = listIn(answer)
      return { value: list, verdict: reviewVerdict(list) }
    },
  })

function listIn({ kind, text }: MapAnswer): ReviewList {
  if (kind === 'payload') return parseLocalBoq(text)
  return { state: kind === 'unmarked' || kind === 'page' ? 'malformed' : 'refused', reviews: [] }
}

export function reviewVerdict({ state, reviews }: ReviewList): Verdict {
  if (state !== 'listed') return state === 'refused' ? 'request_refused' : 'unknown'
  return reviews.length > 0 ? 'whole' : 'doubtful_empty'
}
