import { profileOf } from '@placefleet/agent/browser/browser-profile'
import { createGuard } from '@placefleet/agent/egress/guard'
import { type ClientOptions, createHttpClient } from '@placefleet/agent/egress/http-client'
import { crawlWebsite } from '@placefleet/agent/website/crawl'
import { createWebsitePages, OUR_NAME } from '@placefleet/agent/website/fetch-page'
import { createHostTurns } from '@placefleet/agent/website/host-turns'
import { createRenderedPages } from '@placefleet/agent/website/rendered-pages'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { serve } from '../../harness/network/serve.ts'

const toThisMachine: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
const open = sharedBrowser({ lookup: toThisMachine })

const page = (body: string) => `<!doctype html><html><head><meta charset="utf-8"></head><body>${body}</body></html>`

const ENCRYPTED = page(`<a href="/">A bakery</a> <a href="javascript:linkTo_UnCryptMailto('jogp_nz.cblfsz/ef')">mail</a>
<script>function linkTo_UnCryptMailto(s) { // every letter but one is moved by one
  location.href = 'mai' + 'lto:' + [...s].map((c) => c === '_' ? '@' : String.fromCharCode(c.charCodeAt(0) - 1)).join('') }
</script>`)
const WRITTEN = page(`<a href="/">A bakery</a><p><script>
  const code = [104, 97, 108, 108, 111, 64, 98, 46, 100, 101]
  document.write(code.map((one) => String.fromCharCode(one)).join(''))</script></p>`)
const SHELL = page('<div id="root"></div><script src="/app.js"></script>')
const APP = `document.getElementById('root').innerHTML = location.pathname === '/kontakt'
  ? 'office@' + ['shell', 'de'].join('.') : '<a href="/kontakt">Kontakt</a>'`
const PLAIN = page('<a href="/">A bakery</a> nothing to see <script>window.loaded = true</script>')

const strangers: string[] = []

const { port } = await serve((request, response) => {
  const { url = '', headers } = request
  if (!headers['user-agent']?.endsWith(` ${OUR_NAME}`)) strangers.push(url)
  const host = headers.host?.split('.')[0] ?? ''
  const body = { encrypted: ENCRYPTED, written: WRITTEN, shell: SHELL, plain: PLAIN }[host] ?? ''
  response.writeHead(200, { 'content-type': url === '/app.js' ? 'text/javascript' : 'text/html' })
  response.end(url === '/app.js' ? APP : body)
}, afterAll)

/** Returns a visit of a site of that name, by HTTP first. */
async function visit(name: string) {
  const host = `${name}.example:${port}`
  const guard = createGuard(parseAllowHosts(host), `http://${host}`, toThisMachine)
  const { egress, browsers } = await open(guard)
  let opened = 0
  const turns = createHostTurns()
  const { signal } = new AbortController()
  const rendered = createRenderedPages(() => {
    opened += 1
    return browsers.open(egress.grant('direct'), 'en', signal, { name: OUR_NAME })
  })
  onTestFinished(rendered.close)
  const openClient = (options: ClientOptions) => createHttpClient(guard, undefined, options)
  const { get, close } = createWebsitePages(openClient, profileOf('153.0.0.0'), 'en')
  onTestFinished(close)
  return {
    ...(await crawlWebsite(`http://${host}/`, { get, getRendered: rendered.get, inTurn: turns, signal })),
    opened,
  }
}

test.each([
  ['encrypted', ['info@my-bakery.de']],
  ['written', ['hallo@b.de']],
  ['shell', ['office@shell.de']],
])('an address that a script builds is found: %s', async (name, emails) => {
  expect(await visit(name)).toMatchObject({ emails, opened: 1, outcome: 'ok' })
})

test('every request, also of Chromium, has our name in its user agent', async () => {
  await visit('shell')
  expect(strangers).toEqual([])
})

test('a site whose scripts build no address is not rendered', async () => {
  expect(await visit('plain')).toMatchObject({ emails: [], opened: 0 })
})
