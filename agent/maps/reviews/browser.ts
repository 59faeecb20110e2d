import type { Review } from '@placefleet/shared/place'
import type { Page } from 'playwright'
import { openMapPage } from '../session/map-page.ts'
import { press, scrollToLast } from '../session/page-actions.ts'
import { listenFor, nextList, type PageAnswers } from '../session/page-answers.ts'
import type { Locale } from '../urls/locale.ts'
import { type PlaceUrl, placePageUrl } from '../urls/place-url.ts'
import type { ReviewsFound } from './http.ts'
import { parseReviewList, type ReviewList } from './list.ts'

// Known by the number that the site logs each button under, which has no language, or by their class.
const ALL_REVIEWS = 'button[role="tab"][jslog^="145620"], button[jslog^="62394"], button.M77dve[aria-label]'
const SORT = 'button[jslog^="59550"], button[data-value="Sort"]'
const NEWEST = '[role="menuitemradio"][data-index="1"]'
const LAST = 'div.jftiEf[data-review-id]'

const BUTTON_MS = 10_000
/** The button to sort is drawn with the list. */
const SORT_MS = 1_500
const LIST_MS = 5_000
const STUCK_ROUNDS = 3
/** Longer than this nobody scrolls; a page as a whole has a minute. */
const SCROLL_MS = 40_000

/**
 * Opens a place's page, lets it show its reviews, newest first where it can sort them, and takes the lists that the page asks for itself, until
 * `enough` says so or the list ends. Not complete when the page shows no list, or stops in the middle of it.
 */
export async function reviewsInBrowser(
  page: Page,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  enough: (reviews: readonly Review[]) => boolean,
): Promise<ReviewsFound> {
  const answers = listenFor(page, isReviewList)
  await openMapPage(page, placePageUrl(base, place, locale))
  if (!(await press(page, ALL_REVIEWS, BUTTON_MS))) return { reviews: [], complete: false }
  const first = await nextList(answers, parseReviewList, LIST_MS) // by relevance; that order is kept where there is no other
  const sorted = (await press(page, SORT, SORT_MS)) && (await pressNewest(page, answers))
  return scrollList(page, answers, sorted ? undefined : first, enough)
}

async function scrollList(
  page: Page,
  answers: PageAnswers,
  first: ReviewList | undefined,
  enough: (reviews: readonly Review[]) => boolean,
): Promise<ReviewsFound> {
  const reviews = new Map<string, Review>()
  let list = first
  const until = Date.now() + SCROLL_MS
  for (let stuck = 0; stuck < STUCK_ROUNDS && Date.now() < until; ) {
    list ??= await nextList(answers, parseReviewList, LIST_MS)
    for (const review of list?.reviews ?? []) reviews.set(review.id, reviews.get(review.id) ?? review)
    const found = [...reviews.values()]
    if (list && (list.next_token === undefined || enough(found))) return { reviews: found, complete: true }
    stuck = list ? 0 : stuck + 1
    list = undefined
    await scrollToLast(page, LAST)
  }
  return { reviews: [...reviews.values()], complete: false }
}

// What came before is in another order.
async function pressNewest(page: Page, answers: PageAnswers): Promise<boolean> {
  answers.forget()
  return press(page, NEWEST, SORT_MS)
}

function isReviewList({ pathname }: URL): boolean {
  return pathname.endsWith('/batchexecute') || pathname === '/maps/rpc/listugcposts'
}
