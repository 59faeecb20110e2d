import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Target {
  host: string
  port: number
}

/** How a broken proxy behaves: drops connections, never answers, or refuses everybody. */
export type ProxyFailure = 'dead' | 'silent' | 407 | 403

export interface ForwardProxyStart {
  /** Where a host name of the simulated world really is; undefined when the name does not exist. */
  resolve: (host: string) => Target | undefined
  /** Both or none: then clients must give them. */
  username?: string
  password?: string
  /** The loopback address that requests leave from, e.g. 127.0.0.5; of several, each request or tunnel takes the next. */
  localAddress?: string | readonly string[]
  failure?: ProxyFailure
  /** Its certificate, in PEM, when it is to be spoken to over TLS. */
  tls?: { key: string; cert: string }
  /** Where the proxy listens: 127.0.0.1 and a free port unless told otherwise. */
  host?: string
  port?: number
}

export interface ProxyCounts {
  /** Plain requests, tunnels, and how many of both were refused by the proxy itself. */
  requests: number
  tunnels: number
  refused: number
  /** Plain requests and tunnels that were let through, by target host. */
  hosts: Record<string, number>
}

/** A running forward proxy. */
export interface ForwardProxy {
  /** `http://[user:password@]host:port`, or `https://…` */
  url: string
  requests(): ProxyCounts
  resetRequests(): void
  setFailure(failure: ProxyFailure | undefined): void
  close(): Promise<void>
}

interface Running {
  start: ForwardProxyStart
  failure: ProxyFailure | undefined
  counts: ProxyCounts
  /** Counts on over the addresses to leave from. */
  turn: number
}

const none = (): ProxyCounts => ({ requests: 0, tunnels: 0, refused: 0, hosts: {} })

const isLoopback = (host: string) => host === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(host)

// Addresses of this machine are passed through: the simulated map site has no name.
const targetOf = (running: Running, host: string, port: number): Target | undefined =>
  isLoopback(host)
    ? { host: host === 'localhost' ? '127.0.0.1' : host, port }
    : running.start.resolve(host.toLowerCase())

const isAllowed = ({ username, password }: ForwardProxyStart, header: string | undefined) => {
  if (username === undefined) return true
  return header === `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`
}

const WORDS = { 403: 'Forbidden', 407: 'Proxy Authentication Required', 502: 'Bad Gateway' } as const
type RefusalStatus = keyof typeof WORDS

/** Why a request is refused by the proxy itself, if it is. */
const refusalOf = (running: Running, request: IncomingMessage): RefusalStatus | undefined => {
  if (running.failure === 403 || running.failure === 407) return running.failure
  return isAllowed(running.start, request.headers['proxy-authorization']) ? undefined : 407
}

const CHALLENGE = { 'proxy-authenticate': 'Basic realm="proxy"' }

const refuse = (running: Running, status: RefusalStatus, response: ServerResponse) => {
  running.counts.refused++
  response.writeHead(status, {
    ...(status === 407 ? CHALLENGE : {}),
    'content-type': 'text/plain',
    connection: 'close',
  })
  response.end(WORDS[status])
}

const refuseTunnel = (running: Running, status: RefusalStatus, socket: Duplex) => {
  running.counts.refused++
  const challenge = status === 407 ? `Proxy-Authenticate: ${CHALLENGE['proxy-authenticate']}\r\n` : ''
  socket.end(`HTTP/1.1 ${status} ${WORDS[status]}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}

const countHost = ({ counts }: Running, host: string) => {
  counts.hosts[host] = (counts.hosts[host] ?? 0) + 1
}

const outgoingHeaders = ({ headers }: IncomingMessage) => {
  const { 'proxy-authorization': _secret, 'proxy-connection': _hop, ...rest } = headers
  return rest
}

type Admission = { refused: RefusalStatus } | { path: string; authority: string; target: Target }

const admit = (running: Running, request: IncomingMessage, address: string): Admission => {
  const status = refusalOf(running, request)
  if (status) return { refused: status }
  const url = URL.parse(address)
  const target = url ? targetOf(running, url.hostname, Number(url.port || 80)) : undefined
  if (!url || !target) return { refused: 502 }
  countHost(running, url.hostname)
  return { path: `${url.pathname}${url.search}`, authority: url.host, target }
}

const leavingFrom = (running: Running): { localAddress?: string } => {
  const addresses = [running.start.localAddress ?? []].flat()
  const address = addresses[running.turn++ % addresses.length]
  return address === undefined ? {} : { localAddress: address }
}

function forward(running: Running, request: IncomingMessage, response: ServerResponse): void {
  running.counts.requests++
  const admission = admit(running, request, request.url ?? '')
  if ('refused' in admission) {
    refuse(running, admission.refused, response)
    return
  }
  const { target, path, authority } = admission
  const headers = { ...outgoingHeaders(request), host: authority }
  const onward = httpRequest({ ...target, method: request.method, path, headers, ...leavingFrom(running) })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onward.on('error', () => (response.headersSent ? response.destroy() : refuse(running, 502, response)))
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

function tunnel(running: Running, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  running.counts.tunnels++
  socket.on('error', () => socket.destroy())
  const admission = admit(running, request, `http://${request.url}`)
  if ('refused' in admission) {
    refuseTunnel(running, admission.refused, socket)
    return
  }
  const onward = connect({ ...admission.target, ...leavingFrom(running) }, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    onward.write(head)
    onward.pipe(socket).pipe(onward)
  })
  onward.on('error', () => socket.destroy())
  socket.on('close', () => onward.destroy())
}

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
    })
  })

const trackSockets = (server: Server, running: Running) => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    if (running.failure === 'dead') socket.destroy()
  })
  return sockets
}

/** Starts a forward proxy for plain requests and CONNECT. It knows the names of the simulated world only. */
export async function startForwardProxy(start: ForwardProxyStart): Promise<ForwardProxy> {
  const running: Running = { start, failure: start.failure, counts: none(), turn: 0 }
  const isSilent = () => running.failure === 'silent'
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (!isSilent()) forward(running, request, response)
  }
  const server = start.tls ? createTlsServer(start.tls, onRequest) : createServer(onRequest)
  server.on('connect', (request, socket: Duplex, head) => {
    if (!isSilent()) tunnel(running, request, socket, head)
  })
  const sockets = trackSockets(server, running)
  const host = start.host ?? '127.0.0.1'
  const port = await listen(server, start.port ?? 0, host)
  const login =
    start.username === undefined
      ? ''
      : `${encodeURIComponent(start.username)}:${encodeURIComponent(start.password ?? '')}@`
  return {
    url: `${start.tls ? 'https' : 'http'}://${login}${host}:${port}`,
    requests: () => structuredClone(running.counts),
    resetRequests() {
      running.counts = none()
    },
    setFailure(failure) {
      running.failure = failure
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** What resolves the host names of a city's own websites to the server that answers for them. */
export const resolveCity =
  (city: { indexOfHost(host: string): number | undefined }, websites: Target) =>
  (host: string): Target | undefined =>
    city.indexOfHost(host) === undefined ? undefined : { host: websites.host, port: websites.port }
