import { randomBytes } from 'node:crypto'
import type { lookup } from 'node:dns'
import { Agent } from 'node:http'
import type { Logger } from '@placefleet/shared/log'
import { formatProxyUrl, parseProxyUrl } from '@placefleet/shared/proxy-url'
import { type PrepareRequestFunctionOpts, type PrepareRequestFunctionResult, RequestError, Server } from 'proxy-chain'
import { EgressRefused, type Guard, pinTarget, vetTarget } from './guard.ts'
import { socketLookup } from './socket-lookup.ts'

/** The credentials of one session for the egress proxy. */
export type EgressGrant = {
  readonly server: string
  readonly username: string
  readonly password: string
  /** Closes its connections and revokes its credentials. May be called twice. */
  revoke(): void
}

/** The local proxy for all traffic of Chromium, and for all traffic over a user's proxy. */
export type EgressProxy = {
  /** The address of the proxy. It serves only requests with a grant. */
  readonly server: string
  /** Creates a grant for a user's proxy, or with `direct` for this machine's own address. */
  grant(upstream: { proxy: string } | 'direct'): EgressGrant
  close(): Promise<void>
}

type Grant = {
  readonly password: string
  readonly upstream: { proxy: string } | 'direct'
  readonly sockets: Set<number>
}

/** Longer than clients keep connections to the map site. proxy-chain has no such timeout. */
const IDLE_MS = 150_000

const TARGET_REFUSED = 403
/** For a name without an address, as proxy-chain uses it. */
const UNRESOLVED = 593
/** For an upstream proxy in a forbidden network. proxy-chain does not use it. */
const PROXY_REFUSED = 591

/**
 * Starts the proxy on a free port of 127.0.0.1. The guard checks every target. Only a grant for `direct` connects
 * without an upstream proxy: proxy-chain would also read a missing upstream as "direct".
 */
export async function startEgressProxy(guard: Guard, log: Logger): Promise<EgressProxy> {
  const grants = new Map<string, Grant>()
  const agent = new Agent({ keepAlive: false })
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: (request) => route(request, grants, guard, agent),
  })
  server.on('requestFailed', ({ error }: { error: NodeJS.ErrnoException }) => {
    log.debug({ code: error.code, kind: error.name }, 'a request through the egress proxy failed')
  })
  server.on('connectionClosed', ({ connectionId }: { connectionId: number }) => {
    for (const { sockets } of grants.values()) sockets.delete(connectionId)
  })
  await server.listen()
  return {
    server: `http://127.0.0.1:${server.port}`,
    grant: (upstream) => openGrant(server, grants, upstream),
    async close() {
      grants.clear()
      agent.destroy()
      await server.close(true)
    },
  }
}

function openGrant(server: Server, grants: Map<string, Grant>, upstream: Grant['upstream']): EgressGrant {
  const username = randomBytes(9).toString('hex')
  const password = randomBytes(18).toString('hex')
  const sockets = new Set<number>()
  grants.set(username, { password, upstream, sockets })
  return {
    server: `http://127.0.0.1:${server.port}`,
    username,
    password,
    revoke() {
      grants.delete(username)
      for (const id of sockets) server.closeConnection(id)
      sockets.clear()
    },
  }
}

async function route(
  { request, username, password, hostname, port, connectionId }: PrepareRequestFunctionOpts,
  grants: Map<string, Grant>,
  guard: Guard,
  httpAgent: Agent,
): Promise<PrepareRequestFunctionResult> {
  request.socket.setTimeout(IDLE_MS)
  if (username === '') return { requestAuthentication: true } // Chromium sends its credentials only after a 407
  const granted = grants.get(username)
  if (!granted || granted.password !== password) throw new RequestError('Unknown credentials', 403)
  granted.sockets.add(connectionId)
  const target = { host: hostname, port }
  const { upstream } = granted
  if (upstream === 'direct') {
    const addresses = await orRefuse(TARGET_REFUSED, () => pinTarget(target, guard))
    return { dnsLookup: socketLookup(async () => addresses), httpAgent }
  }
  await orRefuse(TARGET_REFUSED, () => vetTarget(target, guard))
  const { url, dnsLookup } = await orRefuse(PROXY_REFUSED, () => vetUpstream(upstream.proxy, guard))
  return { upstreamProxyUrl: url, dnsLookup, httpAgent }
}

async function orRefuse<Vetted>(status: number, vet: () => Vetted | Promise<Vetted>): Promise<Vetted> {
  try {
    return await vet()
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    throw new RequestError(error.message, error.isUnresolved ? UNRESOLVED : status)
  }
}

/** A checked proxy: its canonical URL, and a look-up that returns only its checked addresses. */
type Upstream = { readonly url: string; readonly dnsLookup: typeof lookup }

/**
 * Checks a user's proxy like any other target, since strangers choose its host. A SOCKS proxy gets its address in place
 * of its name, because proxy-chain has no look-up hook for it. Throws EgressRefused, whose text never holds the URL.
 */
async function vetUpstream(proxyUrl: string, guard: Guard): Promise<Upstream> {
  const parsed = parseProxyUrl(proxyUrl)
  if (!parsed.ok) throw new EgressRefused('invalid_proxy')
  const addresses = await pinTarget({ host: parsed.proxy.host, port: parsed.proxy.port }, guard)
  const socks = parsed.proxy.scheme.startsWith('socks')
  const url = formatProxyUrl(socks ? { ...parsed.proxy, host: addresses[0].address } : parsed.proxy)
  return { url, dnsLookup: socketLookup(async () => addresses) }
}
