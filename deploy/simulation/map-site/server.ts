import { createAssets } from './answers/assets.ts'
import { answerControl, type Control } from './answers/control.ts'
import { route } from './answers/route.ts'
import { type City, createCity } from './city.ts'
import { isPage, isPayload, kindOf } from './classify.ts'
import { createCounters, type Kind, type RequestCounts } from './counters.ts'
import { type Exchange, errorReply, type Reply } from './exchange.ts'
import { createExits, type Exits } from './exits.ts'
import { delay, faultOf, readExchange, send, sendFault } from './http.ts'
import { type Certificate, type Listener, type Request, type Response, startListener } from './listener.ts'
import { changedOptions, changesRefusals, fullOptions, type SiteOptions } from './options.ts'
import { refusalFor } from './refuse.ts'
import type { Site } from './site.ts'

export interface MapSiteStart {
  /** 0 or absent picks a free port. */
  port?: number
  /** Default: 127.0.0.1. */
  host?: string
  /** A whole number from 0. */
  seed: number
  places: number
  options?: Partial<SiteOptions>
  /** With a certificate the site speaks HTTPS and HTTP/2, like the real site. */
  certificate?: Certificate
  /** Waits before a page or payload is answered, so that a test knows how far a job has come. */
  hold?: (kind: Kind) => Promise<void>
}

/** A running simulated map site. */
export interface MapSite {
  /** The base URL without a trailing slash: the value for MAPS_BASE_URL. */
  url: string
  city: City
  /** Returns the counts since the start or the last reset. Requests to control pages are not counted. */
  requests(): RequestCounts
  resetRequests(): void
  /**
   * Changes some options.
   * @throws ZodError
   */
  setOptions(change: Partial<SiteOptions>): void
  options(): SiteOptions
  close(): Promise<void>
}

interface RunningSite {
  site: Site
  exits: Exits
  control: Control
  assets: (path: string) => Reply
  hold: (kind: Kind) => Promise<void>
  /** Returns the number of the next request. */
  next: () => number
}

const isPageOrPayload = (kind: Kind) => isPage(kind) || isPayload(kind)

async function answer(running: RunningSite, exchange: Exchange, response: Response): Promise<void> {
  const { site } = running
  const { gzip } = site.options()
  const encodings = String(exchange.headers['accept-encoding'] ?? '')
  if (exchange.path.startsWith('/__sim/'))
    return send(response, answerControl(site, exchange, running.control), false, '')
  const kind = kindOf(exchange)
  site.counters.count(kind, exchange.address)
  if (!isPageOrPayload(kind)) return send(response, route(site, exchange, kind, running.assets), gzip, encodings)
  await running.hold(kind)
  await answerPageOrPayload(running, { ...exchange, nth: running.next() }, kind, response)
}

/** Answers a request for a page or payload. The options may delay it, refuse it or inject a failure. */
async function answerPageOrPayload(
  running: RunningSite,
  exchange: Exchange,
  kind: Kind,
  response: Response,
): Promise<void> {
  const { site, exits } = running
  const { seed } = site.city
  const options = site.options()
  await delay(seed, exchange.nth, options)
  const refused = refusalFor(site, exits, exchange, kind)
  const reply = refused?.reply ?? route(site, exchange, kind, running.assets)
  const fault = faultOf(seed, exchange.nth, options)
  // An injected failure replaces a refusal, so only the failure is counted.
  const refusal = fault ? 'failed' : (refused?.refusal ?? (reply.status >= 400 ? 'rejected' : undefined))
  if (refusal) site.counters.refuse(refusal, kind, exchange)
  if (fault) return sendFault(response, fault, reply)
  send(response, reply, options.gzip, String(exchange.headers['accept-encoding'] ?? ''))
}

const assemble = (start: MapSiteStart, origin: () => string, consentOrigin: () => string) => {
  let options = fullOptions(start.options)
  let requests = 0
  const counters = createCounters()
  const exits = createExits()
  const consentBase = () => (options.consentElsewhere ? consentOrigin() : `${origin()}/consent`)
  const site: Site = { city: createCity(start), counters, options: () => options, origin, consentBase }
  const change = (changed: unknown) => {
    options = changedOptions(options, changed)
    if (changesRefusals(changed)) exits.reset()
    return options
  }
  const running: RunningSite = {
    site,
    exits,
    control: { change, resetCounters: counters.reset },
    assets: createAssets(),
    hold: start.hold ?? (async () => undefined),
    next: () => ++requests,
  }
  return { running, change }
}

const handler = (running: RunningSite, origin: () => string) => (request: Request, response: Response) => {
  readExchange(request, origin())
    .then((exchange) => answer(running, exchange, response))
    .catch((error: unknown) => {
      console.error('The map site could not answer a request.', request.url, error)
      if (response.headersSent) response.destroy()
      else send(response, errorReply(500), false, '')
    })
}

/** Starts a simulated map site. Generates nothing in advance, so 100,000 places start as fast as one. */
export async function startMapSite(start: MapSiteStart): Promise<MapSite> {
  const opened: { site?: Listener; consent?: Listener } = {}
  const origin = () => opened.site?.url ?? ''
  const { running, change } = assemble(start, origin, () => opened.consent?.url ?? '')
  const { host = '127.0.0.1', port = 0, certificate } = start
  const answerSite = handler(running, origin)
  opened.site = await startListener({ host, port, certificate }, answerSite)
  opened.consent = await startListener({ host, port: 0, certificate }, (request, response) => {
    // On its own host the consent page has the same paths without the folder.
    request.url = `/consent${request.url ?? ''}`
    answerSite(request, response)
  })
  return {
    url: origin(),
    city: running.site.city,
    requests: running.site.counters.read,
    resetRequests: running.site.counters.reset,
    setOptions: change,
    options: running.site.options,
    async close() {
      await Promise.all([opened.site?.close(), opened.consent?.close()])
    },
  }
}
