import { monotonicNow } from '@placefleet/shared/timing'
import type { Page } from 'playwright'
import { ignoreTimeout } from '../../browser/within.ts'
import type { MapTab } from './map-tab.ts'
import { nextList, type PageAnswers } from './page-answers.ts'

/** The result of a round of reading: new items, none, or the end of the list. */
export type Round = 'grew' | 'same' | 'end'

/** The time for scrolling, without waits for turns. A page has 60 seconds in total. */
const SCROLL_MS = 40_000

/**
 * Reads and scrolls in turns until a round returns `end`, `stuckRounds` rounds in a row bring nothing new, or 40
 * seconds have passed. Returns true after `end`. Each scroll waits for the turns of what the page has requested.
 */
export async function scrollToEnd(
  tab: MapTab,
  round: () => Promise<Round>,
  scroll: () => Promise<void>,
  stuckRounds: number,
): Promise<boolean> {
  let leftMs = SCROLL_MS
  const timed = async <T>(work: () => Promise<T>) => {
    const startedAt = monotonicNow()
    const result = await work()
    leftMs -= monotonicNow() - startedAt
    return result
  }
  for (let stuck = 0; stuck < stuckRounds && leftMs > 0; ) {
    const result = await timed(round)
    if (result === 'end') return true
    stuck = result === 'grew' ? 0 : stuck + 1
    await tab.settled()
    await timed(scroll)
  }
  return false
}

type List<Item> = { readonly state: string; readonly items: readonly Item[]; readonly next_token?: string | undefined }

/** A list that a page loads in pieces. `first` is a piece that has arrived already; `last` selects its drawn items. */
type ScrollList<Item> = {
  readonly answers: PageAnswers
  readonly parse: (text: string) => List<Item>
  readonly first?: List<Item> | undefined
  readonly last: string
  readonly listMs: number
  readonly stuckRounds: number
  readonly enough: (items: readonly Item[]) => boolean
}

/** Collects the pieces of a list that the page loads while it is scrolled. `complete`: it ended, or has `enough`. */
export async function scrollList<Item extends { readonly id: string }>(
  tab: MapTab,
  { answers, parse, first, last, listMs, stuckRounds, enough }: ScrollList<Item>,
): Promise<{ readonly items: Item[]; readonly complete: boolean }> {
  const items = new Map<string, Item>()
  let next = first
  const round = async (): Promise<Round> => {
    const list = next ?? (await nextList(answers, parse, listMs))
    next = undefined
    const before = items.size
    for (const item of list?.items ?? []) items.set(item.id, items.get(item.id) ?? item)
    if (list && (list.next_token === undefined || enough([...items.values()]))) return 'end'
    return items.size > before ? 'grew' : 'same'
  }
  const complete = await scrollToEnd(tab, round, () => scrollToLast(tab.page, last), stuckRounds)
  return { items: [...items.values()], complete }
}

/** Clicks the first button that matches. Returns false when none appears in time. */
export async function press(page: Page, selector: string, timeout: number): Promise<boolean> {
  try {
    await page.locator(selector).first().click({ timeout })
    return true
  } catch (error) {
    ignoreTimeout(error)
    return false
  }
}

/**
 * Scrolls the last matching element into view, and every scrollable box around it to its end. Without such an element,
 * scrolls every box of the page's main part.
 */
function scrollToLast(page: Page, selector: string): Promise<void> {
  return page.evaluate<void>(`(() => { const last = [...document.querySelectorAll('${selector}')].at(-1);
    last?.scrollIntoView(); const boxes = last ? [] : [...document.querySelectorAll('[role="main"] *')];
    for (let box = last?.parentElement; box; box = box.parentElement) boxes.push(box);
    for (const box of boxes) if (box.scrollHeight > box.clientHeight) {
      box.scrollTop = box.scrollHeight; box.dispatchEvent(new Event('scroll')) } })()`)
}
