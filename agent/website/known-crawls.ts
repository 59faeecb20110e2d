import { setNewest } from '@placefleet/shared/newest'
import { abortable, monotonicNow } from '@placefleet/shared/timing'
import type { Crawl, CrawlOutcome } from './crawl.ts'

/** The recent crawls of an agent: places share a website, and a place may be collected twice. */
export type KnownCrawls = {
  /** Returns the crawl of this key, at most ten minutes old, or the result of `start`. Throws the abort reason. */
  of(key: string, signal: AbortSignal, start: () => Promise<Crawl>): Promise<Crawl>
}

/** `owner`: the signal of the task that crawls. When it aborts, a waiting task crawls itself. */
type Entry = { readonly crawl: Promise<Crawl>; readonly owner: AbortSignal; readonly until: number }

/** The exit of the task that crawled may be the reason, so another task crawls itself. */
const MAY_BE_OURS: ReadonlySet<CrawlOutcome> = new Set<CrawlOutcome>(['broken', 'timeout'])
const REMEMBERED_MS = 600_000
const MOST_REMEMBERED = 1_000

/** Creates an empty collection of crawls. `now` is the clock in milliseconds. */
export function createKnownCrawls(now = monotonicNow): KnownCrawls {
  const entries = new Map<string, Entry>()
  const begin = (key: string, owner: AbortSignal, start: () => Promise<Crawl>): Entry => {
    const begun = { crawl: start(), owner, until: now() + REMEMBERED_MS }
    setNewest(entries, key, begun, MOST_REMEMBERED)
    begun.crawl.catch(() => {
      if (entries.get(key) === begun) entries.delete(key)
    })
    return begun
  }
  return {
    async of(key, signal, start) {
      for (;;) {
        signal.throwIfAborted()
        const before = entries.get(key)
        const { crawl, owner } = before && before.until > now() ? before : begin(key, signal, start)
        try {
          const result = await abortable(crawl, signal)
          if (owner === signal || !MAY_BE_OURS.has(result.outcome)) return result
          if (entries.get(key)?.crawl === crawl) entries.delete(key)
        } catch (error) {
          signal.throwIfAborted()
          if (!owner.aborted) throw error
        }
      }
    },
  }
}
