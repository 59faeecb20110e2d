import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createGuard } from '@placefleet/agent/egress/guard'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { describeEachChromium } from '../../harness/chromiums.ts'
import { serve } from '../../harness/network/serve.ts'

const { signal } = new AbortController()

let trapped: string[] = []
const trap = await serve((request, response) => response.end(void trapped.push(request.url ?? '')), afterAll)
const site = await serve((request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[request.url ?? ''] ?? '')
}, afterAll)

/** The pages of the site. */
const PAGES: Record<string, string> = {
  '/page': '<title>a page</title>',
  '/hostile': `<img src="${trap.url}/img"><iframe src="${trap.url}/iframe"></iframe><script>
    fetch("${trap.url}/fetch", {mode: "no-cors"}).catch(() => 0); navigator.sendBeacon("${trap.url}/beacon");
    new WebSocket("${trap.url.replace('http', 'ws')}/socket");
    fetch("${trap.url.replace('127.0.0.1', 'localhost')}/name", {mode: "no-cors"}).catch(() => 0);
    fetch("${trap.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')}/mapped", {mode: "no-cors"}).catch(() => 0);
    setTimeout(() => document.title = "done", 500)</script>`,
  '/leave': `<meta http-equiv="refresh" content="0;url=${trap.url}/refreshed">`,
}

await describeEachChromium((env) => {
  const open = sharedBrowser({ env })
  beforeAll(() => {
    vi.stubEnv('AGENT_TOKEN', 'a secret')
    return () => void vi.unstubAllEnvs()
  })

  /** Opens a session of a Chromium that may reach only the site. */
  async function opened() {
    const { egress, browsers } = await open(createGuard(new Set(), site.url))
    const session = await browsers.open(egress.grant('direct'), 'de', signal)
    onTestFinished(() => session.close())
    const onPage = <T>(use: (page: Page) => Promise<T>) => session.withPage(use, { timeoutMs: 20_000, signal })
    return { egress, onPage }
  }

  test('a page cannot reach a loopback server by any means', async () => {
    trapped = []
    const { onPage } = await opened()
    await onPage(async (page) => {
      await page.goto(`${site.url}/hostile`)
      await page.waitForFunction('document.title === "done"')
      await page.goto(`${site.url}/leave`)
      await page.goto(`${trap.url}/direct`).catch(() => undefined) // it may refuse to show an empty answer
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
    const { onPage } = await opened()
    const candidates = await onPage(async (page) => {
      await page.goto(`${site.url}/page`)
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
