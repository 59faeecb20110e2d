import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux gives to connections and to servers that ask for any: 32768 to 60999 by default. */
const RANGE = [20_000, 32_768] as const

/** More than a run has workers on most machines. Each takes its ports from a slice of its own, one after the other. */
const SLICES = 64

const SIZE = Math.floor((RANGE[1] - RANGE[0]) / SLICES)
const slice = RANGE[0] + (Number(process.env.VITEST_POOL_ID ?? 0) % SLICES) * SIZE

let taken = randomInt(SIZE) // another run on this machine begins elsewhere

/**
 * Returns a port that was free a moment ago, for a server that must keep its port after a restart, or whose address must
 * be known before it starts. No connection takes it meanwhile, and no other test of the run while the server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = slice + (taken++ % SIZE)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false, // another server has it
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
