import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@placefleet/shared/log'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Db } from 'mongodb'
import type { Holds } from '../billing/ledger/holds.ts'
import type { Context } from '../context.ts'
import { removeCells } from '../coverage/store.ts'
import { AppError } from '../http/errors.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import { createDueWorkers, type DueWorkers } from '../mongo/due-workers.ts'
import type { ResultAppender } from '../results/append.ts'
import type { References } from '../tasks/plan.ts'
import { cancelTasks, removeTasks } from '../tasks/store.ts'
import type { Timings } from '../timings.ts'
import { countEndedJobs } from './counts.ts'
import type { JobDocument } from './documents.ts'
import { endedJobQueue, isOver, markRecorded, postponeJob, unrecordedJobs, unscheduleJob } from './due-jobs.ts'
import { bill } from './finish.ts'
import { markClosed, markPurged } from './phase-moves.ts'
import { removeProxies } from './proxies.ts'
import { removeJob } from './store.ts'

/**
 * Hears of the end of a job, which its user sees already. It may take minutes, and stops when the signal aborts. Safe
 * to repeat: it is called again until all hooks of the job have succeeded once in a row.
 */
export type JobEndHook = (job: JobDocument, signal: AbortSignal) => Promise<void>

export type EndedJobsDeps = {
  db: Db
  log: Logger
  timings: Timings
  counters: Pick<Context['counters'], 'jobClosed'>
  references: Pick<References, 'remove' | 'removeListed'>
  results: Pick<ResultAppender, 'seal' | 'bury' | 'delete'>
  holds: Pick<Holds, 'settle' | 'of'>
  known: Pick<KnownPlaces, 'forgetDropped'>
  /** They are called one after the other: the quick ones come first. */
  onJobEnded: readonly JobEndHook[]
  /** Whether its monitor still needs what the job left, because the run is not compared yet. */
  isNeeded(job: JobDocument): Promise<boolean>
}

/** How many ended jobs one coordinator works on at the same time. */
const AT_ONCE = 8

/**
 * Creates the workers for what follows the end of jobs: who hears of it, and the removal of what is no longer needed.
 */
export const createEndedJobWorkers = (deps: EndedJobsDeps): DueWorkers =>
  createDueWorkers<JobDocument>({
    name: 'an ended job',
    log: deps.log,
    queue: endedJobQueue(deps.db, deps.timings),
    atOnce: AT_ONCE,
    renewMs: deps.timings.sweepMs / 3,
    work: (job, signal) => followEnd(deps, job, signal),
  })

/** Does what is due after the end of a job. Every step is safe to repeat. */
export async function followEnd(deps: EndedJobsDeps, job: JobDocument, signal: AbortSignal): Promise<void> {
  if (job.phase === 'closing') await close(deps, job, signal)
  else if (job.phase === 'deleting') await purge(deps, job, signal)
  else await tidy(deps, job, signal)
}

/** Closes an ended job: calls the hooks. Then purges it if it is deleted. */
async function close(deps: EndedJobsDeps, job: JobDocument, signal: AbortSignal): Promise<void> {
  const { db } = deps
  await countEndedJobs(db, job.user_id)
  await bill(deps, job)
  await cancelTasks(db, job._id) // a coordinator may have planned tasks before it knew of the end
  if (job.proxy_count > 0) await removeProxies(db, job._id)
  for (const hook of deps.onJobEnded) {
    await hook(job, signal)
    signal.throwIfAborted()
  }
  const closed = await markClosed(db, job._id)
  if (closed) deps.counters.jobClosed(closed)
  if (closed?.phase === 'deleting') await purge(deps, closed, signal)
}

/** Removes the data of a deleted job. Its places stay known to its user. */
async function purge(deps: EndedJobsDeps, { _id: job_id, user_id }: JobDocument, signal: AbortSignal): Promise<void> {
  const { db, references, results, known } = deps
  await countEndedJobs(db, user_id)
  await results.bury(job_id)
  await references.remove(job_id)
  await known.forgetDropped(job_id)
  await removeCells(db, job_id)
  await removeTasks(db, job_id)
  signal.throwIfAborted()
  await markPurged(db, job_id)
}

/** Removes the references of an ended job after a minute, and the rest of a deleted one a day after its creation. */
async function tidy(deps: EndedJobsDeps, job: JobDocument, signal: AbortSignal): Promise<void> {
  const { db, references, results, known } = deps
  if (!(await isOver(db, job._id))) return postponeJob(db, job)
  if (job.phase === 'deleted') {
    await results.delete(job._id)
    signal.throwIfAborted()
    return removeJob(db, job._id)
  }
  if (await deps.isNeeded(job)) return // it is looked at again
  await references.removeListed(job._id)
  await known.forgetDropped(job._id)
  signal.throwIfAborted()
  await unscheduleJob(db, job)
}

/** Returns the hook that makes the places of an ended job known to its user. Those of the simulated city are invented. */
export const recordKnownPlaces =
  (db: Db, known: Pick<KnownPlaces, 'record'>): JobEndHook =>
  async ({ _id: job_id, user_id, data, places_known }, signal) => {
    if (places_known) return
    if (!data.demo) await known.record({ user_id, job_id, data }, signal)
    await markRecorded(db, job_id)
  }

/** The places of 100,000 take longer. Then the client tries again. */
const WAIT_MS = 10_000

const POLL_MS = 20

/**
 * Resolves when the places of all ended jobs of a user are known. Starts what no coordinator does yet.
 * @throws AppError `unavailable` after ten seconds.
 */
export async function whenPlacesKnown(db: Db, endedJobs: Pick<DueWorkers, 'startOne'>, user_id: string) {
  const until = monotonicNow() + WAIT_MS
  for (let left = await unrecordedJobs(db, user_id); left.length > 0; left = await unrecordedJobs(db, user_id)) {
    if (monotonicNow() > until) throw stillRecording()
    await Promise.all(left.map((job_id) => endedJobs.startOne(job_id)))
    await sleep(POLL_MS)
  }
}

const stillRecording = () =>
  new AppError('unavailable', 'The places of a job that has just ended are not known yet. Try again in 5 s.', {
    headers: { 'retry-after': '5' },
  })
