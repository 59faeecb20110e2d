import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type WhenOver = (end: () => Promise<void>) => void

/** A server on a free port of 127.0.0.1. */
export type Served = {
  /** For an HTTP server without TLS. */
  url: string
  /** The address with the port. */
  host: string
  port: number
  close(): Promise<void>
}

/** Starts an HTTP server. It is closed after the test, or after the file if `whenOver` is `afterAll`. */
export const serve = (handler: RequestListener, whenOver: WhenOver = onTestFinished): Promise<Served> =>
  listenOnFreePort(createServer(handler), whenOver)

/** Opens any server on a free port: plain TCP, TLS or HTTP. When it is closed, its connections end at once. */
export async function listenOnFreePort(server: Server, whenOver: WhenOver = onTestFinished): Promise<Served> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  whenOver(close)
  const host = `127.0.0.1:${address.port}`
  return { url: `http://${host}`, host, port: address.port, close }
}
