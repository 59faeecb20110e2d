import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'
import { createLink } from './link.ts'
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
  const links = backends.map(({ port }, nth) => createLink(`backend ${nth}`, { host: '127.0.0.1', port }))
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const healthy = links.filter((_, nth) => isHealthy[nth])
    const candidates = healthy.length > 0 ? healthy : links
    candidates[turn++ % candidates.length]?.carry(incoming).catch(() => incoming.destroy())
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
