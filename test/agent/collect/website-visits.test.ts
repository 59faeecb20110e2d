import type { RequestListener } from 'node:http'
import type { CollectorSettings } from '@placefleet/agent/collect/collector'
import type { Sink } from '@placefleet/agent/collect/task'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import type { Robots } from '@placefleet/deploy/simulation/websites/server'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { expect, onTestFinished, test } from 'vitest'
import { startNameServer } from '../../harness/network/name-server.ts'
import { forwardProxy } from '../../harness/network/proxies.ts'
import { serve } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'
import { KEY, payload } from '../maps/sample.ts'
import { collecting, collectorOf, taskOf } from './collecting.ts'

const WITH_EMAILS = { include_emails: true, max_reviews: 0 }

/** Starts a city with websites, and a collector that visits them through a proxy. */
async function cityWith(robots: Robots, settings: Partial<CollectorSettings> = {}) {
  const world = await startOutsideWorld({ seed: 7, places: 240, robots, options: { gzip: false } })
  onTestFinished(() => world.close())
  const agent = collectorOf(world.site, { allowHosts: new Set([new URL(world.proxy.url).host]), ...settings })
  return { city: world.city, proxies: [world.proxy.url], ...agent }
}

/** Searches a city in fast mode and visits the websites of the found places. */
async function visited(robots: Robots, settings: Partial<CollectorSettings> = {}) {
  const { city, proxies, search } = await cityWith(robots, settings)
  const { end, places, visits } = await search({ fast_mode: true, ...WITH_EMAILS }, { proxies })
  expect(visits).toEqual(end.website_visits)
  const own = places.filter(({ place_key }) => city.website(city.indexOf(place_key) ?? -1))
  return { visits: end.website_visits, own }
}

const ALL_ALLOWED = () => undefined
const ALL_FORBIDDEN = () => 'User-agent: *\nDisallow: /'

test('a cell counts as searched only after its places, with their contacts, are passed on', async () => {
  const { proxies, collector } = await cityWith(ALL_ALLOWED)
  const order: string[] = []
  const sink = {
    references: async () => undefined,
    place: async () => void order.push('place'),
    input: () => undefined,
    cells: (searched: { state: string }[]) => void order.push(...searched.map(({ state }) => state)),
  }
  const parameters = { fast_mode: true, ...WITH_EMAILS }
  const task = taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters, proxies })
  await collector.collect(task, sink, new AbortController().signal)
  expect(order.filter((what) => what === 'place').length).toBeGreaterThan(5)
  expect(order.indexOf('searched')).toBe(order.length - 1)
})

test('websites with and without an address are counted separately', async () => {
  const { visits, own } = await visited(ALL_ALLOWED)
  const named = own.filter(({ emails }) => emails)
  expect(named.length).toBeGreaterThan(0)
  expect(visits).toEqual({ ...noWebsiteVisits(), ok: named.length, none: own.length - named.length })
})

test('a website that its robots.txt forbids is counted and not visited', async () => {
  const { visits, own } = await visited(ALL_FORBIDDEN)
  expect(visits).toMatchObject({ ok: 0, none: 0, robots: own.length })
  expect(own.filter(({ emails }) => emails)).toEqual([])
})

test('an operator may have robots.txt ignored', async () => {
  const { visits, own } = await visited(ALL_FORBIDDEN, { websiteRobots: 'ignore' })
  expect(visits.robots).toBe(0)
  expect(visits.ok + visits.none).toBe(own.length)
})

test('with proxies no name server learns which addresses were found', async () => {
  const names = await startNameServer({})
  const { own } = await visited(ALL_ALLOWED, { nameServers: [names.address] })
  const details = own.flatMap(({ email_details }) => email_details ?? [])
  expect(details.map(({ email }) => email)).toEqual(own.flatMap(({ emails }) => emails ?? []))
  expect(details.length).toBeGreaterThan(0)
  expect(details.filter(({ mx }) => mx !== undefined)).toEqual([])
  expect(names.asked).toEqual([])
})

/**
 * Starts a map site whose every place has a website, and a collector of it that may reach this machine. `asked`: other
 * paths than those of the map site, and the keys of the places that were requested.
 */
async function siteOf(websiteFor: (mapsUrl: string, key: string) => string, settings: Partial<CollectorSettings> = {}) {
  const asked = { paths: [] as string[], places: new Set<string>() }
  const { url } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
    if (!pathname.startsWith('/maps')) asked.paths.push(pathname)
    if (pathname !== '/maps/preview/place') return void response.end('<html><title>Maps</title>')
    const key = /0x[0-9a-f]+:0x[0-9a-f]+/.exec(searchParams.get('pb') ?? '')?.[0] ?? ''
    asked.places.add(key)
    response.end(`)]}'\n${JSON.stringify(payload({ 7: [websiteFor(url, key)], 10: key }))}`)
  })
  const { run } = collecting({ mapsBaseUrl: url, rung: 'http', allowHosts: parseAllowHosts('127.0.0.1'), ...settings })
  const collect = (keys: readonly string[] = [KEY], proxies: string[] = [], signal?: AbortSignal) => {
    const references = keys.map((place_key) => ({ place_key }))
    return run(taskOf({ kind: 'collect', references }, { parameters: WITH_EMAILS, proxies }), signal)
  }
  return { url, asked, collect }
}

