import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type Exchange, errorReply, type Reply, readCookies } from './exchange.ts'
import type { Fault } from './faults.ts'

const MOST_BODY = 1_000_000

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size <= MOST_BODY) parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const decoded = (path: string) => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // malformed escapes stay as they are, as they do on the real site
  }
}

/** Reads a request; its body as text up to 1 MB. */
export async function readExchange(request: IncomingMessage, origin: string): Promise<Exchange> {
  const url = new URL(request.url ?? '/', origin)
  return {
    method: request.method ?? 'GET',
    url,
    path: decoded(url.pathname),
    headers: request.headers,
    cookies: readCookies(request.headers.cookie),
    address: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    body: request.method === 'POST' ? await readBody(request) : '',
  }
}

const SMALL = 1_400

/** Sends an answer, compressed when that is allowed and wanted. */
export function send(response: ServerResponse, reply: Reply, gzip: boolean, acceptEncoding: string): void {
  const plain = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  const compress = gzip && plain.length > SMALL && /\bgzip\b/.test(acceptEncoding)
  const body = compress ? gzipSync(plain, { level: 1 }) : plain
  const cookies = reply.cookies ? { 'set-cookie': reply.cookies } : {}
  const encoding = compress ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(reply.status, {
    ...reply.headers,
    ...cookies,
    ...encoding,
    'content-length': body.length,
    server: 'ESF',
  })
  response.end(body)
}

const GARBAGE = 'ÿþ\u0000<<<{"[[[not what was asked for'

/** Answers with an injected failure instead of the right reply. */
export function sendFault(response: ServerResponse, fault: Fault, reply: Reply): void {
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  switch (fault) {
    case 'reset':
      response.socket?.resetAndDestroy()
      break
    case 'error':
      send(response, errorReply(500), false, '')
      break
    case 'garbage':
      send(response, { ...reply, status: 200, body: GARBAGE }, false, '')
      break
    case 'cut':
      response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length })
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
  }
}
