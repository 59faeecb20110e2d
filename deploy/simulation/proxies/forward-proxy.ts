import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { listen } from '../listen.ts'

export interface Target {
  host: string
  port: number
}

export interface ForwardProxyStart {
  /** Resolves a host name of the simulated world; undefined when the name does not exist. */
  resolve: (host: string) => Target | undefined
  /** With user name and password, clients must authenticate. */
  username?: string
  password?: string
  /** The loopback address for outgoing connections, e.g. 127.0.0.5. */
  localAddress?: string
  /** The proxy closes connections, never answers, or refuses every request with this status. */
  failure?: 'dead' | 'silent' | 407 | 403
  /** The certificate in PEM, for a proxy over TLS. */
  tls?: { key: string; cert: string }
}

export type ForwardProxy = Awaited<ReturnType<typeof startForwardProxy>>

/** Plain requests, tunnels, and both by target host. */
type ProxyCounts = { requests: number; tunnels: number; hosts: Record<string, number> }

type Proxy = { start: ForwardProxyStart; counts: ProxyCounts }

const WORDS = { 403: 'Forbidden', 407: 'Proxy Authentication Required', 502: 'Bad Gateway' } as const
type RefusalStatus = keyof typeof WORDS

const refuse = (status: RefusalStatus, socket: Duplex) => {
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="proxy"\r\n' : ''
  socket.end(`HTTP/1.1 ${status} ${WORDS[status]}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}

/** Returns where a request leads, or the status that refuses it. */
function destinationOf({ start, counts }: Proxy, request: IncomingMessage, address: string) {
  const { username, password = '', failure, resolve } = start
  if (failure === 403 || failure === 407) return failure
  const login = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  if (username !== undefined && request.headers['proxy-authorization'] !== login) return 407
  const url = URL.parse(address)
  if (!url) return 502
  const { hostname } = url
  const port = Number(url.port || 80)
  // Loopback addresses are not resolved: the simulated map site has no name.
  const isLoopback = hostname === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  const target = isLoopback ? { host: hostname.replace('localhost', '127.0.0.1'), port } : resolve(hostname)
  if (!target) return 502
  counts.hosts[hostname] = (counts.hosts[hostname] ?? 0) + 1
  return { path: `${url.pathname}${url.search}`, authority: url.host, target: { ...target, ...outgoing(start) } }
}

const outgoing = ({ localAddress }: ForwardProxyStart) => (localAddress === undefined ? {} : { localAddress })

function forward(proxy: Proxy, request: IncomingMessage, response: ServerResponse): void {
  proxy.counts.requests++
  const destination = destinationOf(proxy, request, request.url ?? '')
  if (typeof destination === 'number') {
    refuse(destination, request.socket)
    return
  }
  const { target, path, authority } = destination
  const { 'proxy-authorization': _secret, 'proxy-connection': _hop, ...headers } = request.headers
  const upstream = httpRequest({ ...target, method: request.method, path, headers: { ...headers, host: authority } })
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  upstream.on('error', () => (response.headersSent ? response.destroy() : refuse(502, request.socket)))
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)
}

function tunnel(proxy: Proxy, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  proxy.counts.tunnels++
  socket.on('error', () => socket.destroy())
  const destination = destinationOf(proxy, request, `http://${request.url}`)
  if (typeof destination === 'number') {
    refuse(destination, socket)
    return
  }
  const upstream = connect(destination.target, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.destroy())
  socket.on('close', () => upstream.destroy())
}

/** Starts a forward proxy for plain requests and CONNECT. It resolves only the names of the simulated world. */
export async function startForwardProxy(start: ForwardProxyStart) {
  const proxy: Proxy = { start, counts: { requests: 0, tunnels: 0, hosts: {} } }
  const { tls, username, password = '', failure } = start
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (failure !== 'silent') forward(proxy, request, response)
  }
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest)
  server.on('connect', (request, socket: Duplex, head) => {
    if (failure !== 'silent') tunnel(proxy, request, socket, head)
  })
  server.on('connection', (socket) => {
    if (failure === 'dead') socket.destroy()
  })
  const { port, close } = await listen(server, { host: '127.0.0.1', port: 0 })
  const login = username === undefined ? '' : `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`
  const url = `${tls ? 'https' : 'http'}://${login}127.0.0.1:${port}`
  return { url, requests: () => structuredClone(proxy.counts), close }
}
