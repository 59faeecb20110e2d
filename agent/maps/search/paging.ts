import { PAGE_SIZE } from './url.ts'

/** The places of one page of a search: all, those new to this run through the list, and those inside the cell. */
export type PageSeen = { readonly listed: number; readonly fresh: number; readonly inside: number }

/** The progress of a run through a search's list. `offset` is that of the next page. */
export type Paging = {
  readonly offset: number
  /** The offset of the last page with new places, and the number of places on it. */
  readonly good: number
  readonly listed: number
  /** The offset of the nearest page after `good` without new places. */
  readonly bad: number
  /** Whether `bad` was requested again after an earlier page had new places. */
  readonly retried: boolean
  /** The number of pages in a row without new places. */
  readonly idle: number
  /** The number of pages in a row with places, but none inside the cell. */
  readonly outside: number
}

/** Why a run ended. `listed`: there are no new places. `left`: the list shows no more places of the cell. */
export type PagingEnd = 'listed' | 'left'

const NEVER = Number.POSITIVE_INFINITY
/** Some answers are empty by chance. So an end wants a page that shows known places and no new one, or this many empty ones. */
const EMPTY_PAGES = 3
const OUTSIDE_PAGES = 2

/** The start of a run: the first page comes next. */
export const FIRST_PAGE: Paging = { offset: 0, good: 0, listed: 0, bad: NEVER, retried: false, idle: 0, outside: 0 }

/**
 * Decides the next step after a page. A short page does not end the run, because the site leaves gaps. After a page
 * without new places, the run requests one that begins in the middle of the last good page: if it shows known places
 * only, the list has ended; an empty answer there is an omission. Some versions of the site return the last page only at
 * an offset that fills it. So between a full and an empty page, the run tries offsets in between. The site does not sort
 * by distance, so the list counts as having left the cell only after two pages in a row without a place of the cell.
 */
export function afterPage(before: Paging, page: PageSeen): Paging | PagingEnd {
  const outside = page.listed === 0 ? before.outside : page.inside > 0 ? 0 : before.outside + 1
  if (outside >= OUTSIDE_PAGES) return 'left'
  const noted = { ...before, outside, idle: page.fresh > 0 ? 0 : before.idle + 1 }
  return page.fresh > 0 ? afterNews(noted, page) : afterNothing(noted, page)
}

function afterNews(paging: Paging, { listed }: PageSeen): Paging | PagingEnd {
  const { offset, bad, retried } = paging
  const noted = { ...paging, good: offset, listed }
  if (offset >= bad || bad === NEVER) return { ...noted, offset: offset + PAGE_SIZE, bad: NEVER, retried: false }
  return retried ? between(noted) : { ...noted, offset: bad, retried: true }
}

function afterNothing(paging: Paging, { listed }: PageSeen): Paging | PagingEnd {
  const mayNotFit = paging.listed >= PAGE_SIZE && listed === 0
  const isEnd = listed > 0 ? paging.idle > 1 : paging.idle >= EMPTY_PAGES
  if (paging.offset === 0 || (isEnd && !mayNotFit)) return 'listed'
  return between({ ...paging, bad: Math.min(paging.offset, paging.bad) })
}

/** Returns the page in the middle of the last one with new places, or half way to a nearer one without. */
function between(paging: Paging): Paging | PagingEnd {
  const { good, bad, listed } = paging
  if (bad - good <= 1) return 'listed'
  const known = Math.max(1, Math.floor(Math.min(listed, PAGE_SIZE) / 2))
  return { ...paging, offset: good + Math.min(known, Math.floor((bad - good) / 2)) }
}
