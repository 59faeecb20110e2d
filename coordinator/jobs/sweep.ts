import type { Logger } from '@placefleet/shared/log'
import type { Leases } from '../tasks/lease.ts'
import type { TaskNotifier } from '../tasks/notifier.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'
import type { JobEngine } from './engine.ts'
import type { JobStore } from './store.ts'

/** How often every coordinator sweeps. */
export const SWEEP_MS = 5_000

/** How often every coordinator looks for jobs and leases whose time is over. */
export const DEADLINE_MS = 1_000

/** Jobs in one sweep at most. The next sweep takes the others. */
const BATCH = 100

/**
 * How long a released task may stay unclaimed before the fleet is notified again. In a queue that is never empty a
 * second message costs one refused claim at most; without it a task whose message was lost would wait for ever.
 */
const NOTIFY_AGAIN_SECONDS = { emptyQueue: 10, busyQueue: 60 }

export type SweepDeps = {
  log: Logger
  jobs: JobStore
  tasks: TaskStore
  leases: Leases
  notifier: TaskNotifier
  engine: JobEngine
  /** Removes what a creation left that died half way. */
  rollbackCreation(job: JobDocument): Promise<void>
}

/**
 * Moves on whatever is stuck: waiting tasks, lost messages, unfinished ends. Every step is a compare-and-set, so any
 * number of coordinators may sweep at once.
 */
export async function sweepOnce(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { jobs, engine } = deps
  const steps = [
    () => notifyAgain(deps),
    async () => reconcileAll(engine, await jobs.leastRecentlySwept(['pending', 'running', 'aborting'], BATCH)),
    async () => {
      const unfinished = [...(await jobs.notClosed(BATCH)), ...(await jobs.notPurged(BATCH))]
      await reconcileAll(
        engine,
        unfinished.map((job) => job._id),
      )
    },
    async () => {
      for (const job of await jobs.stalledCreations(BATCH)) await deps.rollbackCreation(job)
    },
  ]
  for (const step of steps) if (!signal.aborted) await step()
}

/**
 * Starts to end the jobs whose `max_time` is over, ends those whose agents did not stop in time, and takes the tasks
 * of agents whose leases are over.
 */
export async function enforceDeadlines(deps: Pick<SweepDeps, 'jobs' | 'engine' | 'leases'>): Promise<void> {
  const { jobs, engine, leases } = deps
  await reconcileAll(engine, await leases.expire())
  for (const job_id of await jobs.pastDeadline()) await engine.abort(job_id, 'timeout')
  await reconcileAll(engine, await jobs.abortTimeouts())
}

async function reconcileAll(engine: JobEngine, job_ids: string[]): Promise<void> {
  for (const job_id of job_ids) await engine.reconcile(job_id)
}

/**
 * Notifies the fleet again of tasks that nobody claimed. When the queue is empty their messages were lost, and the wait
 * is short. When other messages wait, theirs may be among them, and the wait is longer.
 */
async function notifyAgain({ tasks, notifier }: SweepDeps): Promise<void> {
  const waiting = await notifier.waiting()
  if (waiting === undefined) return
  const seconds = waiting === 0 ? NOTIFY_AGAIN_SECONDS.emptyQueue : NOTIFY_AGAIN_SECONDS.busyQueue
  for (const task of await tasks.overdue(seconds)) await notifier.notify(task)
}
