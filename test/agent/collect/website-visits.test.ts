import type { RequestListener } from 'node:http'
import type { CollectorSettings } from '@placefleet/agent/collect/collector'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import type { Robots } from '@placefleet/deploy/simulation/websites/server'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { expect, onTestFinished, test } from 'vitest'
import { startNameServer } from '../../harness/network/name-server.ts'
import { serve } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'
import { KEY, payload } from '../maps/sample.ts'
import { collecting, taskOf } from './collecting.ts'

/** Searches a city in fast mode and visits the websites of the found places. */
async function visited(robots: Robots, settings: Partial<CollectorSettings> = {}) {
  const world = await startOutsideWorld({ seed: 7, places: 240, robots })
  onTestFinished(() => world.close())
  const allowHosts = new Set([new URL(world.proxy.url).host])
  const { run } = collecting({ mapsBaseUrl: world.site.url, rung: 'http', allowHosts, ...settings })
  const parameters = { fast_mode: true, include_emails: true, max_reviews: 0 }
  const task = taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters, proxies: [world.proxy.url] })
  const { end, places, visits } = await run(task)
  expect(visits).toEqual(end.website_visits)
  const own = places.filter(({ place_key }) => world.city.website(world.city.indexOf(place_key) ?? -1))
  return { visits: end.website_visits, own, places }
}

test('a cell counts as searched only after its places, with their contacts, are passed on', async () => {
  const world = await startOutsideWorld({ seed: 7, places: 240, robots: () => undefined })
  onTestFinished(() => world.close())
  const { collector } = collecting({
    mapsBaseUrl: world.site.url,
    rung: 'http',
    allowHosts: new Set([new URL(world.proxy.url).host]),
  })
  const parameters = { fast_mode: true, ...WITH_EMAILS }
  const task = taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters, proxies: [world.proxy.url] })
  const order: string[] = []
  const sink = {
    references: async () => undefined,
    place: async () => void order.push('place'),
    input: () => undefined,
    cells: (searched: { state: string }[]) => void order.push(...searched.map(({ state }) => state)),
  }
  await collector.collect(task, sink, new AbortController().signal)
  expect(order.filter((what) => what === 'place').length).toBeGreaterThan(5)
  expect(order.indexOf('searched')).toBe(order.length - 1)
})

const FORBIDDEN = () => 'User-agent: *\nDisallow: /'

test('websites with and without an address are counted separately', async () => {
  const { visits, own } = await visited(() => undefined)
  const named = own.filter(({ emails }) => emails)
  expect(named.length).toBeGreaterThan(0)
  expect(visits).toEqual({
    ok: named.length,
    none: own.length - named.length,
    blocked: 0,
    timeout: 0,
    robots: 0,
    unreachable: 0,
  })
})

test('a website that its robots.txt forbids is counted and not visited', async () => {
  const { visits, own } = await visited(FORBIDDEN)
  expect(visits).toMatchObject({ ok: 0, none: 0, robots: own.length })
  expect(own.filter(({ emails }) => emails)).toEqual([])
})

/** Starts a map site with one place, which has this website. */
async function siteOfOne(websiteFor: (mapsUrl: string) => string) {
  const asked: string[] = []
  const { url } = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site')
    asked.push(pathname)
    const place = payload({ 7: [websiteFor(url)] })
    response.end(pathname === '/maps/preview/place' ? `)]}'\n${JSON.stringify(place)}` : '<html><title>Maps</title>')
  })
  return { url, asked }
}

const ONE = { kind: 'collect', references: [{ place_key: KEY }] } as const
const WITH_EMAILS = { include_emails: true, max_reviews: 0 }

test.each([[''], ['127.0.0.1']])(
  'a website on the map site is never requested, with the exempt hosts %j',
  async (exempt) => {
    const { url, asked } = await siteOfOne((mapsUrl) => `${mapsUrl}/a-business`)
    const { run } = collecting({ mapsBaseUrl: url, rung: 'http', allowHosts: parseAllowHosts(exempt) })
    const { places, end } = await run(taskOf(ONE, { parameters: WITH_EMAILS }))
    expect(places).toMatchObject([{ website: `${url}/a-business` }])
    expect(end.website_visits).toEqual(noWebsiteVisits())
    expect(asked.filter((path) => !path.startsWith('/maps'))).toEqual([])
  },
)

test.each(['/', '/robots.txt'])('a website whose %s leads to the map site is not followed there', async (moved) => {
  const shop = await serve((request, response) => {
    if (request.url === moved) response.writeHead(302, { location: `${maps.url}/a-business` }).end()
    else response.writeHead(404).end()
  })
  const maps = await siteOfOne(() => shop.url)
  const { run } = collecting({ mapsBaseUrl: maps.url, rung: 'http', allowHosts: parseAllowHosts('127.0.0.1') })
  const { end } = await run(taskOf(ONE, { parameters: WITH_EMAILS }))
  expect(end.website_visits).toEqual({ ...noWebsiteVisits(), unreachable: 1 })
  expect(maps.asked.filter((path) => !path.startsWith('/maps'))).toEqual([])
})

