import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A server behind a balancer, and the URL of its health check. */
export type Backend = { port: number; health: string }

const LOOK_MS = 200

/**
 * Starts a round-robin TCP balancer. New connections go only to backends with a health check of 200. It is closed after
 * the test. Returns its address.
 */
export async function startBalancer(backends: Backend[]): Promise<string> {
  const isHealthy = await Promise.all(backends.map(({ health }) => answersWell(health)))
  const closed = new AbortController()
  for (const [nth, { health }] of backends.entries()) {
    void keepLooking(closed.signal, async () => {
      isHealthy[nth] = await answersWell(health)
    })
  }
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((incoming) => {
    const healthy = backends.filter((_, nth) => isHealthy[nth])
    const candidates = healthy.length > 0 ? healthy : backends
    const backend = candidates[turn++ % candidates.length]
    join(incoming, connect(backend?.port ?? 0, '127.0.0.1'), sockets)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    closed.abort()
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `127.0.0.1:${address.port}`
}

/** Looks until the signal, each time after a pause. */
async function keepLooking(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await look()
    await sleep(LOOK_MS)
  }
}

/** A stopped server refuses the connection at once. A busy one may take seconds to answer, and is healthy. */
const answersWell = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(10_000), headers: { connection: 'close' } }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

function join(incoming: Socket, outgoing: Socket, sockets: Set<Socket>): void {
  for (const [one, other] of [
    [incoming, outgoing],
    [outgoing, incoming],
  ] as const) {
    sockets.add(one)
    one.pipe(other)
    one
      .on('error', () => other.destroy())
      .on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
  }
}
