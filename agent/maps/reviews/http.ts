import type { Review } from '@placefleet/shared/place'
import { MapFailed } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import { type Locale, localeParameters, pbMessage, pbNumber, pbText, queryString } from '../urls/parameters.ts'
import { parseReviewList } from './payload.ts'

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

/** The number of the order "newest first". The site also knows 1 most relevant, 3 highest and 4 lowest. */
const NEWEST_FIRST = 2

/** Which part of the list: the `token` of the previous answer, and the page size (10 in a browser, at most 20). */
export interface ReviewPage {
  readonly token?: string | undefined
  readonly size?: number
}

// The fields that the site's own page requests of each review: its parts, its source, its translation.
const REVIEW_FIELDS = '!8m9!2b1!3b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!11m0'

/** The URL of a page of a place's reviews (`listugcposts`), newest first. The first page has no token. */
export function reviewListUrl(base: URL, placeKey: string, locale: Locale, page: ReviewPage = {}): URL {
  const { token = '', size = 10 } = page
  const pb = [
    pbMessage(
      1,
      pbText(1, placeKey),
      pbMessage(6, pbMessage(4, pbNumber(1, 'e', 1)), pbMessage(4, pbNumber(1, 'e', 3))),
    ),
    pbMessage(2, pbNumber(1, 'i', size), pbText(2, token)),
    pbMessage(5, pbNumber(7, 'e', 81)),
    REVIEW_FIELDS,
    pbMessage(13, pbNumber(1, 'e', NEWEST_FIRST)),
  ].join('')
  return new URL(`/maps/rpc/listugcposts?${queryString({ ...localeParameters(locale), pb })}`, base)
}
