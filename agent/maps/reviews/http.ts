import type { Review } from '@placefleet/shared/place'
import type { Verdict } from '../answers/verdicts.ts'
import { MapFailed } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import { type Locale, localeParameters, pbMessage, pbNumber, pbText, queryString } from '../urls/parameters.ts'
import { parseReviewList, type ReviewList } from './payload.ts'

/** Reviews, newest first. `complete` when `enough` was reached or the list ended. */
export type ReviewsFound = { readonly reviews: Review[]; readonly complete: boolean }

const PAGE = 20
/** The site sometimes omits the token of the next page, so a full page without one is requested this many times. */
const TRIES_WITHOUT_TOKEN = 3

/**
 * Pages through the reviews of a place, newest first, until `enough` or the end of the list. When the site refuses a
 * page, returns the pages before it as not complete. Throws MapFailed when the site returns nothing.
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
  for (let tries = 1; ; ) {
    const list = await askList(session, reviewListUrl(base, placeKey, locale, { token, size: PAGE }))
    if (list.state !== 'listed') return { reviews: [...reviews.values()], complete: false }
    const before = reviews.size
    for (const review of list.reviews) reviews.set(review.id, reviews.get(review.id) ?? review)
    const isLast = list.next_token === undefined && (list.reviews.length < PAGE || tries === TRIES_WITHOUT_TOKEN)
    const isRepeated = reviews.size === before && tries === 1
    if (isLast || isRepeated || enough([...reviews.values()])) {
      return { reviews: [...reviews.values()], complete: true }
    }
    tries = list.next_token === undefined ? tries + 1 : 1
    token = list.next_token ?? token
  }
}

async function askList(session: HttpSession, url: URL): Promise<ReviewList> {
  let list: ReviewList = { state: 'refused', reviews: [] }
  await session.ask(url, ['payload', 'refused'], ({ kind, text }) => {
    list = kind === 'refused' ? { state: 'refused', reviews: [] } : parseReviewList(text)
    return verdictOn(list)
  })
  if (list.state === 'malformed') throw new MapFailed('unknown')
  return list
}

function verdictOn({ state, reviews }: ReviewList): Verdict {
  if (state === 'refused') return 'request_refused'
  if (state === 'malformed') return 'unknown'
  return reviews.length > 0 ? 'whole' : 'doubtful_empty'
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

/** Returns the URL of a page of a place's reviews (`listugcposts`), newest first. The first page has no token. */
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
