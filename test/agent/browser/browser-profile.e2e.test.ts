import { writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { join } from 'node:path'
import {
  type BrowserProfile,
  documentHeaders,
  fetchHeaders,
  formHeaders,
  languagesOf,
  PRIORITY,
  profileOf,
} from '@placefleet/agent/browser/browser-profile'
import { catalogued, installedVersion } from '@placefleet/agent/browser/find-chromium'
import { packagedVersion } from '@placefleet/agent/browser/unpack-chromium'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { simulatedCertificate, trustSimulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { LANGUAGES } from '@placefleet/shared/language'
import { expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { describeEachChromium } from '../../harness/chromiums.ts'
import { listenOnFreePort, serve } from '../../harness/network/serve.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { volume } from '../../harness/volume.ts'

const { signal } = new AbortController()

trustSimulatedCertificate()

/** Starts a server that records the headers of each request, in their order, by path. With https it speaks HTTP/2. */
async function listener(protocol: 'http' | 'https' = 'http') {
  const headers = new Map<string, [string, string][]>()
  const record = ({ url = '', rawHeaders }: { url?: string | undefined; rawHeaders: string[] }) => {
    const pairs = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as [string, string]] : [],
    )
    headers.set(url, pairs)
    return '<form method="post" action="/form"><input type="hidden" name="a" value="1"></form>'
  }
  const html = { 'content-type': 'text/html' }
  if (protocol === 'http') {
    const { url: origin, host } = await serve((request, response) => response.writeHead(200, html).end(record(request)))
    return { host, origin, headers }
  }
  const server = createSecureServer(simulatedCertificate(), (request, response) => {
    response.writeHead(200, html)
    response.end(record(request))
  })
  const { port } = await listenOnFreePort(server)
  return { host: `127.0.0.1:${port}`, origin: `https://127.0.0.1:${port}`, headers }
}

// Headers of the connection, and the body's length, which HTTP clients send at different positions.
const OF_CONNECTION = new Set(['host', 'connection', 'proxy-connection', 'content-length'])
const asSent = (sent: [string, string][] | undefined) =>
  sent?.filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()) && !name.startsWith(':'))

/** Returns the headers that Chromium sends for a page, for data and for a form, and what its scripts see. */
async function inChromium(
  open: ReturnType<typeof sharedBrowser>,
  site: Awaited<ReturnType<typeof listener>>,
  language: string,
) {
  const guard = createGuard(parseAllowHosts(site.host), site.origin)
  const { egress, browsers } = await open(guard)
  const session = await browsers.open(egress.grant('direct'), language, signal)
  onTestFinished(() => session.close())
  const self = await session.withPage(
    async (page) => {
      await page.goto(`${site.origin}/document`)
      await page.evaluate(`fetch('/fetch').then((answer) => answer.text())`)
      const description = await page.evaluate(
        '({ agent: navigator.userAgent, languages: navigator.languages, brands: navigator.userAgentData.brands })',
      )
      await Promise.all([page.waitForEvent('framenavigated'), page.evaluate('document.forms[0].submit()')])
      return description
    },
    { timeoutMs: 20_000, signal },
  )
  return { self, profile: profileOf(browsers.version()), guard }
}

