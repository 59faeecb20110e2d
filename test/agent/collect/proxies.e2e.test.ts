import { createExits, orderFor } from '@placefleet/agent/maps/requests/exit'
import { startWebsites } from '@placefleet/deploy/simulation/websites/server'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { allowing, forwardProxy, socksProxy } from '../../harness/network/proxies.ts'
import { BRIEF_RESTS, collectorOf, keysOf, mapSite, onSite } from './collecting.ts'

const open = sharedBrowser()
const LOGIN = { username: 'us er', password: 'p:@/?#%41' }
const urlsOf = (proxies: readonly { url: string }[]) => proxies.map(({ url }) => url)

test('a task with a rate-limited address continues over its next proxy', async () => {
  const two = [await forwardProxy({ localAddress: '127.0.0.5' }), await forwardProxy({ localAddress: '127.0.0.6' })]
  const rateLimit = { requests: 12, windowMs: 600_000, blockMs: 600_000 }
  const { site, city, collect } = await onSite({ rateLimit }, { rung: 'auto', open, allowHosts: allowing(...two) })
  const wanted = city.search('bakery').slice(0, 14)
  const { places, end } = await collect(wanted, {}, { proxies: urlsOf(two) })
  expect(end).toMatchObject({ kind: 'finished' })
  expect(keysOf(places)).toEqual(keysOf(wanted.map((index) => city.place(index))))
  expect(Object.keys(site.requests().addresses).sort()).toEqual(['127.0.0.5', '127.0.0.6'])
})

test.each(['http', 'browser'] as const)(
  'a task whose proxies all fail says why each of them failed, and sends nothing without a proxy (%s)',
  async (rung) => {
    const strict = await forwardProxy({ username: 'user', password: 'right' })
    const dead = await forwardProxy({ failure: 'dead' })
    const gone = { address: `127.0.0.1:${await freePort()}` }
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const { site, search } = await onSite({}, { rung, open, log, allowHosts: allowing(strict, dead, gone) })
    const proxies = [`http://user:s3cret@${strict.address}`, dead.url, `http://${gone.address}`]
    const { end } = await search({}, { proxies })
    const message =
      'none of the 3 proxies works: proxy 1: refused the user and password (407); proxy 2: closed the connection; proxy 3: connection refused'
    expect(end).toMatchObject({ kind: 'failed', code: 'proxies_failed', message })
    expect(lines.map((line) => JSON.parse(line).msg)).toContain(`a task failed: ${message}`)
    expect(lines.join()).not.toContain('gave no usable answer')
    expect(site.requests().total).toBe(0)
  },
)

test.each([
  ['http', () => forwardProxy({ ...LOGIN, localAddress: '127.0.0.7' })],
  ['socks5', () => socksProxy({ ...LOGIN, localAddress: '127.0.0.7' })],
] as const)('everything of Chromium leaves over a proxy with an odd password: %s', async (scheme, start) => {
  const proxy = await start()
  const { site, city, search } = await onSite({}, { places: 120, rung: 'browser', open, allowHosts: allowing(proxy) })
  const login = `${encodeURIComponent(LOGIN.username)}:${encodeURIComponent(LOGIN.password)}`
  const { references } = await search({}, { proxies: [`${scheme}://${login}@${proxy.address}`] })
  expect(keysOf(references)).toEqual(city.keysOf('bakery'))
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.7'])
})

test('a dead proxy is passed over for one that works', async () => {
  const [dead, good] = [await forwardProxy({ failure: 'dead' }), await forwardProxy(LOGIN)]
  const { city, search } = await onSite({}, { rung: 'auto', open, allowHosts: allowing(dead, good) })
  for (const task_id of ['one', 'two', 'three']) {
    const { references } = await search({}, { proxies: [dead.url, good.url], task_id })
    expect(keysOf(references)).toEqual(city.keysOf('bakery'))
  }
})

test('dead proxies do not count as exits that were tried, where Chromium alone may ask', async () => {
  const dead = await Promise.all(Array.from({ length: 4 }, () => forwardProxy({ failure: 'dead' })))
  const good = await forwardProxy()
  const allowHosts = allowing(...dead, good)
  const { city, search } = await onSite({}, { places: 120, rung: 'browser', open, allowHosts })
  const proxies = urlsOf([...dead, good])
  const exits = createExits({ limits: BRIEF_RESTS })
  const isTriedLast = (task_id: string) => orderFor(task_id, proxies.map(exits.of)).at(-1)?.proxy === good.url
  const task_id = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].find(isTriedLast) ?? expect.fail('every task tries it earlier')
  expect(keysOf((await search({}, { task_id, proxies })).references)).toEqual(city.keysOf('bakery'))
})

test('of many silent proxies the one that works is found, for they are asked side by side', async () => {
  const silent = await Promise.all(Array.from({ length: 12 }, () => forwardProxy({ failure: 'silent' })))
  const proxies = [...silent, await forwardProxy({ localAddress: '127.0.0.60' })]
  const { city, search } = await onSite({}, { allowHosts: allowing(...proxies) })
  expect(keysOf((await search({}, { proxies: urlsOf(proxies) })).references)).toEqual(city.keysOf('bakery'))
}, 120_000)

test.each(['http', 'browser'] as const)('the password of a proxy is never logged or reported (%s)', async (rung) => {
  const proxy = await forwardProxy({ failure: 407 })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { search } = await onSite({}, { rung, open, log, allowHosts: allowing(proxy) })
  const schemes = ['http', 'https', 'socks5', 'socks5h']
  const proxies = schemes.map((scheme) => `${scheme}://user:canary-s3cret@${proxy.address}`)
  const { end } = await search({}, { proxies })
  expect(end).toMatchObject({ kind: 'failed', code: 'proxies_failed' })
  expect(lines.length).toBeGreaterThan(0)
  expect(JSON.stringify([end, lines])).not.toContain('canary')
})

test('websites are visited through the proxy, and tell the addresses they hide', async () => {
  const site = await mapSite()
  const { city } = site
  const websites = await startWebsites({ city })
  onTestFinished(() => websites.close())
  const { host, port } = websites
  const proxy = await forwardProxy({
    resolve: (name) => (city.indexOfHost(name) === undefined ? undefined : { host, port }),
  })
  const { collect } = collectorOf(site, { allowHosts: allowing(proxy) })
  const indexes = [...Array(300).keys()].filter((index) => city.website(index)?.emails.length).slice(0, 12)
  const { places } = await collect(indexes, { include_emails: true }, { proxies: [proxy.url] })
  expect(places.length).toBe(indexes.length)
  for (const place of places) {
    const index = city.indexOf(place.place_key) ?? -1
    expect(place.emails).toEqual(city.place(index, { emails: true }).emails)
    expect(place.social_links ?? {}).toEqual(city.website(index)?.socialLinks ?? {})
  }
})
