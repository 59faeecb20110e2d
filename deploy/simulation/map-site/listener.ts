import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { listen } from '../listen.ts'

/** An HTTP/1.1 or HTTP/2 request. */
export type Request = IncomingMessage | Http2ServerRequest
/** An HTTP/1.1 or HTTP/2 response. */
export type Response = ServerResponse | Http2ServerResponse

/** A private key and its certificate, in PEM. */
export type Certificate = { key: string; cert: string }

/** A server that listens. */
export interface Listener {
  /** The base URL, without a trailing slash. */
  url: string
  /** Stops listening and destroys all connections. */
  close(): Promise<void>
}

interface ListenerStart {
  host: string
  /** 0 picks a free port. */
  port: number
  /** With a certificate the server speaks HTTPS and HTTP/2, like the real site. */
  certificate?: Certificate | undefined
}

const KEEP_ALIVE_MS = 30_000

/**
 * Starts a server.
 * @throws Error when the port is taken
 */
export async function startListener(
  { host, port, certificate }: ListenerStart,
  onRequest: (request: Request, response: Response) => void,
): Promise<Listener> {
  const server = certificate
    ? createSecureServer({ ...certificate, allowHTTP1: true }, onRequest)
    : createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, onRequest)
  const bound = await listen(server, { host, port })
  const name = host === '0.0.0.0' ? '127.0.0.1' : host
  return { url: `${certificate ? 'https' : 'http'}://${name}:${bound.port}`, close: bound.close }
}
