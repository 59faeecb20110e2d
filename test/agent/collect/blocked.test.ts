import { expect, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { allowing, forwardProxy } from '../../harness/network/proxies.ts'
import { serve } from '../../harness/network/serve.ts'
import { volume } from '../../harness/volume.ts'
import { payload } from '../maps/sample.ts'
import { BRIEF_RESTS, collecting, keysOf, onSite, taskOf } from './collecting.ts'

const ONE_AT_A_TIME = { pace: { start: 60_000, most: 60_000 }, inFlight: 1, restMs: 300 }
const LONG_REST = { exits: { ...BRIEF_RESTS, restMs: 600_000 }, snoozes: 0 }
const later = (ms: number) => expect.toSatisfy((until: number) => until > performance.now() + ms)

/** Starts a proxy at each of so many addresses, from 127.0.0.FIRST. */
const proxiesFrom = (first: number, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => forwardProxy({ localAddress: `127.0.0.${first + n}` })))

test.each(['by-kind', '429', '302', '200', 'stub', '403', 'bare-403'] as const)(
  'after a refusal in the form %s the task waits, is not empty, and sends no more requests',
  async (refusalForm) => {
    const { site, search } = await onSite({ blocked: 'everyone', refusalForm }, { rung: 'auto', ...LONG_REST })
    const waits = { kind: 'snoozed', reason: 'blocked', outcomes: { empty: 0 }, until: later(0) }
    expect((await search()).end).toMatchObject(waits)
    const asked = site.requests().total
    expect(asked).toBeLessThanOrEqual(2) // the front page, and where it led
    expect((await search()).end.kind).toBe('snoozed')
    expect(site.requests().total).toBe(asked)
  },
)

test.each(['enablejs', 'sg-rel'] as const)(
  'the page for clients without scripts (%s) leaves the task to an agent with a browser, and rests nothing',
  async (refusalForm) => {
    const { site, search, collector } = await onSite({ blockPlainHttp: true, refusalForm }, LONG_REST)
    const waits = { kind: 'snoozed', reason: 'blocked', wants_browser: true, outcomes: { empty: 0 } }
    expect((await search()).end).toMatchObject(waits)
    expect(collector.resting()).toEqual({ blocked: 0, consent: 0, failed: 0, unknown: 0 })
    expect(site.requests().total).toBe(2) // the front page and the search
    expect((await search()).end).toMatchObject(waits)
    expect(site.requests().total).toBe(2)
  },
)

test('a wall that nobody knows rests the exit after ten answers, and the task waits', async () => {
  let asked = 0
  const { url } = await serve((_request, response) => {
    asked++
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>One moment</title><p>We are looking at your request.')
  })
  const verdicts = new Set<string>()
  const onVerdict = (verdict: string, door: string) => void verdicts.add(`${door}: ${verdict}`)
  const { run, collector } = collecting({ mapsBaseUrl: url, rung: 'http', ...LONG_REST, onVerdict })
  const references = Array.from({ length: 20 }, (_, nth) => ({ place_key: `0x47a80147c52a0027:0x15a95677${nth}` }))
  const { end } = await run(taskOf({ kind: 'collect', references }))
  expect(end).toMatchObject({ kind: 'snoozed', message: 'the map site sends answers that nobody knows' })
  expect(collector.resting()).toMatchObject({ blocked: 0, unknown: 1 })
  expect(verdicts).toEqual(new Set(['front: unknown', 'place: unknown']))
  expect(asked).toBeLessThanOrEqual(12) // what was under way
})

test.each([
  [{ blockPlainHttp: true }, true],
  [{ blocked: 'everyone' }, false],
] as const)(
  'an agent without a browser that meets %o leaves its tasks to others: %s',
  async (options, wants_browser) => {
    const { search, collect } = await onSite(options, LONG_REST)
    const waits = { kind: 'snoozed', wants_browser, outcomes: { empty: 0 } }
    expect((await search()).end).toMatchObject(waits)
    expect((await collect([1])).end).toMatchObject(waits)
  },
)

