import { afterAll, describe, expect, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { sendRaw } from '../../harness/network/raw-http.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const { url } = await addCoordinator(await startWorld(afterAll))

const get = (path: string, headers: Record<string, string> = HTML) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })

test.each(['/', '/console'])('%s leads a browser and curl to the console, and a program nowhere', async (path) => {
  const forBrowser = await get(path)
  const forCurl = await get(path, { accept: '*/*' })
  const forProgram = await get(path, { accept: 'application/json' })

  expect([forBrowser.status, forBrowser.headers.get('location')]).toEqual([302, '/console/'])
  expect([forCurl.status, forCurl.headers.get('location')]).toEqual([302, '/console/'])
  expect(forProgram.status).toBe(404)
})

test.each(['/console/', '/console/jobs', '/console/jobs/4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10?tiers=none'])(
  '%s is the console, never cached, under a strict policy with a new nonce',
  async (path) => {
    const [one, other] = await Promise.all([get(path), get(path)])

    expect(one.status).toBe(200)
    expect(one.headers.get('cache-control')).toBe('no-store')
    const policy = one.headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/unsafe|blob:|\*|https?:/)
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
    expect(await one.text()).toContain(nonce)
    expect(await other.text()).not.toContain(nonce)
  },
)

test('the console answers curl too, so that its user can try the proxy in front of it', async () => {
  expect((await get('/console/', { accept: '*/*' })).status).toBe(200)
})

test('assets are cached without a limit, and compressed for clients that accept it', async () => {
  const page = await (await get('/console/')).text()
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''

  const asset = await get(script, { 'accept-encoding': 'gzip' })

  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-encoding')).toBe('gzip')
})

test('browsers get the icon of the guides and of the API reference, whose policies allow it', async () => {
  const icon = await get('/favicon.ico', { accept: 'image/svg+xml,image/*,*/*;q=0.8' })
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await icon.text()).toContain('<title>Placefleet</title>')
  for (const path of ['/guides', '/docs/'])
    expect((await get(path)).headers.get('content-security-policy')).toContain("img-src 'self'")
})

test('the API reference loads and runs only its own files, compressed', async () => {
  const bare = await get('/docs')
  expect([bare.status, bare.headers.get('location')]).toEqual([301, '/docs/'])
  const page = await get('/docs/')
  expect(page.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*script-src 'self';.*connect-src 'self'/,
  )
  const loaded = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, address]) => address ?? [])
  expect(loaded).toEqual(['/docs/js/scalar.js'])
  const script = await get('/docs/js/scalar.js', { 'accept-encoding': 'gzip' })
  expect([script.status, script.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  const text = await script.text()
  expect(text).toContain('createApiReference')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const plain = await get('/docs/js/scalar.js', { 'accept-encoding': 'identity' })
  expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
  expect(await plain.text()).toBe(text)
})

test.each([
  ['a missing asset', '/console/assets/index-gone.js', HTML],
  ['a missing tile', '/console/base-map/gone/0/0/0.pbf', HTML],
  ['a page asked for by a program', '/console/jobs', { accept: 'application/json' }],
  ['a file outside the console', '/console/assets/..%2f..%2findex.html', HTML],
])('%s is 404 as for any other path', async (_, path, headers) => {
  const answer = await get(path, headers)

  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toContain('application/json')
})

describe('odd paths', () => {
  const TAILS = [
    ...'%00 a%00b %2e%2e/%2e%2e/x ..%2f..%2fx ..%5c..%5cx %5c .%2e/x %2e/x ./x ../x /x %2fx'.split(' '),
    ...'% %2 %zz %ff %c0%ae%c0%ae/x %252e%252e/x x;y x?..%2f ~ .git/config %0d%0aX:1 C:%5cx'.split(' '),
    ...'* [ | %20 %09 . .. index.html%00.js'.split(' '),
    '',
    'a'.repeat(5_000),
    'a/'.repeat(500),
  ]
  const FOLDERS = ['/console/assets/', '/console/base-map/', '/console/', '/docs/', '/docs/js/', '/', '/auth/']

  test('are 404 or 400, count for the limit of the address, and log no error', async () => {
    const { log, lines } = capturedLog()
    const api = await addCoordinator({ ...(await startWorld()), log }, { RATE_ADDRESS: '100000:100000' })
    for (const folder of FOLDERS) {
      const asked = TAILS.filter((tail) => tail !== '' || folder !== '/docs/').map((tail) => `${folder}${tail}`)
      const head = ' HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
      const answers = await Promise.all(asked.map((path) => sendRaw(api.url, `GET ${path}${head}`)))

      const wrong = asked.filter((_, nth) => !/^HTTP\/1.1 40[04] .*\r\nratelimit-policy:/s.test(answers[nth] ?? ''))
      expect(wrong).toEqual([])
    }
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
  })

  test('a path that does not decode is refused once the limit of its address is reached', async () => {
    const api = await addCoordinator(await startWorld(), { RATE_ADDRESS: '0.001:2' })
    const statuses = [1, 2, 3].map(async () => (await fetch(`${api.url}/console/%zz`)).status)
    expect((await Promise.all(statuses)).sort()).toEqual([400, 400, 429])
  })
})

test('the policy allows exactly the host of a configured map style', async () => {
  const own = await addCoordinator(await startWorld(), {
    MAP_STYLE_URL: 'https://tiles.example.com/style.json?key="<>',
  })

  const answer = await fetch(`${own.url}/console/`, { headers: HTML })

  expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self' https://tiles.example.com;")
  expect(await answer.text()).toContain('style.json?key=&#34;&#60;&#62;')
})
