import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '@placefleet/shared/timing'
import { asMapFailed, TRANSIENT } from './fault.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 3_000

/** How often a question is tried. `timeouts`: a timeout is tried again too. */
export type RetryPolicy = { readonly tries: number; readonly timeouts: boolean }

/** Retries transient failures with growing waits. Throws the last MapFailed or the abort reason. */
export async function withRetries<T>(
  { tries, timeouts }: RetryPolicy,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const failure = await work().then((value) => ({ value }), asMapFailed)
    if ('value' in failure) return failure.value
    signal.throwIfAborted()
    const passes = TRANSIENT.has(failure.fault) && (timeouts || failure.fault !== 'timeout')
    if (attempt >= tries || !passes) throw failure
    await pause(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS), signal)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
