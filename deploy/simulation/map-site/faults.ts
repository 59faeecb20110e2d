import { setTimeout as sleep } from 'node:timers/promises'
import type { SiteOptions } from './options.ts'
import { chance } from './random.ts'

const FAULTS = ['error', 'reset', 'cut', 'garbage'] as const
/** The kinds of injected failures: status 500, a connection reset, a truncated body, or a garbage body. */
export type Fault = (typeof FAULTS)[number]

/** Returns the fault of request number `nth`, if any. It depends only on the seed and the number. */
export function faultOf(seed: number, nth: number, { failureRate }: SiteOptions): Fault | undefined {
  const dice = chance(seed, nth, 9001)
  return dice.happens(failureRate) ? dice.pick(FAULTS) : undefined
}

/** Waits as long as the options delay request number `nth`. */
export async function delay(seed: number, nth: number, { latencyMs }: SiteOptions): Promise<void> {
  const wait = latencyMs.min + chance(seed, nth, 9002).next() * (latencyMs.max - latencyMs.min)
  if (wait > 0) await sleep(wait)
}
