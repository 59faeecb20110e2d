import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What becomes of the write that a step-down catches. `interrupted`: it was not applied. `unreplicated`: it was applied,
 * but no majority acknowledged it.
 */
export type Caught = 'interrupted' | 'unreplicated'

/** Which member is the primary. The members share it. */
export type Topology = ReturnType<typeof createTopology>

/** Creates the topology of a set without a primary. */
export function createTopology() {
  let primary: number | undefined
  let term = 0
  let alone = false
  let counter = 0
  let changed = Promise.withResolvers<void>()
  let trap: { collection: string; caught: Caught; nth: number; sprung: PromiseWithResolvers<void> } | undefined

  const become = (next: number | undefined) => {
    primary = next
    alone = false
    if (next !== undefined) term += 1
    counter += 1
    changed.resolve()
    changed = Promise.withResolvers()
  }

  return {
    primary: () => primary,
    /** Counts the elections. */
    term: () => term,
    /** Counts the changes. */
    counter: () => counter,
    elect: (member: number) => become(member),
    losePrimary: () => become(undefined),
    loseSecondaries: () => {
      alone = true
    },
    /** Whether no secondary replicates what the primary writes. An election ends it. */
    isAlone: () => alone,
    /** Waits until the counter is not `known` any more, but no longer than this time. Returns the counter. */
    async changeSince(known: number, withinMs: number, signal: AbortSignal): Promise<number> {
      const late = { signal, ref: false }
      if (known === counter) await Promise.race([changed.promise, sleep(withinMs, undefined, late)])
      return counter
    },
    /** Makes the primary step down during its n-th next write to a collection. Resolves when it has. */
    stepDownDuring(collection: string, caught: Caught, nth = 1): Promise<void> {
      trap = { collection, caught, nth, sprung: Promise.withResolvers() }
      return trap.sprung.promise
    },
    /** Returns the step-down that a write of the primary to these collections meets, if it meets one. */
    stepDownAt(collections: readonly string[]): { caught: Caught; stepDown(): void } | undefined {
      if (trap === undefined || !collections.includes(trap.collection) || --trap.nth > 0) return undefined
      const { caught, sprung } = trap
      trap = undefined
      const stepDown = () => {
        become(undefined)
        sprung.resolve()
      }
      return { caught, stepDown }
    },
  }
}
