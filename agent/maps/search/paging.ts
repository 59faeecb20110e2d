import { PAGE_SIZE } from './url.ts'

/** What a page of a search showed: places listed, those new to this run through the list, those inside the cell. */
export type PageSeen = { readonly listed: number; readonly fresh: number; readonly inside: number }

/** How far a run through a search's list has come. `offset` is the number of the first place to ask for next. */
export type Paging = {
  readonly offset: number
  /** The last page that brought something new, and whether it was full. */
  readonly good: number
  readonly full: boolean
  /** The nearest page behind `good` that brought nothing new. */
  readonly bad: number
  /** Whether `bad` was asked for again after a page before it brought something. */
  readonly retried: boolean
  /** Pages in a row that brought nothing new. */
  readonly idle: number
  /** Pages in a row with places, but none inside the cell. */
  readonly outside: number
}

/** Why a run is over: nothing new comes, or the list shows nothing of the cell any more. */
export type PagingEnd = 'listed' | 'left'

const NEVER = Number.POSITIVE_INFINITY
const IDLE_PAGES = 2
const OUTSIDE_PAGES = 2
const PROBE = PAGE_SIZE / 2

/** The start of a run: the first page comes next. */
export const FIRST_PAGE: Paging = { offset: 0, good: 0, full: false, bad: NEVER, retried: false, idle: 0, outside: 0 }

/**
 * What comes after a page. A short page ends nothing: the site leaves gaps. A page without anything new is checked by one
 * that begins ten places earlier; two in a row are the end. Where full pages are followed by empty ones, the site gives
 * its last page only at an offset where it is full, which is then searched for between the two. The order is no
 * distance, so that only two pages without a place of the cell are the end of it.
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

/** The page half way between the last that brought something and the next that did not. */
function between(paging: Paging): Paging | PagingEnd {
  const { good, bad } = paging
  return bad - good <= 1 ? 'listed' : { ...paging, offset: Math.floor((good + bad) / 2) }
}
