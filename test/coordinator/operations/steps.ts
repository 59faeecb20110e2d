import { Crash } from '../billing/memory-ledger.ts'

/** What a process does at one of its writes: it writes, it waits, or it dies. */
export type Step = (write: () => Promise<unknown>) => Promise<unknown>

/** Returns the steps of a process that dies before a write. It tells of its death, which a program may swallow. */
export function dyingBefore(point: number, whenDead: () => void = () => undefined): Step {
  let writes = 0
  return async (write) => {
    writes += 1
    if (writes < point) return write()
    whenDead()
    throw new Crash()
  }
}