await describeEachChromium((env) => {
  const open = sharedBrowser({ env })

  const cases = [['de', 'http'] as const, ['en', 'https'] as const, ['pt', 'http'] as const]
  test.each(cases.slice(0, volume(2, 3)))(
    'plain requests in %s over %s have the headers of our own Chromium, in its order',
    async (language, protocol) => {
      const theirs = await listener(protocol)
      const { self, profile, guard } = await inChromium(open, theirs, language)
      const client = createHttpClient(guard)
      onTestFinished(() => client.close())
      const page = new URL(`${theirs.origin}/document`)
      const sent = new Map(['/document', '/fetch', '/form'].map((path) => [path, asSent(theirs.headers.get(path))]))
      const send = async (path: string, headers: Readonly<Record<string, string>>, more: object) => {
        const url = new URL(path, page)
        await client.fetch({ url, headers, ...more, signal, timeoutMs: 5_000, maxBytes: 10_000 })
        return asSent(theirs.headers.get(path))
      }
      expect(await send('/document', documentHeaders(profile, language), { priority: PRIORITY.page })).toEqual(
        sent.get('/document'),
      )
      expect(await send('/fetch', fetchHeaders(profile, language, page), { priority: PRIORITY.data })).toEqual(
        sent.get('/fetch'),
      )
      const form = { method: 'POST', body: 'a=1', priority: PRIORITY.page }
      expect(await send('/form', formHeaders(profile, language, page), form)).toEqual(sent.get('/form'))
      expect(self).toEqual({ agent: profile.userAgent, languages: languagesOf(language), brands: profile.brands })
    },
  )

  test('a worker of a page has the user agent of the page, and languages like a person has', async () => {
    const guard = createGuard(new Set(), 'http://127.0.0.1')
    const { egress, browsers } = await open(guard)
    const session = await browsers.open(egress.grant('direct'), 'en', signal)
    onTestFinished(() => session.close())
    const self = await session.withPage(
      (page) =>
        page.evaluate(`new Promise((resolve) => {
          const self = '{ agent: navigator.userAgent, languages: navigator.languages }'
          const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(' + self + ')'])))
          worker.onmessage = ({ data }) => resolve(data)
        })`),
      { timeoutMs: 20_000, signal },
    )
    expect(self).toEqual({ agent: profileOf(browsers.version()).userAgent, languages: languagesOf('en') })
  })

  test('before Chromium is launched, the profile is that of the one that will be', async () => {
    const before = profileOf(await installedVersion(env))
    const { profile } = await inChromium(open, await listener(), 'en')
    expect(before).toEqual(profile)
  })
})

test('the version is that of CHROMIUM_PATH, else of an installed Chromium, else of the npm package', async () => {
  const dir = temporaryDir()
  const program = (name: string, version: string) => {
    const path = join(dir, name)
    writeFileSync(path, `#!/bin/sh\necho "Chromium ${version} built somewhere"\n`, { mode: 0o700 })
    return path
  }
  const given = program('mine', '141.0.7390.54')
  program('chromium', '142.0.1.2')
  const env = { PATH: dir, HOME: dir }
  expect(await installedVersion({ ...env, CHROMIUM_PATH: given })).toBe('141.0.7390.54')
  expect(await installedVersion(env)).toBe('142.0.1.2')
  expect(await installedVersion({ HOME: dir })).toBe(await packagedVersion())
})

test('an agent without any Chromium shows the version that Playwright would install', async () => {
  expect(await packagedVersion('@placefleet/not-installed')).toBeUndefined()
  expect(catalogued().browserVersion).toMatch(/^\d{3}\.0\.\d+\.\d+$/)
})

test.each([
  ['153.0.8010.0', '"Chromium";v="153", "Not_A Brand";v="8"'],
  ['152.0.1.1', '"Not?A_Brand";v="24", "Chromium";v="152"'],
])('the brands of %s', (version, brands) => {
  const profile: BrowserProfile = profileOf(version)
  expect(documentHeaders(profile, 'en')['sec-ch-ua']).toBe(brands)
})

test.each([
  ['de', 'de-DE,de;q=0.9'],
  ['el', 'el-GR,el;q=0.9'],
  ['en', 'en-US,en;q=0.9'],
])('a reader of %s accepts %s', (language, header) => {
  expect(documentHeaders(profileOf('153.0.0.0'), language)['Accept-Language']).toBe(header)
})

test('every language of a job has its region', () => {
  for (const language of LANGUAGES) expect(languagesOf(language)[0]).toMatch(/^[a-z]{2,3}-[A-Z]{2}$/)
})