const shows =
  (...emails: string[]): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(emails.map((email) => `<a href="mailto:${email}">x</a>`).join(' '))
  }

test.each(['', '127.0.0.1'])(
  'a website on the map site is never requested, with the exempt hosts %j',
  async (exempt) => {
    const { url, asked, collect } = await siteOf((maps) => `${maps}/a-business`, {
      allowHosts: parseAllowHosts(exempt),
    })
    const { places, end } = await collect()
    expect(places).toMatchObject([{ website: `${url}/a-business` }])
    expect(end.website_visits).toEqual(noWebsiteVisits())
    expect(asked.paths).toEqual([])
  },
)

test.each(['/', '/robots.txt'])('a website whose %s leads to the map site is not followed there', async (moved) => {
  const shop = await serve((request, response) => {
    if (request.url === moved) response.writeHead(302, { location: `${maps.url}/a-business` }).end()
    else response.writeHead(404).end()
  })
  const maps = await siteOf(() => shop.url)
  expect((await maps.collect()).end.website_visits).toEqual({ ...noWebsiteVisits(), unreachable: 1 })
  expect(maps.asked.paths).toEqual([])
})

test('what a user’s own proxy says for a website reaches nobody else', async () => {
  const [shop, liar] = [await serve(shows('info@shop.example')), await serve(shows('pwned@shop.example'))]
  const proxy = await forwardProxy({ resolve: () => ({ host: '127.0.0.1', port: liar.port }) })
  const { collect } = await siteOf(() => `http://shop.example:${shop.port}/`, {
    allowHosts: parseAllowHosts('127.0.0.1,shop.example'),
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const emailsOver = async (proxies: string[]) => (await collect([KEY], proxies)).places[0]?.emails
  expect(await emailsOver([proxy.url])).toEqual(['pwned@shop.example'])
  expect(await emailsOver([])).toEqual(['info@shop.example'])
  expect(await emailsOver([proxy.url])).toEqual(['pwned@shop.example'])
})

test('websites that do not answer stop no request to the map site', async () => {
  const keys = Array.from({ length: 20 }, (_, nth) => `0x1:0x${(nth + 1).toString(16)}`)
  const allAsked = Promise.withResolvers<void>()
  const shop = await serve(async (request, response) => {
    await allAsked.promise
    shows('info@shop.de')(request, response)
  })
  const { asked, collect } = await siteOf((_maps, key) => `${shop.url}/${key}`)
  const running = collect(keys)
  await until('the map site is asked for every place', () => asked.places.size === keys.length)
  allAsked.resolve()
  const { places, end } = await running
  expect(places.map(({ place_key, emails }) => [place_key, emails])).toEqual(
    expect.arrayContaining(keys.map((key) => [key, ['info@shop.de']])),
  )
  expect(end.website_visits.ok).toBe(keys.length)
})

test('a task that is stopped while websites do not answer ends at once', async () => {
  const shop = await serve(() => undefined)
  const { asked, collect } = await siteOf(() => shop.url)
  const stop = new AbortController()
  const running = collect([KEY], [], stop.signal)
  await until('the map site is asked', () => asked.places.size > 0)
  stop.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
})

test('the domain of an address is looked up once, whether it receives mail', async () => {
  const names = await startNameServer({ 'shop.de': 'mx.shop.de' })
  const shop = await serve(shows('info@shop.de', 'ada@shop.de', 'bob@gone.de'))
  const { collect } = await siteOf(() => shop.url, { nameServers: [names.address] })
  const { places } = await collect(['0x1:0x2', '0x1:0x3'])
  const email_details = [
    { email: 'info@shop.de', mx: true, generic: true },
    { email: 'ada@shop.de', mx: true, generic: false },
    { email: 'bob@gone.de', mx: false, generic: false },
  ]
  expect(places).toMatchObject([{ email_details }, { email_details }])
  expect([...names.asked].sort()).toEqual(['gone.de', 'shop.de'])
})

// An unhandled rejection would end an agent's process. Here it fails the run of the tests.
test('a task that is aborted at any moment of its website visits leaves no failing work behind', async () => {
  const { collector, search, proxies } = await cityWith(ALL_ALLOWED)
  const { references } = await search()
  const task = taskOf({ kind: 'collect', references }, { proxies, parameters: { include_emails: true } })
  const over = new Error('the task has ended')
  for (let wanted = 1; wanted <= 20; wanted += volume(7, 1)) {
    const stopping = new AbortController()
    let stored = 0
    const sink: Sink = {
      references: async () => undefined,
      cells: () => undefined,
      input: () => undefined,
      place: async () => {
        stored += 1
        if (stored >= wanted) stopping.abort(over)
      },
    }
    await expect(collector.collect(task, sink, stopping.signal)).rejects.toBe(over)
  }
})
