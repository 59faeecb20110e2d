import type { Review } from '@placefleet/shared/review'
import type { ReviewOrder } from '@placefleet/shared/review-options'
import { openMapPage } from '../requests/map-page.ts'
import type { MapTab } from '../requests/map-tab.ts'
import { listenFor, nextList, type PageAnswers } from '../requests/page-answers.ts'
import { press, scrollList } from '../requests/scroll.ts'
import { placePageUrl } from '../urls/place-url.ts'
import type { ReviewQuery, ReviewResult } from './http.ts'
import { parseReviewList } from './payload.ts'

// Known by the number under which the site logs each button, which does not depend on the language, or by class.
const ALL_REVIEWS = 'button[role="tab"][jslog^="145620"], button[jslog^="62394"], button.M77dve[aria-label]'
const SORT = 'button[jslog^="59550"], button[data-value="Sort"]'
const ENTRY = { relevant: 0, newest: 1, highest: 2, lowest: 3 } as const
const LAST = 'div.jftiEf[data-review-id]'

const BUTTON_MS = 10_000
/** The sort button is drawn together with the list. */
const SORT_MS = 1_500
const LIST_MS = 5_000
const STUCK_ROUNDS = 3

/**
 * Opens a place's page and its reviews, sorts them if possible, scrolls, and reads the lists that the page
 * requests, until `enough` or the end of the list. Not complete when the page shows no list, when the site answers the
 * page with an error, or when the page gets stuck.
 */
export async function reviewsInBrowser(
  tab: MapTab,
  { place, order, enough, ends }: ReviewQuery,
): Promise<ReviewResult> {
  const { page } = tab
  const answers = listenFor(tab, isReviewList)
  await openMapPage(tab, placePageUrl(tab, place))
  await tab.settled()
  const opened = await press(page, ALL_REVIEWS, BUTTON_MS)
  if (!opened) return { reviews: [], complete: false }
  const byRelevance = await nextList(answers, parse, LIST_MS)
  if (!byRelevance && answers.endedInError()) return { reviews: [], complete: false }
  await tab.settled()
  const menu = order === 'relevant' ? undefined : await press(page, SORT, SORT_MS)
  const sorted = menu === true && (await pressOrder(tab, answers, order))
  const { items, complete } = await scrollList<Review>(tab, {
    answers,
    parse,
    first: sorted ? undefined : byRelevance,
    last: LAST,
    listMs: LIST_MS,
    stuckRounds: STUCK_ROUNDS,
    enough: (reviews) => enough(reviews) || (sorted && ends(reviews.at(-1))),
  })
  return { reviews: items, complete }
}

function parse(text: string) {
  const { reviews, ...list } = parseReviewList(text)
  return { ...list, items: reviews }
}

// Lists that came before are in another order. No capture shows the menu, so its entry counts, whatever its role.
async function pressOrder({ page }: MapTab, answers: PageAnswers, order: ReviewOrder): Promise<boolean> {
  answers.forget()
  const index = ENTRY[order]
  const byIndex = [`[role="menuitemradio"][data-index="${index}"]`, `[role="menu"] [data-index="${index}"]`]
  return press(page, [...byIndex, `[role="menu"] > :nth-child(${index + 1})`].join(', '), SORT_MS)
}

const isReviewList = ({ pathname }: URL): boolean => pathname.endsWith('/batchexecute')
