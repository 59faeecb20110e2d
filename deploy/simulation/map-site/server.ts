import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../listen.ts'
import { answerControl } from './answers/control.ts'
import { route } from './answers/route.ts'
import type { Certificate } from './certificate.ts'
import { isPage, isPayload, type Kind, kindOf } from './classify.ts'
import { type Exchange, errorReply } from './exchange.ts'
import { FAULTS, type Request, type Response, readExchange, send, sendFault } from './http.ts'
import type { SiteOptions } from './options.ts'
import { chance } from './random.ts'
import { refusalFor } from './refuse.ts'
import { createSite, type Site, type SiteStart } from './site.ts'

export interface MapSiteStart extends SiteStart {
  /** 0 or absent picks a free port. */
  port?: number
  /** Default: 127.0.0.1. */
  host?: string
  /** With a certificate the site speaks HTTPS and HTTP/2, like the real site. */
  certificate?: Certificate
  /** Waits before a page or payload is answered, so that a test knows how far a job has come. */
  hold?: (kind: Kind) => Promise<void>
}

/** A running simulated map site. */
export type MapSite = Awaited<ReturnType<typeof startMapSite>>

const FAULT_SALT = 9001
const DELAY_SALT = 9002

/** Answers a request for a page or payload. The options may delay it, refuse it or inject a failure. */
async function answerPageOrPayload(site: Site, exchange: Exchange, kind: Kind, response: Response): Promise<void> {
  const { seed } = site.city
  const { latencyMs, failureRate, gzip } = site.options()
  const wait = latencyMs.min + chance(seed, exchange.nth, DELAY_SALT).next() * (latencyMs.max - latencyMs.min)
  if (wait > 0) await sleep(wait)
  const refused = refusalFor(site, exchange, kind)
  const reply = refused?.reply ?? route(site, exchange, kind)
  const dice = chance(seed, exchange.nth, FAULT_SALT)
  const fault = dice.happens(failureRate) ? dice.pick(FAULTS) : undefined
  // An injected failure replaces a refusal, so only the failure is counted.
  const refusal = fault ? 'failed' : (refused?.refusal ?? (reply.status >= 400 ? 'rejected' : undefined))
  if (refusal) site.counters.refuse(refusal, kind, exchange)
  if (fault) return sendFault(response, fault, reply)
  send(response, reply, { gzip, headers: exchange.headers })
}

const handler = (site: Site, hold: NonNullable<MapSiteStart['hold']>) => {
  let requests = 0
  const answer = async (exchange: Exchange, response: Response): Promise<void> => {
    const { headers, path, address } = exchange
    if (path.startsWith('/__sim/')) return send(response, answerControl(site, exchange), { gzip: false, headers })
    const kind = kindOf(exchange)
    site.counters.count(kind, address)
    if (!isPage(kind) && !isPayload(kind))
      return send(response, route(site, exchange, kind), { gzip: site.options().gzip, headers })
    await hold(kind)
    await answerPageOrPayload(site, { ...exchange, nth: ++requests }, kind, response)
  }
  return (request: Request, response: Response) => {
    readExchange(request, site.origin())
      .then((exchange) => answer(exchange, response))
      .catch((error: unknown) => {
        console.error('The map site could not answer a request.', request.url, error)
        if (response.headersSent) response.destroy()
        else send(response, errorReply(500), { gzip: false, headers: {} })
      })
  }
}

const KEEP_ALIVE_MS = 30_000

type Listener = { url: string; close(): Promise<void> }

async function startListener(
  { host = '127.0.0.1', port = 0, certificate }: MapSiteStart,
  onRequest: (request: Request, response: Response) => void,
): Promise<Listener> {
  const server = certificate
    ? createSecureServer({ ...certificate, allowHTTP1: true }, onRequest)
    : createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, onRequest)
  const bound = await listen(server, { host, port })
  const name = host === '0.0.0.0' ? '127.0.0.1' : host
  return { url: `${certificate ? 'https' : 'http'}://${name}:${bound.port}`, close: bound.close }
}

/** Starts a simulated map site. Generates nothing in advance, so 100,000 places start as fast as one. */
export async function startMapSite(start: MapSiteStart) {
  const opened: { site?: Listener; consent?: Listener } = {}
  const origin = () => opened.site?.url ?? ''
  const site = createSite(start, origin, () => opened.consent?.url ?? '')
  const answer = handler(site, start.hold ?? (async () => undefined))
  opened.site = await startListener(start, answer)
  opened.consent = await startListener({ ...start, port: 0 }, (request, response) => {
    // On its own host the consent page has the same paths without the folder.
    request.url = `/consent${request.url ?? ''}`
    answer(request, response)
  })
  return {
    /** The base URL without a trailing slash: the value for MAPS_BASE_URL. */
    url: origin(),
    city: site.city,
    /** Returns the counts since the start or the last reset. Requests to control pages are not counted. */
    requests: site.counters.read,
    resetRequests: site.counters.reset,
    /** Changes some options, as `site.change`. */
    setOptions: (change: Partial<SiteOptions>) => void site.change(change),
    options: site.options,
    async close() {
      await Promise.all([opened.site?.close(), opened.consent?.close()])
    },
  }
}
