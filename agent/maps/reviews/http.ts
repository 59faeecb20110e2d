import type { Review } from '@placefleet/shared/place'
import { MapFailed } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import type { Locale } from '../urls/query.ts'
import { parseReviewList } from './list.ts'
import { reviewListUrl } from './url.ts'

/** Reviews, newest first. `complete` when `enough` was reached or the list ended. */
export type ReviewsFound = { readonly reviews: Review[]; readonly complete: boolean }

const PAGE = 20

/**
 * Pages through the reviews of a place, newest first, until `enough` says so or the list ends. When the site refuses a
 * page, returns the pages before it, not complete. Throws MapFailed when the site gives nothing.
 */
export async function reviewsByHttp(
  session: HttpSession,
  base: URL,
  placeKey: string,
  locale: Locale,
  enough: (reviews: readonly Review[]) => boolean,
): Promise<ReviewsFound> {
  const reviews = new Map<string, Review>()
  let token: string | undefined
  do {
    const url = reviewListUrl(base, placeKey, locale, { token, size: PAGE })
    const answer = await session.ask(url, ['payload', 'refused'])
    const list = answer.kind === 'refused' ? undefined : parseReviewList(answer.text)
    if (list?.state === 'malformed') throw new MapFailed('broken')
    if (list?.state !== 'listed') return { reviews: [...reviews.values()], complete: false }
    const before = reviews.size
    for (const review of list.reviews) reviews.set(review.id, reviews.get(review.id) ?? review)
    token = reviews.size === before ? undefined : list.next_token
  } while (token !== undefined && !enough([...reviews.values()]))
  return { reviews: [...reviews.values()], complete: true }
}