test('what a user’s own proxy says for a website reaches nobody else', async () => {
  const page =
    (email: string): RequestListener =>
    (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<a href="mailto:${email}">x</a>`)
    }
  const [shop, liar] = [await serve(page('info@shop.example')), await serve(page('pwned@shop.example'))]
  const proxy = await startForwardProxy({ resolve: () => ({ host: '127.0.0.1', port: liar.port }) })
  onTestFinished(() => proxy.close())
  const { url } = await siteOfOne(() => `http://shop.example:${shop.port}/`)
  const { run } = collecting({
    mapsBaseUrl: url,
    rung: 'http',
    allowHosts: parseAllowHosts('127.0.0.1,shop.example'),
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const emailsOf = async (proxies: string[]) =>
    (await run(taskOf(ONE, { parameters: WITH_EMAILS, proxies }))).places[0]?.emails
  expect(await emailsOf([proxy.url])).toEqual(['pwned@shop.example'])
  expect(await emailsOf([])).toEqual(['info@shop.example'])
  expect(await emailsOf([proxy.url])).toEqual(['pwned@shop.example'])
})

test('an operator may have robots.txt ignored', async () => {
  const { visits, own } = await visited(FORBIDDEN, { websiteRobots: 'ignore' })
  expect(visits.robots).toBe(0)
  expect(visits.ok + visits.none).toBe(own.length)
})

/** Starts a map site with any number of places, which have this website. `asked`: the places that were requested. */
async function siteOfMany(website: string) {
  const asked: string[] = []
  const { url } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
    if (pathname !== '/maps/preview/place') return void response.writeHead(404).end()
    const key = `0x1:0x${/0x1:0x([0-9a-f]+)/.exec(searchParams.get('pb') ?? '')?.[1] ?? '0'}`
    asked.push(key)
    response.end(`)]}'\n${JSON.stringify(payload({ 7: [`${website}/${key}`], 10: key }))}`)
  })
  return { url, asked }
}

test('websites that do not answer stop no request to the map site', async () => {
  const references = Array.from({ length: 20 }, (_, nth) => ({ place_key: `0x1:0x${(nth + 1).toString(16)}` }))
  const allAsked = Promise.withResolvers<void>()
  const shop = await serve(async (_request, response) => {
    await allAsked.promise
    response.setHeader('content-type', 'text/html')
    response.end('info@shop.de')
  })
  const { url, asked } = await siteOfMany(shop.url)
  const { run } = collecting({ mapsBaseUrl: url, rung: 'http', allowHosts: parseAllowHosts('127.0.0.1') })
  const running = run(taskOf({ kind: 'collect', references }, { parameters: WITH_EMAILS }))
  await until('the map site is asked for every place', () => new Set(asked).size === references.length)
  allAsked.resolve()
  const { places, end } = await running
  expect(places.map(({ place_key, emails }) => [place_key, emails])).toEqual(
    expect.arrayContaining(references.map(({ place_key }) => [place_key, ['info@shop.de']])),
  )
  expect(end.website_visits.ok).toBe(references.length)
})

test('a task that is stopped while websites do not answer ends at once', async () => {
  const shop = await serve(() => undefined)
  const { url, asked } = await siteOfMany(shop.url)
  const { run } = collecting({ mapsBaseUrl: url, rung: 'http', allowHosts: parseAllowHosts('127.0.0.1') })
  const stop = new AbortController()
  const references = [{ place_key: '0x1:0x1' }]
  const running = run(taskOf({ kind: 'collect', references }, { parameters: WITH_EMAILS }), stop.signal)
  await until('the map site is asked', () => asked.length > 0)
  stop.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
})

test('the domain of an address is looked up once, whether it receives mail', async () => {
  const names = await startNameServer({ 'shop.de': 'mx.shop.de' })
  const site = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
    if (pathname !== '/maps/preview/place') return void response.writeHead(404).end()
    const low = /0x1:0x([0-9a-f]+)/.exec(searchParams.get('pb') ?? '')?.[1] ?? '0'
    response.end(`)]}'\n${JSON.stringify(payload({ 7: [shop.url], 10: `0x1:0x${low}` }))}`)
  })
  const shop = await serve((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      '<a href="mailto:info@shop.de">x</a> <a href="mailto:ada@shop.de">y</a> <a href="mailto:bob@gone.de">z</a>',
    )
  })
  const allowHosts = new Set([new URL(shop.url).host])
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts, nameServers: [names.address] })
  const references = [{ place_key: '0x1:0x2' }, { place_key: '0x1:0x3' }]
  const parameters = { include_emails: true, max_reviews: 0 }
  const { places } = await run(taskOf({ kind: 'collect', references }, { parameters }))
  const email_details = [
    { email: 'info@shop.de', mx: true, generic: true },
    { email: 'ada@shop.de', mx: true, generic: false },
    { email: 'bob@gone.de', mx: false, generic: false },
  ]
  expect(places).toMatchObject([{ email_details }, { email_details }])
  expect([...names.asked].sort()).toEqual(['gone.de', 'shop.de'])
})

test('with proxies no name server learns which addresses were found', async () => {
  const names = await startNameServer({})
  const { own } = await visited(() => undefined, { nameServers: [names.address] })
  const details = own.flatMap(({ email_details }) => email_details ?? [])
  expect(details.map(({ email }) => email)).toEqual(own.flatMap(({ emails }) => emails ?? []))
  expect(details.length).toBeGreaterThan(0)
  expect(details.filter(({ mx }) => mx !== undefined)).toEqual([])
  expect(names.asked).toEqual([])
})
