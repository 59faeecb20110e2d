import { createExits, orderFor } from '@placefleet/agent/maps/requests/exit'
import { type ForwardProxyStart, startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { startWebsites } from '@placefleet/deploy/simulation/websites/server'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { startSocks5Server } from '../../harness/network/socks5-server.ts'
import { BRIEF_RESTS, collecting, keysOf, mapSite, taskOf } from './collecting.ts'

const open = sharedBrowser()

async function forwardProxy(start: Partial<ForwardProxyStart> = {}) {
  const proxy = await startForwardProxy({ resolve: () => undefined, ...start })
  onTestFinished(() => proxy.close())
  return { ...proxy, address: new URL(proxy.url).host }
}

const allowing = (...proxies: { address: string }[]) => new Set(proxies.map(({ address }) => address))

test('a task with a rate-limited address continues over its next proxy', async () => {
  const site = await mapSite({ rateLimit: { requests: 12, windowMs: 600_000, blockMs: 600_000 } })
  const [one, two] = [
    await forwardProxy({ localAddress: '127.0.0.5' }),
    await forwardProxy({ localAddress: '127.0.0.6' }),
  ]
  const { run } = collecting({ mapsBaseUrl: site.url, open, allowHosts: allowing(one, two) })
  const references = site.city
    .search('bakery')
    .slice(0, 14)
    .map((index) => ({ place_key: site.city.place(index).place_key }))
  const { places, end } = await run(taskOf({ kind: 'collect', references }, { proxies: [one.url, two.url] }))
  expect(end).toMatchObject({ kind: 'finished' })
  expect(keysOf(places)).toEqual(keysOf(references))
  expect(Object.keys(site.requests().addresses).sort()).toEqual(['127.0.0.5', '127.0.0.6'])
})

test.each(['http', 'browser'] as const)(
  'a task fails if all proxies refuse their password, and sends nothing without a proxy (%s)',
  async (rung) => {
    const site = await mapSite()
    const proxy = await forwardProxy({ username: 'user', password: 'right' })
    const { run } = collecting({ mapsBaseUrl: site.url, rung, open, allowHosts: allowing(proxy) })
    const proxies = ['http://user:wrong@', 'http://nobody:s3cret@'].map((start) => start + proxy.address)
    const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies }))
    expect(end).toMatchObject({ kind: 'failed', code: 'proxies_failed' })
    expect(site.requests().total).toBe(0)
  },
)

test.each(['http', 'browser'] as const)(
  'a task whose proxies all fail says why each of them failed, in its end and in the log (%s)',
  async (rung) => {
    const site = await mapSite()
    const [strict, dead] = [
      await forwardProxy({ username: 'user', password: 'right' }),
      await forwardProxy({ failure: 'dead' }),
    ]
    const gone = await freePort()
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const allowHosts = allowing(strict, dead, { address: `127.0.0.1:${gone}` })
    const { run } = collecting({ mapsBaseUrl: site.url, rung, open, allowHosts, log })
    const proxies = [`http://user:s3cret@${strict.address}`, dead.url, `http://127.0.0.1:${gone}`]
    const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies }))
    const message =
      'none of the 3 proxies works: proxy 1: refused the user and password (407); proxy 2: closed the connection; proxy 3: connection refused'
    expect(end).toMatchObject({ kind: 'failed', code: 'proxies_failed', message })
    expect(lines.map((line) => JSON.parse(line).msg)).toContain(`a task failed: ${message}`)
    expect(lines.join()).not.toContain('gave no usable answer')
  },
)

test.each(['http', 'browser'] as const)('everything leaves over the proxy (%s)', async (rung) => {
  const site = await mapSite({}, 120)
  const proxy = await forwardProxy({ localAddress: '127.0.0.7', username: 'user', password: 'p:@/?#%41' })
  const { run } = collecting({ mapsBaseUrl: site.url, rung, open, allowHosts: allowing(proxy) })
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies: [proxy.url] }))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.7'])
})

