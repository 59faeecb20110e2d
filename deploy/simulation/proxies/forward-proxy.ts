import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { listen } from '../listen.ts'

export interface Target {
  host: string
  port: number
}

/** A failure of the proxy: it closes connections, never answers, or refuses every request with this status. */
export type ProxyFailure = 'dead' | 'silent' | 407 | 403

export interface ForwardProxyStart {
  /** Resolves a host name of the simulated world; undefined when the name does not exist. */
  resolve: (host: string) => Target | undefined
  /** With user name and password, clients must authenticate. */
  username?: string
  password?: string
  /** The loopback address for outgoing connections, e.g. 127.0.0.5. With several, they are used in turn. */
  localAddress?: string | readonly string[]
  failure?: ProxyFailure
  /** The certificate in PEM, for a proxy over TLS. */
  tls?: { key: string; cert: string }
  /** The address to listen on. Default: 127.0.0.1 and a free port. */
  host?: string
  port?: number
}

interface ProxyCounts {
  /** Plain requests, tunnels, and how many of both the proxy refused. */
  requests: number
  tunnels: number
  refused: number
  /** Forwarded plain requests and tunnels, by target host. */
  hosts: Record<string, number>
}

export interface ForwardProxy {
  /** `http://[user:password@]host:port`, or `https://…` */
  url: string
  requests(): ProxyCounts
  resetRequests(): void
  setFailure(failure: ProxyFailure | undefined): void
  close(): Promise<void>
}

interface Proxy {
  start: ForwardProxyStart
  failure: ProxyFailure | undefined
  counts: ProxyCounts
  /** The number of outgoing connections. It selects the next local address. */
  connections: number
}

const none = (): ProxyCounts => ({ requests: 0, tunnels: 0, refused: 0, hosts: {} })

const isLoopback = (host: string) => host === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(host)

// Loopback addresses are not resolved: the simulated map site has no name.
const targetOf = (running: Proxy, host: string, port: number): Target | undefined =>
  isLoopback(host)
    ? { host: host === 'localhost' ? '127.0.0.1' : host, port }
    : running.start.resolve(host.toLowerCase())

const isAllowed = ({ username, password }: ForwardProxyStart, header: string | undefined) => {
  if (username === undefined) return true
  return header === `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`
}

const WORDS = { 403: 'Forbidden', 407: 'Proxy Authentication Required', 502: 'Bad Gateway' } as const
type RefusalStatus = keyof typeof WORDS

const refusalOf = (running: Proxy, request: IncomingMessage): RefusalStatus | undefined => {
  if (running.failure === 403 || running.failure === 407) return running.failure
  return isAllowed(running.start, request.headers['proxy-authorization']) ? undefined : 407
}

const CHALLENGE = { 'proxy-authenticate': 'Basic realm="proxy"' }

const refuse = (running: Proxy, status: RefusalStatus, response: ServerResponse) => {
  running.counts.refused++
  response.writeHead(status, {
    ...(status === 407 ? CHALLENGE : {}),
    'content-type': 'text/plain',
    connection: 'close',
  })
  response.end(WORDS[status])
}

const refuseTunnel = (running: Proxy, status: RefusalStatus, socket: Duplex) => {
  running.counts.refused++
  const challenge = status === 407 ? `Proxy-Authenticate: ${CHALLENGE['proxy-authenticate']}\r\n` : ''
  socket.end(`HTTP/1.1 ${status} ${WORDS[status]}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}

const countHost = ({ counts }: Proxy, host: string) => {
  counts.hosts[host] = (counts.hosts[host] ?? 0) + 1
}

const outgoingHeaders = ({ headers }: IncomingMessage) => {
  const { 'proxy-authorization': _secret, 'proxy-connection': _hop, ...rest } = headers
  return rest
}

type Destination = { refused: RefusalStatus } | { path: string; authority: string; target: Target }

const destinationOf = (running: Proxy, request: IncomingMessage, address: string): Destination => {
  const status = refusalOf(running, request)
  if (status) return { refused: status }
  const url = URL.parse(address)
  const target = url ? targetOf(running, url.hostname, Number(url.port || 80)) : undefined
  if (!url || !target) return { refused: 502 }
  countHost(running, url.hostname)
  return { path: `${url.pathname}${url.search}`, authority: url.host, target }
}

const nextLocalAddress = (running: Proxy): { localAddress?: string } => {
  const addresses = [running.start.localAddress ?? []].flat()
  const address = addresses[running.connections++ % addresses.length]
  return address === undefined ? {} : { localAddress: address }
}

function forward(running: Proxy, request: IncomingMessage, response: ServerResponse): void {
  running.counts.requests++
  const destination = destinationOf(running, request, request.url ?? '')
  if ('refused' in destination) {
    refuse(running, destination.refused, response)
    return
  }
  const { target, path, authority } = destination
  const headers = { ...outgoingHeaders(request), host: authority }
  const upstream = httpRequest({ ...target, method: request.method, path, headers, ...nextLocalAddress(running) })
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  upstream.on('error', () => (response.headersSent ? response.destroy() : refuse(running, 502, response)))
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)
}

function tunnel(running: Proxy, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  running.counts.tunnels++
  socket.on('error', () => socket.destroy())
  const destination = destinationOf(running, request, `http://${request.url}`)
  if ('refused' in destination) {
    refuseTunnel(running, destination.refused, socket)
    return
  }
  const upstream = connect({ ...destination.target, ...nextLocalAddress(running) }, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.destroy())
  socket.on('close', () => upstream.destroy())
}

/** Starts a forward proxy for plain requests and CONNECT. It resolves only the names of the simulated world. */
export async function startForwardProxy(start: ForwardProxyStart): Promise<ForwardProxy> {
  const running: Proxy = { start, failure: start.failure, counts: none(), connections: 0 }
  const isSilent = () => running.failure === 'silent'
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (!isSilent()) forward(running, request, response)
  }
  const server = start.tls ? createTlsServer(start.tls, onRequest) : createServer(onRequest)
  server.on('connect', (request, socket: Duplex, head) => {
    if (!isSilent()) tunnel(running, request, socket, head)
  })
  server.on('connection', (socket) => {
    if (running.failure === 'dead') socket.destroy()
  })
  const host = start.host ?? '127.0.0.1'
  const { port, close } = await listen(server, { host, port: start.port ?? 0 })
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
    close,
  }
}
