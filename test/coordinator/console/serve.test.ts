import { afterAll, expect, test } from 'vitest'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const { url } = await addCoordinator(await startWorld(afterAll))

const get = (path: string, headers: Record<string, string> = HTML) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })

test.each(['/', '/console'])('%s leads a browser to the console, and a program nowhere', async (path) => {
  const forBrowser = await get(path)
  const forProgram = await get(path, { accept: 'application/json' })

  expect([forBrowser.status, forBrowser.headers.get('location')]).toEqual([302, '/console/'])
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

test('assets are cached without a limit, and compressed for clients that accept it', async () => {
  const page = await (await get('/console/')).text()
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''

  const asset = await get(script, { 'accept-encoding': 'gzip' })

  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-encoding')).toBe('gzip')
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

test('the policy allows exactly the host of a configured map style', async () => {
  const own = await addCoordinator(await startWorld(), {
    MAP_STYLE_URL: 'https://tiles.example.com/style.json?key="<>',
  })

  const answer = await fetch(`${own.url}/console/`, { headers: HTML })

  expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self' https://tiles.example.com;")
  expect(await answer.text()).toContain('style.json?key=&#34;&#60;&#62;')
})