test('a refused exit waits as long as the site says', async () => {
  const rateLimit = { requests: 1, windowMs: 600_000, blockMs: 400_000 }
  const { search } = await onSite({ rateLimit, retryAfter: true }, { snoozes: 0 })
  expect((await search()).end).toMatchObject({ until: later(300_000) })
})

test.each((['by-kind', 'bare-403'] as const).slice(0, volume(1, 2)))(
  'a task that is blocked halfway (%s) continues where it was, and misses no review',
  async (refusalForm) => {
    const { site, city, collect } = await onSite(
      { refusalForm, rateLimit: { requests: 8, windowMs: 600_000, blockMs: 100 } },
      { rung: 'auto', exits: ONE_AT_A_TIME, snoozes: 12 },
    )
    const wanted = city.search('bakery').slice(0, 8)
    const { places, end } = await collect(wanted, { max_reviews: 30 })
    expect(end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0, limited: 0 } })
    expect(keysOf(places)).toEqual(keysOf(wanted.map((index) => city.place(index))))
    for (const { place_key, user_reviews = [], user_reviews_extended = [] } of places) {
      const truth = city.reviews(city.indexOf(place_key) ?? -1)
      expect(user_reviews.length + user_reviews_extended.length).toBe(Math.min(truth.length, 30))
    }
    expect(site.requests().kinds.asset).toBeUndefined() // Chromium was not taken for the cure
  },
)

test('places that are refused first and collected in the end do not count as refused', async () => {
  const rateLimit = { requests: 10, windowMs: 600_000, blockMs: 1 }
  const { site, city, collect } = await onSite({ rateLimit }, { exits: { ...BRIEF_RESTS, restMs: 0 }, snoozes: 0 })
  const references = city
    .keysOf('bakery')
    .slice(0, 12)
    .map((place_key) => ({ place_key }))
  const { places, end } = await collect(references, { max_reviews: 0 })
  expect(end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0 } })
  expect(keysOf(places)).toEqual(keysOf(references))
  expect(site.requests().refused['rate-limited']['place-payload']).toBeGreaterThan(0)
})

test('a place that three exits are refused is blocked, and the task goes on with the others', async () => {
  const keys = Array.from({ length: 4 }, (_, nth) => `0x47a80147c52a0027:0x15a9567${nth}`)
  const { url } = await serve((request, response) => {
    const asked = decodeURIComponent(request.url ?? '')
    const key = keys.find((one) => asked.includes(one))
    if (key === keys[0]) response.writeHead(429).end('<html><form id="captcha-form">')
    else if (key) response.end(`)]}'\n${JSON.stringify(payload({ 10: key }))}`)
    else response.end('<html><script>window.APP_INITIALIZATION_STATE=[];</script>')
  })
  const six = await proxiesFrom(60, 6)
  const { run } = collecting({ mapsBaseUrl: url, rung: 'http', allowHosts: allowing(...six), ...LONG_REST })
  const more = { proxies: six.map((proxy) => proxy.url), parameters: { max_reviews: 0 } }
  const { places, end } = await run(
    taskOf({ kind: 'collect', references: keys.map((place_key) => ({ place_key })) }, more),
  )
  expect(end).toMatchObject({ kind: 'finished', outcomes: { blocked: 1 } })
  expect(keysOf(places)).toEqual(keys.slice(1).toSorted())
})

test('the log says by the clock until when a refused task waits', async () => {
  const { log, lines } = capturedLog()
  const { search } = await onSite({ blocked: 'everyone' }, { ...LONG_REST, log })
  await search()
  const waits = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg.includes('the task waits'))
  expect(Date.parse(waits.until)).toBeGreaterThan(Date.now())
  expect(Date.parse(waits.until)).toBeLessThan(Date.now() + 3_600_000)
})

test('at most three exits are tried for a search that all of them are refused', async () => {
  const nine = await proxiesFrom(40, 9)
  const { site, search } = await onSite({ blocked: 'everyone' }, { ...LONG_REST, allowHosts: allowing(...nine) })
  const { end } = await search({}, { proxies: nine.map(({ url }) => url) })
  expect(end.kind).toBe('snoozed')
  expect(Object.keys(site.requests().addresses).length).toBe(3)
})
