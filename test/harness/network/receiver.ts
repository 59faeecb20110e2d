import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Identity } from './certificates.ts'

/** A request that a receiver got. */
export type Received = { headers: IncomingHttpHeaders; body: string; at: number; path: string }

/** How a receiver answers a request. */
export type Respond = (response: ServerResponse, received: Received, socket: Socket) => void

/** A receiver of webhooks on a port of this machine. */
export type Receiver = {
  /** Its URL with the path `/hook`. The host is its name, or its address if that is not 127.0.0.1. */
  url: string
  port: number
  /** For the allow list. */
  host: string
  received: Received[]
  /** Returns the number of connections that reached it. */
  connections(): number
  close(): Promise<void>
}

const NO_CONTENT: Respond = (response) => void response.writeHead(204).end()

/** The names in the certificates of receivers. */
export const RECEIVER_NAMES = ['localhost', '127.0.0.1', 'receiver.example.com']

/** Starts an https server that answers with `respond`. Default: 204. */
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
