import type { Logger } from '@placefleet/shared/log'
import type { Doorbell } from '../tasks/doorbell.ts'
import type { Leases } from '../tasks/lease.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'
import { type JobEngine, ring } from './engine.ts'
import type { JobStore } from './store.ts'

/** How often every coordinator sweeps. */
export const SWEEP_MS = 5_000

/** How often every coordinator looks for jobs and leases whose time is up. */
export const DEADLINE_MS = 1_000

/** Jobs looked at in one sweep at most: the others have their turn in the next. */
const BATCH = 100

/**
 * How long a released task may stay unclaimed before it is rung for again. In a queue that is never empty a second
 * message costs a refused claim at most, and without it a task whose message was lost would wait for ever.
 */
const RING_AGAIN_SECONDS = { emptyQueue: 10, busyQueue: 60 }

export type SweepParts = {
  log: Logger
  jobs: JobStore
  tasks: TaskStore
  leases: Leases
  doorbell: Doorbell
  engine: JobEngine
  /** Removes what a creation that died half way left. */
  undoCreation(job: JobDocument): Promise<void>
}

/**
 * Moves on whatever is stuck: tasks that wait, rings that were lost, ends that nobody finished. Every
 * step is a compare-and-set, so any number of coordinators may sweep at once.
 */
export async function sweepOnce(parts: SweepParts, signal: AbortSignal): Promise<void> {
  const { jobs, engine } = parts
  const steps = [
    () => ringAgain(parts),
    async () => advanceAll(engine, await jobs.leastRecentlySwept(['pending', 'running', 'aborting'], BATCH)),
    async () => {
      for (const job of [...(await jobs.notClosed(BATCH)), ...(await jobs.notPurged(BATCH))]) await engine.close(job)
    },
    async () => {
      for (const job of await jobs.abandoned(BATCH)) await parts.undoCreation(job)
    },
  ]
  for (const step of steps) if (!signal.aborted) await step()
}

/**
 * Begins to end the jobs whose `max_time` is over, ends those that have waited long enough for their agents, and takes the
 * tasks of agents whose leases are over.
 */
export async function enforceDeadlines(parts: Pick<SweepParts, 'jobs' | 'engine' | 'leases'>): Promise<void> {
  const { jobs, engine, leases } = parts
  await advanceAll(engine, await leases.expire())
  for (const job_id of await jobs.pastDeadline()) await engine.abort(job_id, 'timeout')
  await advanceAll(engine, await jobs.pastPatience())
}

async function advanceAll(engine: JobEngine, job_ids: string[]): Promise<void> {
  for (const job_id of job_ids) await engine.advance(job_id)
}

/**
 * Rings again for tasks that nobody claimed: soon when the queue is empty, for then their messages were lost. When
 * others wait there, theirs may be among them, and it takes longer until they are believed to be lost.
 */
async function ringAgain({ tasks, doorbell }: SweepParts): Promise<void> {
  const waiting = await doorbell.waiting()
  if (waiting === undefined) return
  const overdue = await tasks.overdue(waiting === 0 ? RING_AGAIN_SECONDS.emptyQueue : RING_AGAIN_SECONDS.busyQueue)
  for (const task of overdue) await ring(doorbell, task)
}
