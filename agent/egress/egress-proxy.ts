import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import type { HostAndPort } from '@placefleet/shared/egress/target'
import type { Logger } from '@placefleet/shared/log'
import { type PrepareRequestFunctionOpts, type PrepareRequestFunctionResult, RequestError, Server } from 'proxy-chain'
import { EgressRefused, type Guard, pinTarget, vetTarget } from './guard.ts'
import { pinnedLookup, vetUpstream } from './upstream.ts'

/** One session's way through the filtering proxy. */
export type Lease = {
  readonly server: string
  readonly username: string
  readonly password: string
  /** Ends it: its connections are cut and its credentials are void. May be called twice. */
  release(): void
}

/** The local proxy everything of Chromium, and everything that uses a user's proxy, goes through. */
export type EgressProxy = {
  /** Its own address. Without a lease it leads nowhere. */
  readonly server: string
  /** A way out through a user's proxy, or from this machine's own address when that is said in so many words. */
  lease(upstream: { proxy: string } | 'direct'): Lease
  close(): Promise<void>
}

type Way = { readonly password: string; readonly upstream: { proxy: string } | 'direct'; readonly sockets: Set<number> }

/** Milliseconds without a byte after which a connection is cut; proxy-chain itself has no timer at all. */
const IDLE_MS = 30_000

const TARGET_REFUSED = 403
/** One of the statuses proxy-chain uses for what the upstream proxy did wrong. */
const PROXY_REFUSED = 599

/**
 * Starts the proxy on a free port of 127.0.0.1. Every target is vetted; a way without an upstream goes direct only if it
 * was leased so, because proxy-chain reads a missing upstream as "direct".
 */
export async function startEgressProxy(guard: Guard, log: Logger): Promise<EgressProxy> {
  const ways = new Map<string, Way>()
  const agent = new Agent({ keepAlive: false })
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: (request) => route(request, ways, guard, agent),
  })
  server.on('requestFailed', ({ error }: { error: NodeJS.ErrnoException }) => {
    log.debug({ code: error.code, kind: error.name }, 'a request through the egress proxy failed')
  })
  server.on('connectionClosed', ({ connectionId }: { connectionId: number }) => {
    for (const { sockets } of ways.values()) sockets.delete(connectionId)
  })
  await server.listen()
  return {
    server: `http://127.0.0.1:${server.port}`,
    lease: (upstream) => openWay(server, ways, upstream),
    async close() {
      ways.clear()
      agent.destroy()
      await server.close(true)
    },
  }
}

function openWay(server: Server, ways: Map<string, Way>, upstream: Way['upstream']): Lease {
  const username = randomBytes(9).toString('hex')
  const password = randomBytes(18).toString('hex')
  const sockets = new Set<number>()
  ways.set(username, { password, upstream, sockets })
  return {
    server: `http://127.0.0.1:${server.port}`,
    username,
    password,
    release() {
      ways.delete(username)
      for (const id of sockets) server.closeConnection(id)
      sockets.clear()
    },
  }
}

async function route(
  { request, username, password, hostname, port, connectionId }: PrepareRequestFunctionOpts,
  ways: Map<string, Way>,
  guard: Guard,
  httpAgent: Agent,
): Promise<PrepareRequestFunctionResult> {
  request.socket.setTimeout(IDLE_MS)
  if (username === '') return { requestAuthentication: true } // Chromium shows its credentials only when asked
  const way = ways.get(username)
  if (!way || way.password !== password) throw new RequestError('Unknown credentials', 403)
  way.sockets.add(connectionId)
  const target = { host: hostname, port }
  const out = way.upstream === 'direct' ? await direct(target, guard) : await chained(way.upstream.proxy, target, guard)
  return { ...out, httpAgent }
}

async function direct(target: HostAndPort, guard: Guard): Promise<PrepareRequestFunctionResult> {
  const pinned = await orRefuse(TARGET_REFUSED, () => pinTarget(target, guard))
  return { dnsLookup: pinnedLookup(pinned) }
}

async function chained(proxy: string, target: HostAndPort, guard: Guard): Promise<PrepareRequestFunctionResult> {
  await orRefuse(TARGET_REFUSED, () => vetTarget(target, guard))
  const { url, dnsLookup } = await orRefuse(PROXY_REFUSED, () => vetUpstream(proxy, guard))
  return { upstreamProxyUrl: url, dnsLookup }
}

async function orRefuse<Vetted>(status: number, vet: () => Vetted | Promise<Vetted>): Promise<Vetted> {
  try {
    return await vet()
  } catch (error) {
    throw error instanceof EgressRefused ? new RequestError('Refused by the egress guard', status) : error
  }
}
