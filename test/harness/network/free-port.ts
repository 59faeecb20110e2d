import { randomInt } from 'node:crypto'
import { isTaken, LASTING_PORTS } from '@placefleet/deploy/embedded/nats-access'

/** More than a run has workers on most machines. Each takes its ports from a slice of its own, one after the other. */
const SLICES = 64

const { first, last } = LASTING_PORTS
const SIZE = Math.floor((last + 1 - first) / SLICES)
const slice = first + (Number(process.env.VITEST_POOL_ID ?? 0) % SLICES) * SIZE

let taken = randomInt(SIZE) // another run on this machine begins elsewhere

/**
 * Returns a port that was free a moment ago, for a server that must keep its port after a restart, or whose address must
 * be known before it starts. No connection takes it meanwhile, and no other test of the run while the server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = slice + (taken++ % SIZE)
    if (!(await isTaken(port))) return port
  }
}
