import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'
import { volume } from '../../harness/volume.ts'
import { payload } from '../maps/sample.ts'
import { BRIEF_RESTS, collecting, keysOf, mapSite, taskOf } from './collecting.ts'

const ONE_AT_A_TIME = { pace: { start: 60_000, most: 60_000 }, inFlight: 1, restMs: 800 }
const LONG_REST = { ...BRIEF_RESTS, restMs: 600_000 }

async function proxyThat(start: Partial<Parameters<typeof startForwardProxy>[0]>) {
  const proxy = await startForwardProxy({ resolve: () => undefined, ...start })
  onTestFinished(() => proxy.close())
  return proxy.url
}
const hostsOf = (urls: readonly string[]) => new Set(urls.map((url) => new URL(url).host))

test.each(['429', '302', '200', 'stub', '403', 'bare-403'] as const)(
  'after a refusal in the form %s the task waits and sends no more requests',
  async (refusalForm) => {
    const site = await mapSite({ blocked: 'everyone', refusalForm })
    const { run } = collecting({ mapsBaseUrl: site.url, exits: LONG_REST, snoozes: 0 })
    const discover = taskOf({ kind: 'discover', keyword: 'bakery' })
    const { end } = await run(discover)
    expect(end).toMatchObject({
      kind: 'snoozed',
      until: expect.toSatisfy((until: number) => until > performance.now()),
    })
    const asked = site.requests().total
    expect(asked).toBeLessThanOrEqual(2) // the front page, and where it led
    expect((await run(discover)).end.kind).toBe('snoozed')
    expect(site.requests().total).toBe(asked)
  },
)

test.each(['enablejs', 'sg-rel'] as const)(
  'the page for clients without scripts (%s) leaves the task to an agent with a browser, and rests nothing',
  async (refusalForm) => {
    const site = await mapSite({ blockPlainHttp: true, refusalForm })
    const { run, collector } = collecting({ mapsBaseUrl: site.url, rung: 'http', exits: LONG_REST, snoozes: 0 })
    const discover = taskOf({ kind: 'discover', keyword: 'bakery' })
    expect((await run(discover)).end).toMatchObject({ kind: 'snoozed', wants_browser: true })
    expect(collector.resting()).toEqual({ blocked: 0, consent: 0, failed: 0, unknown: 0 })
    const asked = site.requests().total
    expect(asked).toBe(2) // the front page and the search
    expect((await run(discover)).end).toMatchObject({ kind: 'snoozed', wants_browser: true })
    expect(site.requests().total).toBe(asked)
  },
)

test('a wall that nobody knows rests the exit after ten answers, and the task waits', async () => {
  let asked = 0
  const { url } = await serve((_request, response) => {
    asked++
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>One moment</title><p>We are looking at your request.')
  })
  const verdicts: string[] = []
  const onVerdict = (verdict: string, door: string) => void verdicts.push(`${door}: ${verdict}`)
  const { run, collector } = collecting({ mapsBaseUrl: url, rung: 'http', exits: LONG_REST, snoozes: 0, onVerdict })
  const references = Array.from({ length: 20 }, (_, nth) => ({ place_key: `0x47a80147c52a0027:0x15a95677${nth}` }))
  const { end } = await run(taskOf({ kind: 'collect', references }))
  expect(end).toMatchObject({ kind: 'snoozed', message: 'the map site sends answers that nobody knows' })
  expect(collector.resting()).toMatchObject({ blocked: 0, unknown: 1 })
  expect(new Set(verdicts)).toEqual(new Set(['front: unknown', 'place: unknown']))
  expect(asked).toBeLessThanOrEqual(12) // what was under way
})

test.each([
  [{ blockPlainHttp: true }, true],
  [{ blocked: 'everyone' }, false],
] as const)(
  'an agent without a browser that meets %o leaves the task to others: %s',
  async (options, wants_browser) => {
    const site = await mapSite(options)
    const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', exits: LONG_REST, snoozes: 0 })
    const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
    expect(end).toMatchObject({ kind: 'snoozed', wants_browser })
  },
)

test('a refused exit waits as long as the site says', async () => {
  const site = await mapSite({ rateLimit: { requests: 1, windowMs: 600_000, blockMs: 400_000 }, retryAfter: true })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', snoozes: 0 })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(end).toMatchObject({ until: expect.toSatisfy((until: number) => until > performance.now() + 300_000) })
})

