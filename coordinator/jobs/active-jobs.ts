import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { Held } from '../mongo/due-work.ts'
import { createDueWorkers, type DueWorkers } from '../mongo/due-workers.ts'
import type { Timings } from '../timings.ts'
import type { JobDocument } from './documents.ts'
import { activeJobQueue } from './due-jobs.ts'
import type { JobEngine } from './engine.ts'
import { IN_CREATION } from './phase.ts'
import { isStalledCreation } from './store.ts'

type ActiveJobsDeps = {
  db: Db
  log: Logger
  timings: Timings
  engine: JobEngine
  /** Rolls back an interrupted creation. */
  rollbackCreation(job: JobDocument): Promise<unknown>
}

/** How many jobs one coordinator advances at the same time. */
const AT_ONCE = 4

/**
 * Creates the workers that look at the active jobs again and again. They repair what is stuck: waiting tasks, lost
 * messages, unfinished creations and ends. They abort jobs at their deadline.
 */
export const createActiveJobWorkers = (deps: ActiveJobsDeps): DueWorkers =>
  createDueWorkers<JobDocument>({
    name: 'an active job',
    log: deps.log,
    queue: activeJobQueue(deps.db, deps.timings),
    atOnce: AT_ONCE,
    renewMs: deps.timings.sweepMs / 3,
    work: (job) => lookAt(deps, job),
  })

async function lookAt({ db, engine, rollbackCreation }: ActiveJobsDeps, job: Held<JobDocument>): Promise<void> {
  if (IN_CREATION.includes(job.phase)) {
    if (await isStalledCreation(db, job._id)) await rollbackCreation(job)
    return
  }
  const isLate = job.phase === 'running' && job.deadline_at !== undefined && job.deadline_at < job.lease.at
  if (!isLate || !(await engine.abort(job._id, 'timeout'))) await engine.reconcile(job._id)
}
