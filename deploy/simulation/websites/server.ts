import { createServer } from 'node:http'
import { listen } from '../listen.ts'
import type { City } from '../map-site/city.ts'
import { pageAt } from './pages.ts'

/** Returns the robots.txt of a host; undefined when it has none. */
export type Robots = (host: string) => string | undefined

/**
 * Starts the websites of a city's businesses over plain HTTP, one server for all host names. The Host header selects
 * the website. By default none has a robots.txt.
 */
export async function startWebsites({ city, robots = () => undefined }: { city: City; robots?: Robots | undefined }) {
  const counts = { total: 0, hosts: new Map<string, number>() }
  const server = createServer((request, response) => {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
    counts.total++
    counts.hosts.set(name, (counts.hosts.get(name) ?? 0) + 1)
    const path = (request.url ?? '/').split(/[?#]/)[0] ?? '/'
    const rules = path === '/robots.txt' ? robots(name) : undefined
    const index = city.indexOfHost(name)
    const website = index === undefined ? undefined : city.website(index)
    const page = index !== undefined && website ? pageAt(website, city.details(index).title, path) : undefined
    const type = rules === undefined ? 'text/html; charset=utf-8' : 'text/plain'
    response.writeHead((rules ?? page) === undefined ? 404 : 200, { 'content-type': type })
    response.end(rules ?? page ?? '<!DOCTYPE html><title>404</title>Not found')
  })
  const host = '127.0.0.1'
  const { port, close } = await listen(server, { host, port: 0 })
  /** Returns the requests since the start, in total and by host name. */
  const requests = () => ({ total: counts.total, hosts: Object.fromEntries(counts.hosts) })
  return { url: `http://${host}:${port}`, host, port, requests, close }
}
