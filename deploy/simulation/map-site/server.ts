import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createAssets } from './answers/assets.ts'
import { answerControl, type Control } from './answers/control.ts'
import { route } from './answers/route.ts'
import { type City, createCity } from './city.ts'
import { isPage, isPayload, kindOf } from './classify.ts'
import { createCounters, type Kind, type RequestCounts } from './counters.ts'
import { type Exchange, errorReply, type Reply } from './exchange.ts'
import { delay, faultOf, misheard } from './faults.ts'
import { turnAway } from './gate.ts'
import { readExchange, send, sendFault } from './http.ts'
import { changedOptions, fullOptions, type SiteOptions } from './options.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import type { Site } from './site.ts'

export interface MapSiteStart {
  /** 0 or absent: a free one. */
  port?: number
  /** 127.0.0.1 unless told otherwise. */
  host?: string
  /** A whole number from 0. */
  seed: number
  places: number
  options?: Partial<SiteOptions>
}

/** A running simulated map site. */
export interface MapSite {
  /** Its base address without a slash at the end: what MAPS_BASE_URL is to be. */
  url: string
  city: City
  /** Requests since the start or the last reset; control pages are not counted. */
  requests(): RequestCounts
  resetRequests(): void
  /** Changes some options. @throws ZodError */
  setOptions(change: Partial<SiteOptions>): void
  options(): SiteOptions
  close(): Promise<void>
}

interface Running {
  site: Site
  limits: RateLimits
  control: Control
  assets: (path: string) => Reply
  /** The next request's number. */
  next: () => number
}

const isHeldBack = (kind: Kind) => isPage(kind) || isPayload(kind)

async function answer(running: Running, exchange: Exchange, response: ServerResponse): Promise<void> {
  const { site, limits } = running
  const options = site.options()
  const encodings = String(exchange.headers['accept-encoding'] ?? '')
  if (exchange.path.startsWith('/__sim/'))
    return send(response, answerControl(site, exchange, running.control), false, '')
  const kind = kindOf(exchange)
  site.counters.count(kind, exchange.address)
  if (!isHeldBack(kind)) return send(response, route(site, exchange, kind, running.assets), options.gzip, encodings)
  const nth = running.next()
  await delay(site.city.seed, nth, options)
  const away = turnAway(site, limits, exchange, kind)
  if (away) site.counters.refuse(away.refusal, kind, exchange.address)
  const heard = misheard(site.city.seed, nth, exchange, options)
  const reply = away?.reply ?? route(site, heard, kind, running.assets)
  if (!away && reply.status >= 400) site.counters.refuse('rejected', kind, exchange.address)
  const fault = faultOf(site.city.seed, nth, options)
  if (!fault) return send(response, reply, options.gzip, encodings)
  site.counters.refuse('failed', kind, exchange.address)
  sendFault(response, fault, reply)
}

const assemble = (start: MapSiteStart, origin: () => string) => {
  let options = fullOptions(start.options)
  let requests = 0
  const counters = createCounters()
  const limits = createRateLimits()
  const site: Site = { city: createCity(start), counters, options: () => options, origin }
  const change = (wanted: unknown) => {
    options = changedOptions(options, wanted)
    limits.reset()
    return options
  }
  const running: Running = {
    site,
    limits,
    control: { change, resetCounters: counters.reset },
    assets: createAssets(),
    next: () => ++requests,
  }
  return { running, change }
}

const handler = (running: Running) => (request: IncomingMessage, response: ServerResponse) => {
  readExchange(request, running.site.origin())
    .then((exchange) => answer(running, exchange, response))
    .catch((error: unknown) => {
      console.error('map site: request failed', request.url, error)
      if (response.headersSent) response.destroy()
      else send(response, errorReply(500), false, '')
    })
}

const portOf = (server: Server) => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the map site has no port')
  return address.port
}

/** Starts a simulated map site. Nothing is generated in advance, so even 100,000 places take no time. */
export async function startMapSite(start: MapSiteStart): Promise<MapSite> {
  let url = ''
  const { running, change } = assemble(start, () => url)
  const server = createServer({ keepAliveTimeout: 30_000 }, handler(running))
  const host = start.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(start.port ?? 0, host, resolve)
  })
  url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${portOf(server)}`
  return {
    url,
    city: running.site.city,
    requests: running.site.counters.read,
    resetRequests: running.site.counters.reset,
    setOptions: change,
    options: running.site.options,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
