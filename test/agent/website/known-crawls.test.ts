import type { Crawl } from '@placefleet/agent/website/crawl'
import { createKnownCrawls } from '@placefleet/agent/website/known-crawls'
import { expect, test } from 'vitest'

const { signal } = new AbortController()
const { signal: ofAnotherTask } = new AbortController()
const CHAIN = 'https://chain.example/'

/** Returns the start of crawls whose `pages` is the number of the crawl. */
function counting(outcome: Crawl['outcome'] = 'ok') {
  let crawls = 0
  return async (): Promise<Crawl> => ({ emails: [], social_links: {}, phones: [], pages: ++crawls, outcome })
}

test('twelve places of one chain share one crawl, which lasts ten minutes', async () => {
  let now = 0
  const [known, start] = [createKnownCrawls(() => now), counting()]
  const all = await Promise.all(Array.from({ length: 12 }, () => known.of(CHAIN, signal, start)))
  expect(new Set(all.map(({ pages }) => pages))).toEqual(new Set([1]))
  now = 599_999
  expect(await known.of(CHAIN, ofAnotherTask, start)).toMatchObject({ pages: 1 })
  now = 600_000
  expect(await known.of(CHAIN, signal, start)).toMatchObject({ pages: 2 })
  expect(await known.of('https://other.example/', signal, start)).toMatchObject({ pages: 3 })
})

test('a crawl whose task is cancelled is done by a task that waits for it', async () => {
  const known = createKnownCrawls()
  const stop = new AbortController()
  const first = Promise.withResolvers<Crawl>()
  const cancelled = known.of(CHAIN, stop.signal, () => first.promise)
  const waiting = known.of(CHAIN, signal, counting())
  stop.abort(new Error('cancelled'))
  first.reject(stop.signal.reason)
  await expect(cancelled).rejects.toThrow('cancelled')
  expect(await waiting).toMatchObject({ pages: 1 })
})

test.each(['broken', 'timeout'] as const)(
  'a website that was %s for one task is crawled again by another',
  async (outcome) => {
    const known = createKnownCrawls()
    expect(await known.of(CHAIN, signal, counting(outcome))).toMatchObject({ outcome })
    expect(await known.of(CHAIN, signal, counting())).toMatchObject({ outcome })
    expect(await known.of(CHAIN, ofAnotherTask, counting())).toMatchObject({ outcome: 'ok' })
  },
)

test('the 1,000 latest crawls are known', async () => {
  const [known, start] = [createKnownCrawls(), counting()]
  const crawlOf = async (nth: number) => (await known.of(`https://${nth}.example/`, signal, start)).pages
  for (let nth = 1; nth <= 1_000; nth++) expect(await crawlOf(nth)).toBe(nth)
  expect(await crawlOf(1)).toBe(1)
  expect(await crawlOf(1_001)).toBe(1_001)
  expect(await crawlOf(1_000)).toBe(1_000)
  expect(await crawlOf(1)).toBe(1_002)
})
