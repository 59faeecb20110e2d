import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Server, Socket } from 'node:net'

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
export async function listen(
  { host, port, certificate }: ListenerStart,
  onRequest: (request: Request, response: Response) => void,
): Promise<Listener> {
  const server: Server = certificate
    ? createSecureServer({ ...certificate, allowHTTP1: true }, onRequest)
    : createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, onRequest)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `${certificate ? 'https' : 'http'}://${host === '0.0.0.0' ? '127.0.0.1' : host}:${portOf(server)}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the map site has no port')
  return address.port
}