test('everything of Chromium leaves over a SOCKS5 proxy with a password', async () => {
  const site = await mapSite({}, 120)
  const proxy = await startSocks5Server({ localAddress: '127.0.0.8', username: 'us er', password: 'p:@/?#%41' })
  onTestFinished(() => proxy.close())
  const address = `${proxy.host}:${proxy.port}`
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open, allowHosts: new Set([address]) })
  const login = `${encodeURIComponent('us er')}:${encodeURIComponent('p:@/?#%41')}`
  const { references } = await run(
    taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies: [`socks5://${login}@${address}`] }),
  )
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.8'])
})

test('a dead proxy is passed over for one that works, its odd password included', async () => {
  const site = await mapSite()
  const dead = await forwardProxy({ failure: 'dead' })
  const good = await forwardProxy({ username: 'us er', password: 'p:@/?#%41' })
  const { run } = collecting({ mapsBaseUrl: site.url, open, allowHosts: allowing(dead, good) })
  for (const task_id of ['one', 'two', 'three']) {
    const task = taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies: [dead.url, good.url], task_id })
    expect(keysOf((await run(task)).references)).toEqual(site.city.keysOf('bakery'))
  }
})

test('dead proxies do not count as exits that were tried, where Chromium alone may ask', async () => {
  const site = await mapSite({}, 120)
  const dead = await Promise.all(Array.from({ length: 4 }, () => forwardProxy({ failure: 'dead' })))
  const good = await forwardProxy()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open, allowHosts: allowing(...dead, good) })
  const proxies = [...dead, good].map(({ url }) => url)
  const exits = createExits({ limits: BRIEF_RESTS })
  const isTriedLast = (task_id: string) => orderFor(task_id, proxies.map(exits.of)).at(-1)?.proxy === good.url
  const task_id = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].find(isTriedLast) ?? expect.fail('every task tries it earlier')
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { task_id, proxies }))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
})

test('of many silent proxies the one that works is found, for they are asked side by side', async () => {
  const site = await mapSite()
  const silent = await Promise.all(Array.from({ length: 12 }, () => forwardProxy({ failure: 'silent' })))
  const proxies = [...silent, await forwardProxy({ localAddress: '127.0.0.60' })]
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts: allowing(...proxies) })
  const discover = taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies: proxies.map(({ url }) => url) })
  const { references } = await run(discover)
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
}, 120_000)

test.each(['http', 'browser'] as const)('the password of a proxy is never logged or reported (%s)', async (rung) => {
  const site = await mapSite()
  const proxy = await forwardProxy({ failure: 407 })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { run } = collecting({ mapsBaseUrl: site.url, rung, allowHosts: allowing(proxy), log })
  const proxies = ['http://', 'https://', 'socks5://', 'socks5h://'].map(
    (scheme) => `${scheme}user:canary-s3cret@${proxy.address}`,
  )
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies }))
  expect(end).toMatchObject({ kind: 'failed', code: 'proxies_failed' })
  expect(lines.length).toBeGreaterThan(0)
  expect(JSON.stringify([end, lines])).not.toContain('canary')
})

test('websites are visited through the proxy, and tell the addresses they hide', async () => {
  const site = await mapSite()
  const websites = await startWebsites({ city: site.city })
  onTestFinished(() => websites.close())
  const resolve = (host: string) =>
    site.city.indexOfHost(host) === undefined ? undefined : { host: websites.host, port: websites.port }
  const proxy = await forwardProxy({ resolve })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts: allowing(proxy) })
  const indexes = [...Array(300).keys()].filter((index) => site.city.website(index)?.emails.length).slice(0, 12)
  const references = indexes.map((index) => ({ place_key: site.city.place(index).place_key }))
  const { places } = await run(
    taskOf({ kind: 'collect', references }, { proxies: [proxy.url], parameters: { include_emails: true } }),
  )
  expect(places.length).toBe(references.length)
  for (const place of places) {
    const index = site.city.indexOf(place.place_key) ?? -1
    expect(place.emails).toEqual(site.city.place(index, { emails: true }).emails)
    expect(place.social_links ?? {}).toEqual(site.city.website(index)?.socialLinks ?? {})
  }
})
