import type { Crawl } from '@placefleet/agent/website/crawl'
import { createKnownCrawls } from '@placefleet/agent/website/known-crawls'
import { expect, test } from 'vitest'

const { signal } = new AbortController()
const { signal: ofAnotherTask } = new AbortController()
const crawlWith = (outcome: Crawl['outcome'], pages = 1): Crawl => ({
  emails: [],
  social_links: {},
  phones: [],
  pages,
  outcome,
})

test('twelve places of one chain share one crawl, which lasts ten minutes', async () => {
  let now = 0
  let crawls = 0
  const known = createKnownCrawls(() => now)
  const start = async () => crawlWith('ok', ++crawls)
  const all = await Promise.all(Array.from({ length: 12 }, () => known.of('https://chain.example/', signal, start)))
  expect(new Set(all.map(({ pages }) => pages))).toEqual(new Set([1]))
  now = 599_999
  expect(await known.of('https://chain.example/', ofAnotherTask, start)).toMatchObject({ pages: 1 })
  now = 600_000
  expect(await known.of('https://chain.example/', signal, start)).toMatchObject({ pages: 2 })
  expect(await known.of('https://other.example/', signal, start)).toMatchObject({ pages: 3 })
})

test('a crawl whose task is cancelled is done by a task that waits for it', async () => {
  const known = createKnownCrawls()
  const stop = new AbortController()
  const first = Promise.withResolvers<Crawl>()
  const cancelled = known.of('https://chain.example/', stop.signal, () => first.promise)
  const waiting = known.of('https://chain.example/', signal, async () => crawlWith('ok', 2))
  stop.abort(new Error('cancelled'))
  first.reject(stop.signal.reason)
  await expect(cancelled).rejects.toThrow('cancelled')
  expect(await waiting).toMatchObject({ pages: 2 })
})

test.each(['broken', 'timeout'] as const)(
  'a website that was %s for one task is crawled again by another',
  async (outcome) => {
    const known = createKnownCrawls()
    const failing = async () => crawlWith(outcome)
    expect(await known.of('https://shop.example/', signal, failing)).toMatchObject({ outcome })
    expect(await known.of('https://shop.example/', signal, async () => crawlWith('ok'))).toMatchObject({ outcome })
    expect(await known.of('https://shop.example/', ofAnotherTask, async () => crawlWith('ok'))).toMatchObject({
      outcome: 'ok',
    })
  },
)

test('at most a thousand crawls are remembered', async () => {
  const known = createKnownCrawls()
  let crawls = 0
  const start = async () => crawlWith('ok', ++crawls)
  for (let nth = 0; nth <= 1_000; nth++) await known.of(`https://${nth}.example/`, signal, start)
  expect(await known.of('https://1000.example/', signal, start)).toMatchObject({ pages: 1_001 })
  expect(await known.of('https://0.example/', signal, start)).toMatchObject({ pages: 1_002 })
})

test('the 1,000 latest crawls are known', async () => {
  const known = createKnownCrawls()
  let crawls = 0
  const crawled = async (nth: number) => {
    await known.of(`https://${nth}.example/`, signal, async () => crawlWith('ok', ++crawls))
    return crawls
  }
  for (let nth = 1; nth <= 1_000; nth++) await crawled(nth)
  expect(await crawled(1)).toBe(1_000)
  expect(await crawled(1_001)).toBe(1_001)
  expect(await crawled(1_000)).toBe(1_001)
  expect(await crawled(1)).toBe(1_002)
})
