import { PAGE_SIZE } from './url.ts'

/** The places of one page of a search: all, those new to this run through the list, and those inside the cell. */
export type PageSeen = { readonly listed: number; readonly fresh: number; readonly inside: number }

/** The progress of a run through a search's list. `offset` is that of the next page. */
export type Paging = {
  readonly offset: number
  /** The offset of the last page with new places, and whether that page was full. */
  readonly good: number
  readonly full: boolean
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
const IDLE_PAGES = 2
const OUTSIDE_PAGES = 2
const PROBE = PAGE_SIZE / 2

/** The start of a run: the first page comes next. */
export const FIRST_PAGE: Paging = { offset: 0, good: 0, full: false, bad: NEVER, retried: false, idle: 0, outside: 0 }

/**
 * Decides the next step after a page. A short page does not end the run, because the site leaves gaps. After a page
 * without new places, the run requests one that begins ten places earlier; two such pages in a row end the run. Some
 * versions of the site return the last page only at an offset that fills it. So between a full and an empty page, the run
 * tries offsets in between. The site does not sort by distance, so the list counts as having left the cell only
 * after two pages in a row without a place of the cell.
 */
export function afterPage(before: Paging, page: PageSeen): Paging | PagingEnd {
  const outside = page.listed === 0 ? before.outside : page.inside > 0 ? 0 : before.outside + 1
  if (outside >= OUTSIDE_PAGES) return 'left'
  const noted = { ...before, outside, idle: page.fresh > 0 ? 0 : before.idle + 1 }
  return page.fresh > 0 ? afterNews(noted, page) : afterNothing(noted, page)
}

function afterNews(paging: Paging, { listed }: PageSeen): Paging | PagingEnd {
  const { offset, bad, retried } = paging
  const noted = { ...paging, good: offset, full: listed >= PAGE_SIZE }
  if (offset >= bad || bad === NEVER) return { ...noted, offset: offset + PAGE_SIZE, bad: NEVER, retried: false }
  const isFirstProbe = bad - offset === PROBE && !retried
  return isFirstProbe ? { ...noted, offset: bad, retried: true } : between(noted)
}

function afterNothing(paging: Paging, { listed }: PageSeen): Paging | PagingEnd {
  const mayNotFit = paging.full && listed === 0
  if (paging.offset === 0 || (paging.idle >= IDLE_PAGES && !mayNotFit)) return 'listed'
  return between({ ...paging, bad: Math.min(paging.offset, paging.bad) })
}

/** Returns the page half way between the last one with new places and the next one without. */
function between(paging: Paging): Paging | PagingEnd {
  const { good, bad } = paging
  return bad - good <= 1 ? 'listed' : { ...paging, offset: Math.floor((good + bad) / 2) }
}
