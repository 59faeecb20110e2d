import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Identity } from './certificates.ts'

/** What a receiver was sent. */
export type Received = { headers: IncomingHttpHeaders; body: string; at: number; path: string }

/** What a receiver does with it. */
export type Respond = (response: ServerResponse, received: Received, socket: Socket) => void

/** A receiver of webhooks on a port of this machine. */
export type Receiver = {
  /** Its name, or its address if that is another than 127.0.0.1, and the path `/hook`. */
  url: string
  port: number
  /** For the allow list. */
  host: string
  received: Received[]
  /** Connections that reached it, whatever came of them. */
  connections(): number
  close(): Promise<void>
}

const NO_CONTENT: Respond = (response) => void response.writeHead(204).end()

/** The names that receivers of tests are certified for. */
export const RECEIVER_NAMES = ['localhost', '127.0.0.1', 'receiver.example.com']

/** Starts an https server that answers as told; 204 by default. */
export async function startReceiver(
  identity: Identity,
  respond: Respond = NO_CONTENT,
  address = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer({ ...identity }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
        path: request.url ?? '',
      }
      received.push(one)
      respond(response, one, request.socket)
    })
  })
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket.on('error', () => sockets.delete(socket)).on('close', () => sockets.delete(socket)))
  })
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  const host = `${address === '127.0.0.1' ? 'localhost' : address}:${port}`
  return { url: `https://${host}/hook`, port, host, received, connections: () => connections, close }
}
