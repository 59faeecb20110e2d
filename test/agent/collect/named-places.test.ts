import { createServer } from 'node:https'
import { afterAll, expect, test } from 'vitest'
import { allowing, forwardProxy } from '../../harness/network/proxies.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { trustedAuthority } from '../../harness/network/trusted-authority.ts'
import { onSite } from './collecting.ts'

const SHORT_HOST = 'maps.app.goo.gl'
const SHORT_LINK = `https://${SHORT_HOST}/AbC-1`
const UNKNOWN = [{ reference_key: SHORT_LINK, status: 'not_found' }]

const authority = await trustedAuthority(afterAll)
const identity = await authority.issue([SHORT_HOST, 'evil.example'])

/** Starts the site of short links, a map site, and the proxy of a job that reaches both. */
async function world({ to }: { to(link: { path: string; url: string; key: string; cid: string }): string }) {
  const asked: string[] = []
  const shortSite = createServer(identity, ({ url: path = '', headers }, response) => {
    asked.push(`https://${headers.host}${path}`)
    response.writeHead(302, { location: to({ path, url: site.url, key, cid: String(cid) }) }).end()
  })
  const { port } = await listenOnFreePort(shortSite)
  const proxy = await forwardProxy({ resolve: () => ({ host: '127.0.0.1', port }), localAddress: '127.0.0.7' })
  const { site, city, ...agent } = await onSite({}, { allowHosts: allowing(proxy) })
  const { dataId: key, cid } = city.details(5).ids
  const collect = async (place_key: string) => {
    site.resetRequests()
    const { places, inputs, end } = await agent.collect([{ place_key, input: true }], {}, { proxies: [proxy.url] })
    return { keys: places.map((place) => place.place_key), inputs, end, kinds: site.requests().kinds }
  }
  return { site, key, cid: String(cid), asked, proxy, collect }
}

test('a short link is opened over the exit of the job, and the place that it leads to is collected', async () => {
  const { key, asked, proxy, collect, site } = await world({
    to: (link) => `https://www.google.com/maps/place/A/data=!4m2!3m1!1s${link.key}?g_st=ic`,
  })
  const { keys, inputs, kinds } = await collect(SHORT_LINK)
  expect(keys).toEqual([key])
  expect(inputs).toEqual([{ reference_key: SHORT_LINK, place_key: key }])
  expect(asked).toEqual([SHORT_LINK])
  expect(proxy.requests().hosts).toMatchObject({ [SHORT_HOST]: 1 })
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.7'])
  expect(kinds['place-page'] ?? 0).toBe(0) // the address of the redirect tells the id
  expect(kinds['place-payload']).toBe(1)
})

test('a redirect of a short link within the site is followed until a page tells the place', async () => {
  const { key, collect } = await world({ to: ({ url, cid }) => `${url}/maps?cid=${cid}` })
  const { keys, kinds } = await collect(SHORT_LINK)
  expect(keys).toEqual([key])
  expect(kinds).toMatchObject({ 'place-page': 1, 'place-payload': 1 })
})

test.each([
  'https://evil.example/',
  'https://google.com.evil.example/maps/x',
  'http://www.google.com/maps/x',
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:9/',
])('a short link that leads to %s is followed no further', async (target) => {
  const { asked, collect, proxy } = await world({ to: () => target })
  expect(await collect(SHORT_LINK)).toMatchObject({ keys: [], inputs: UNKNOWN })
  expect(new Set(asked)).toEqual(new Set([SHORT_LINK]))
  const hosts = Object.keys(proxy.requests().hosts)
  expect(hosts.filter((host) => host !== SHORT_HOST && host !== '127.0.0.1')).toEqual([])
})

test.each([
  ['to itself', () => SHORT_LINK, 1],
  ['to another one that leads back', (url: string) => (url === '/AbC-1' ? `https://${SHORT_HOST}/b` : SHORT_LINK), 2],
])('a short link that leads %s names no place, and the exit does not rest for it', async (_, to, requests) => {
  const { asked, collect } = await world({ to: ({ path }) => to(path) })
  expect(await collect(SHORT_LINK)).toMatchObject({ keys: [], inputs: UNKNOWN, end: { kind: 'finished' } })
  expect(asked).toHaveLength(requests)
})

test('a data id costs no request for the id, and a CID costs one', async () => {
  const { site, key, cid, collect } = await world({ to: () => '/' })
  await collect(site.city.details(6).ids.dataId) // opens the front page
  expect((await collect(key)).kinds).toEqual({ 'place-payload': 1 })
  expect((await collect(cid)).kinds).toEqual({ 'place-page': 1, 'place-payload': 1 })
})
