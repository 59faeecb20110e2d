import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from './errors.ts'
import { requestIdOf } from './request-log.ts'
import type { Server } from './typed-server.ts'

type KnownPath = { segments: string[]; methods: Set<string> }

/**
 * Answers requests that match no route: 405 with `Allow` when the path exists with another method, else 404. Register
 * it before any route, and after the hooks that must run first.
 */
export function refuseUnknownRoutes(app: Server): void {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return // static files: a missing file is a 404
    const known = paths.get(url) ?? { segments: url.split('/'), methods: new Set() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  const refuse = (url: string): never => {
    const exact = paths.get(pathOf(url))
    const segments = pathOf(url).split('/')
    const matching = exact ? [exact] : [...paths.values()].filter((path) => matches(path.segments, segments))
    if (matching.length === 0) throw new AppError('not_found', 'This path does not exist. See /docs for all paths.')
    const allow = [...new Set(matching.flatMap((path) => [...path.methods]))].sort().join(', ')
    throw new AppError('method_not_allowed', `This path accepts ${allow}.`, { headers: { allow } })
  }
  app.addHook('onRequest', async ({ is404, method, url }) => {
    const exact = paths.get(pathOf(url)) // `GET /jobs/estimates` must not look up a job named `estimates`
    if (is404 || (exact && !exact.methods.has(method))) refuse(url)
  })
  app.setNotFoundHandler((request) => refuse(request.url))
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
}

/** Answers requests that Node rejects before they reach a route, with our error body. */
export function handleMalformedRequests(app: Server): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      const headers = { connection: 'close' }
      throw new AppError('bad_request', 'The request has no `Host` header, which HTTP/1.1 requires.', { headers })
    }
  })
  app.server.on('checkExpectation', (request, _response) => {
    reject(request.socket, 417, 'Unsupported `Expect` header. Only `Expect: 100-continue` is supported.')
  })
  app.server.on('connect', (_request, socket) => {
    reject(socket, 405, 'CONNECT is not allowed: this server is not a proxy.', [
      'allow: GET, HEAD, POST, PATCH, DELETE',
    ])
  })
}

type ParseFailure = Error & { code?: string }

/**
 * Answers data that is not a valid HTTP request, or that arrives too slowly or too large, and closes the connection.
 */
export function rejectUnparsable(error: ParseFailure, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  reject(socket, status, 'The request is not valid HTTP, or it is too slow or too large.')
}

/** Statuses that only unreadable requests answer. */
const IDENTIFIERS: Record<number, string> = {
  405: 'method_not_allowed',
  408: 'request_timeout',
  417: 'expectation_failed',
  431: 'headers_too_large',
}

function reject(socket: Duplex, status: number, message: string, headers: readonly string[] = []): void {
  const request_id = requestIdOf()
  const body = JSON.stringify({ code: status, error: IDENTIFIERS[status] ?? 'bad_request', message, request_id })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${request_id}`,
    ...headers,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
