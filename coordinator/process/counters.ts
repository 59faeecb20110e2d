import { Counter, Histogram, Registry } from 'prom-client'
import { creditString } from '../billing/prices/cost.ts'

/** Histogram buckets in seconds: from an idle run (5 ms) to a stuck one (a minute). */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 5, 15, 60]

/** The counters of a coordinator. They start at 0 with the process. */
export type Counters = ReturnType<typeof createCounters>

/** Creates the counters of a coordinator. `registry` holds their values for Prometheus. */
export function createCounters() {
  const registers = [new Registry()]
  const [registry = new Registry()] = registers
  const jobs = counter(registers, 'jobs_ended', 'jobs that this coordinator closed', ['status'])
  const outcomes = counter(registers, 'place_outcomes', 'outcomes of the places of closed jobs', ['outcome'])
  const credits = counter(registers, 'credits', 'credits of ledger entries, as absolute amounts', ['type'])
  const attempts = counter(registers, 'webhook_attempts', 'webhook attempts and dropped deliveries', ['result'])

  return {
    registry,
    jobClosed(job: { status: string; outcomes: Record<string, number> }): void {
      jobs.inc({ status: job.status })
      for (const [outcome, count] of Object.entries(job.outcomes)) outcomes.inc({ outcome }, count)
    },
    entryStored({ type, amount }: { type: string; amount: number }): void {
      credits.inc({ type }, Number(creditString(Math.abs(amount))))
    },
    attemptEnded: (result: 'delivered' | 'retried' | 'failed' | 'dropped'): void => attempts.inc({ result }),
    ofLoop: countLoops(registers),
  }
}

/** Returns a function that wraps a run of a loop and records its duration and its failures. */
function countLoops(registers: Registry[]) {
  const failures = counter(registers, 'loop_failures', 'runs of a background loop that failed', ['loop'])
  const seconds = new Histogram({
    name: 'placefleet_loop_seconds',
    help: 'duration of one run of a background loop',
    labelNames: ['loop'],
    buckets: SECONDS,
    registers,
  })
  return <Once extends (signal: AbortSignal) => Promise<unknown>>(loop: string, once: Once) =>
    async (signal: AbortSignal): Promise<void> => {
      const stop = seconds.startTimer({ loop })
      try {
        await once(signal)
      } catch (error) {
        failures.inc({ loop })
        throw error
      } finally {
        stop()
      }
    }
}

function counter<Label extends string>(registers: Registry[], name: string, help: string, labelNames: Label[]) {
  return new Counter({ name: `placefleet_${name}_total`, help, labelNames, registers })
}
