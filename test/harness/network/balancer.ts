import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'
import { listenOnFreePort } from './serve.ts'

/** A server behind a balancer, and the URL of its health check. */
export type Backend = { port: number; health: string }

const LOOK_MS = 200

type Balancer = {
  address: string
  /** Waits until the health of a backend has been checked once more, after now, and was good. */
  sees(nth: number): Promise<void>
}

/**
 * Starts a round-robin TCP balancer. New connections go only to backends with a health check of 200. It is closed after
 * the test.
 */
export async function startBalancer(backends: Backend[]): Promise<Balancer> {
  const isHealthy = await Promise.all(backends.map(({ health }) => answersWell(health)))
  const looks = backends.map(() => 0)
  const closed = new AbortController()
  for (const [nth, { health }] of backends.entries()) {
    void keepLooking(closed.signal, async () => {
      isHealthy[nth] = await answersWell(health)
      looks[nth] = (looks[nth] ?? 0) + 1
    })
  }
  let turn = 0
  const server = createServer((incoming) => {
    const healthy = backends.filter((_, nth) => isHealthy[nth])
    const candidates = healthy.length > 0 ? healthy : backends
    const backend = candidates[turn++ % candidates.length]
    join(incoming, connect(backend?.port ?? 0, '127.0.0.1'))
  })
  onTestFinished(() => closed.abort())
  const { host: address } = await listenOnFreePort(server)
  const sees = async (nth: number) => {
    const before = looks[nth] ?? 0
    // The look that is going on now may have begun before.
    await until('the balancer sees the backend', () => (looks[nth] ?? 0) > before + 1 && isHealthy[nth] === true)
  }
  return { address, sees }
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

function join(incoming: Socket, outgoing: Socket): void {
  for (const [one, other] of [
    [incoming, outgoing],
    [outgoing, incoming],
  ] as const) {
    one.pipe(other)
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
  }
}
