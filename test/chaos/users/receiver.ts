import { once } from 'node:events'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { chance } from '@placefleet/deploy/simulation/map-site/random'
import { createAuthority } from '../../harness/network/certificates.ts'

/** One request that arrived, and what it was answered; without an answer it was cut off. */
export type Arrival = { id: string; body: string; headers: Record<string, string>; status: number; path: string }

/** A receiver of webhooks that does not always feel like it. */
export type Receiver = {
  /** Its URL for one user. */
  urlFor(user: string): string
  /** For WEBHOOK_ALLOW_HOSTS. */
  host: string
  /** The authority to trust, in PEM. */
  ca: string
  arrivals: readonly Arrival[]
  /** From now on it takes everything. */
  behave(): void
  close(): void
}

/** Of a hundred requests so many are answered with a 500. */
const MOODY_PERCENT = 10

/** Starts a receiver on a port of this machine. */
export async function startReceiver(seed: number): Promise<Receiver> {
  const authority = await createAuthority()
  const dice = chance(seed, 0x3eb)
  const arrivals: Arrival[] = []
  const sockets = new Set<Socket>()
  let moody = true
  const server = createServer(await authority.issue(['localhost']), (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = moody && dice.between(1, 100) <= MOODY_PERCENT ? 500 : 204
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const id = headers['x-webhook-id'] ?? ''
      arrivals.push({ id, body: Buffer.concat(chunks).toString(), headers, status, path: request.url ?? '' })
      response.writeHead(status).end()
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const host = `localhost:${address.port}`
  return {
    urlFor: (user) => `https://${host}/${user}`,
    host,
    ca: authority.ca,
    arrivals,
    behave() {
      moody = false
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