test.each((['by-kind', 'bare-403'] as const).slice(0, volume(1, 2)))(
  'a task that is blocked halfway (%s) continues where it was, and misses no review',
  async (refusalForm) => {
    const site = await mapSite({ refusalForm, rateLimit: { requests: 8, windowMs: 600_000, blockMs: 500 } })
    const references = site.city
      .search('bakery')
      .slice(0, 8)
      .map((index) => ({ place_key: site.city.place(index).place_key }))
    const { run } = collecting({ mapsBaseUrl: site.url, exits: ONE_AT_A_TIME, snoozes: 12 })
    const { places, end } = await run(taskOf({ kind: 'collect', references }, { parameters: { max_reviews: 30 } }))
    expect(end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0, limited: 0 } })
    expect(keysOf(places)).toEqual(keysOf(references))
    for (const { place_key, user_reviews = [], user_reviews_extended = [] } of places) {
      const truth = site.city.reviews(site.city.indexOf(place_key) ?? -1)
      expect(user_reviews.length + user_reviews_extended.length).toBe(Math.min(30, truth.length))
    }
    expect(site.requests().kinds.asset).toBeUndefined() // Chromium was not taken for the cure
  },
)

test('places that are refused first and collected in the end do not count as refused', async () => {
  const site = await mapSite({ rateLimit: { requests: 10, windowMs: 600_000, blockMs: 1 } })
  const references = site.city.keysOf('bakery').slice(0, 12)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', exits: { ...BRIEF_RESTS, restMs: 0 }, snoozes: 0 })
  const collect = { kind: 'collect', references: references.map((place_key) => ({ place_key })) } as const
  const { places, end } = await run(taskOf(collect, { parameters: { max_reviews: 0 } }))
  expect(end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0 } })
  expect(keysOf(places)).toEqual(references.toSorted())
  expect(site.requests().refused['rate-limited']['place-payload']).toBeGreaterThan(0)
})

test('a place that three exits are refused is blocked, and the task goes on with the others', async () => {
  const keys = Array.from({ length: 4 }, (_, nth) => `0x47a80147c52a0027:0x15a9567${nth}`)
  const [poison = ''] = keys
  const { url } = await serve((request, response) => {
    const asked = decodeURIComponent(request.url ?? '')
    const key = keys.find((one) => asked.includes(one))
    if (key === poison) response.writeHead(429).end('<html><form id="captcha-form">')
    else if (key) response.end(`)]}'\n${JSON.stringify(payload({ 10: key }))}`)
    else response.end('<html><script>window.APP_INITIALIZATION_STATE=[];</script>')
  })
  const addresses = Array.from({ length: 6 }, (_, n) => `127.0.0.${60 + n}`)
  const proxies = await Promise.all(addresses.map((localAddress) => proxyThat({ localAddress })))
  const allowHosts = hostsOf(proxies)
  const { run } = collecting({ mapsBaseUrl: url, rung: 'http', allowHosts, exits: LONG_REST, snoozes: 0 })
  const references = keys.map((place_key) => ({ place_key }))
  const { places, end } = await run(
    taskOf({ kind: 'collect', references }, { proxies, parameters: { max_reviews: 0 } }),
  )
  expect(end).toMatchObject({ kind: 'finished', outcomes: { blocked: 1 } })
  expect(keysOf(places)).toEqual(keys.slice(1).toSorted())
})

test('the log says by the clock until when a refused task waits', async () => {
  const site = await mapSite({ blocked: 'everyone' })
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', exits: LONG_REST, snoozes: 0, log })
  await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  const waits = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg.includes('the task waits'))
  expect(Date.parse(waits.until)).toBeGreaterThan(Date.now())
  expect(Date.parse(waits.until)).toBeLessThan(Date.now() + 3_600_000)
})

test('at most three exits are tried for a search that all of them are refused', async () => {
  const addresses = Array.from({ length: 9 }, (_, n) => `127.0.0.${40 + n}`)
  const site = await mapSite({ blocked: addresses })
  const proxies = await Promise.all(addresses.map((localAddress) => proxyThat({ localAddress })))
  const { run } = collecting({
    mapsBaseUrl: site.url,
    rung: 'http',
    allowHosts: hostsOf(proxies),
    exits: LONG_REST,
    snoozes: 0,
  })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies }))
  expect(end.kind).toBe('snoozed')
  expect(Object.keys(site.requests().addresses).length).toBe(3)
})
