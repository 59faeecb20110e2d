import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../listen.ts'
import type { City } from '../map-site/city.ts'
import { pageAt } from './pages.ts'

/** The websites of a city's businesses: one server for all host names. */
export interface Websites {
  url: string
  host: string
  port: number
  /** Returns the requests since the start or the last reset, in total and by host name. */
  requests(): { total: number; hosts: Record<string, number> }
  resetRequests(): void
  close(): Promise<void>
}

const hostName = (request: IncomingMessage) => (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()

/** Returns the robots.txt of a host; undefined when it has none. */
export type Robots = (host: string) => string | undefined

const answer = (city: City, robots: Robots, request: IncomingMessage, response: ServerResponse): void => {
  const rules = request.url === '/robots.txt' ? robots(hostName(request)) : undefined
  if (rules !== undefined) {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(rules)
    return
  }
  const index = city.indexOfHost(hostName(request))
  const website = index === undefined ? undefined : city.website(index)
  const path = (request.url ?? '/').split(/[?#]/)[0] ?? '/'
  const page = index !== undefined && website ? pageAt(website, city.details(index).title, path) : undefined
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page ?? '<!DOCTYPE html><title>404</title>Not found')
}

/** Starts the websites over plain HTTP. The Host header selects the website. */
export async function startWebsites({
  city,
  port = 0,
  host = '127.0.0.1',
  robots = () => undefined,
}: {
  city: City
  port?: number
  host?: string
  /** Default: no website has a robots.txt. */
  robots?: Robots
}): Promise<Websites> {
  let total = 0
  let hosts: Record<string, number> = {}
  const server = createServer((request, response) => {
    const name = hostName(request)
    total++
    hosts[name] = (hosts[name] ?? 0) + 1
    answer(city, robots, request, response)
  })
  const bound = await listen(server, { host, port })
  return {
    url: `http://${host}:${bound.port}`,
    host,
    port: bound.port,
    requests: () => ({ total, hosts: { ...hosts } }),
    resetRequests() {
      total = 0
      hosts = {}
    },
    close: bound.close,
  }
}
