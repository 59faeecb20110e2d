import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browsers, createBrowsers } from '@placefleet/agent/browser/browsers'
import { findChromium, installedVersion } from '@placefleet/agent/browser/find-chromium'
import { type EgressProxy, startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createLogger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { mayHaveSandbox } from '../../harness/browser.ts'
import { describeEachChromium } from '../../harness/chromiums.ts'

const log = createLogger('test', 'silent')
const never = new AbortController().signal

let pages: Record<string, string> = {}
let trapped: string[] = []
const site = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(pages[request.url ?? ''] ?? '')
})
const trap = createServer((request, response) => {
  trapped.push(request.url ?? '')
  response.end()
})
let siteOrigin = ''
let trapOrigin = ''

beforeAll(async () => {
  for (const server of [site, trap]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  trapOrigin = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`
  return () => {
    for (const server of [site, trap]) {
      server.closeAllConnections()
      server.close()
    }
  }
})

/** Lets a Chromium that may reach only the site be launched with the first session, and closed after the tests. */
function chromium(env: NodeJS.ProcessEnv) {
  let egress: EgressProxy
  let browsers: Browsers
  beforeAll(async () => {
    vi.stubEnv('AGENT_TOKEN', 'a secret')
    egress = await startEgressProxy(createGuard(new Set(), siteOrigin), log)
    browsers = createBrowsers({
      find: () => findChromium({ env }),
      installedVersion: await installedVersion(env),
      proxyServer: egress.server,
      sandbox: mayHaveSandbox(),
      log,
    })
  })
  afterAll(async () => {
    await browsers.close()
    await egress.close()
    vi.unstubAllEnvs()
  })
  return async () => {
    const session = await browsers.open(egress.grant('direct'), 'de', never)
    onTestFinished(() => session.close())
    const onPage = <T>(use: (page: Page) => Promise<T>) => session.withPage(use, { timeoutMs: 20_000, signal: never })
    return { egress, onPage }
  }
}

await describeEachChromium((env) => {
  const opened = chromium(env)

  test('a page cannot reach a loopback server by any means', async () => {
    trapped = []
    pages = {
      '/hostile': `<img src="${trapOrigin}/img"><iframe src="${trapOrigin}/iframe"></iframe><script>
        fetch("${trapOrigin}/fetch", {mode: "no-cors"}).catch(() => 0); navigator.sendBeacon("${trapOrigin}/beacon");
        new WebSocket("${trapOrigin.replace('http', 'ws')}/socket");
        fetch("${trapOrigin.replace('127.0.0.1', 'localhost')}/name", {mode: "no-cors"}).catch(() => 0);
        fetch("${trapOrigin.replace('127.0.0.1', '[::ffff:127.0.0.1]')}/mapped", {mode: "no-cors"}).catch(() => 0);
        setTimeout(() => document.title = "done", 500)</script>`,
      '/leave': `<meta http-equiv="refresh" content="0;url=${trapOrigin}/refreshed">`,
    }
    const { onPage } = await opened()
    await onPage(async (page) => {
      await page.goto(`${siteOrigin}/hostile`)
      await page.waitForFunction('document.title === "done"')
      await page.goto(`${siteOrigin}/leave`)
      await page.goto(`${trapOrigin}/direct`).catch(() => undefined) // it may refuse to show an empty answer
    })
    expect(trapped).toEqual([])
  })

  test('WebRTC sends no packet past the egress proxy, and tells no address of this machine', async () => {
    const socket = createSocket('udp4')
    let packets = 0
    socket.on('message', () => void packets++)
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    onTestFinished(() => void socket.close())
    pages = { '/page': '<title>a page</title>' }
    const { onPage } = await opened()
    const candidates = await onPage(async (page) => {
      await page.goto(`${siteOrigin}/page`)
      return page.evaluate<string[]>(gathering(socket.address().port))
    })
    expect({ packets, candidates }).toEqual({ packets: 0, candidates: [] })
  })

  test('Chromium gets no variable of the agent’s environment but those it needs', async () => {
    expect(process.env.AGENT_TOKEN).toBe('a secret')
    const { egress } = await opened()
    const environments = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => environmentOf(pid, `--proxy-server=${egress.server}`))
    expect(environments.length).toBeGreaterThan(0)
    expect(environments.filter((variables) => variables.includes('AGENT_TOKEN='))).toEqual([])
  })
})

/** Returns the script that lets WebRTC look for addresses with a STUN server, until it has one or there is none. */
const gathering = (port: number) => `new Promise((done) => {
  const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] })
  connection.onicecandidate = ({ candidate }) => done(candidate?.candidate ? [candidate.candidate] : [])
  connection.createDataChannel('any')
  connection.createOffer().then((offer) => connection.setLocalDescription(offer))
})`

/** Returns the environment of a process whose command line holds a text. */
function environmentOf(pid: string, argument: string): string[] {
  try {
    const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(argument)
    return isOurs ? [readFileSync(`/proc/${pid}/environ`, 'utf8')] : []
  } catch {
    return [] // it has ended, or belongs to another user
  }
}
