import type { Db, Document, Filter } from 'mongodb'
import { createDueQueue, NOT_DUE, setDueNow } from '../mongo/due-work.ts'
import { using } from '../mongo/indexes.ts'
import { ago } from '../mongo/time.ts'
import type { Timings } from '../timings.ts'
import { type JobDocument, jobsBy, jobsOf } from './documents.ts'
import { KEY_WINDOW_HOURS } from './idempotency.ts'
import { AFTER_END } from './phase.ts'

/** How long what the agents of a job need stays after its end, for late ones. */
export const KEPT_FOR_AGENTS_SECONDS = 60

/** A job is looked at this soon after its deadline, and so often while it waits for its agents to stop. */
export const LOOK_MS = 1_000

const after = (field: string, amount: number, unit: 'second' | 'hour') =>
  ({ $dateAdd: { startDate: field, unit, amount } }) as const

/** When no late agent works for a job any more, which has ended or is deleted. */
const AGENTS_END = after('$phase_at', KEPT_FOR_AGENTS_SECONDS, 'second')

/**
 * When the rest of a job can be removed: of an ended one the references, of a deleted one all, once its key has
 * expired.
 */
export const REMOVABLE_AT = {
  $cond: [
    { $eq: ['$phase', 'deleted'] },
    { $max: [after('$created_at', KEY_WINDOW_HOURS, 'hour'), AGENTS_END] },
    AGENTS_END,
  ],
}

/** A job in the phase that a move starts from. */
export type Mover = Pick<JobDocument, '_id' | 'phase' | 'end'>

/** A job that retention may delete. */
export type OldJob = Mover & Pick<JobDocument, 'user_id' | 'uncounted'>

/** How long a coordinator has an active job: at most until its deadline, and a second while its agents stop. */
function untilNextLook(sweepMs: number): Document {
  const untilDeadline = { $max: [LOOK_MS, { $ifNull: [{ $subtract: ['$deadline_at', '$$NOW'] }, sweepMs] }] }
  const wait = { $cond: [{ $eq: ['$phase', 'aborting'] }, LOOK_MS, untilDeadline] }
  return { $min: [sweepMs, wait] }
}

/** Returns the jobs in creation and the active ones. Each is looked at again and again until it ends. */
export const activeJobQueue = (db: Db, { sweepMs }: Timings) =>
  createDueQueue(jobsOf(db), { leaseMs: untilNextLook(sweepMs), only: { phase: { $nin: [...AFTER_END] } } })

/** Returns the ended jobs that something must still hear of, or whose data must go. */
export const endedJobQueue = (db: Db, { sweepMs }: Timings) =>
  createDueQueue(jobsOf(db), { leaseMs: sweepMs, only: { phase: { $in: [...AFTER_END] } } })

/** Whether an aborting job has waited for its agents long enough, by the database's clock. */
export async function abortTimedOut(db: Db, job_id: string, { abortTimeoutMs }: Timings): Promise<boolean> {
  const isOver = { $expr: { $lt: ['$phase_at', ago(abortTimeoutMs, 'millisecond')] } }
  return (await jobsOf(db).findOne({ ...isOver, phase: 'aborting', _id: job_id }, { projection: { _id: 1 } })) !== null
}

/** Returns the ended jobs of a user whose places are not known yet. */
export async function unrecordedJobs(db: Db, user_id: string): Promise<string[]> {
  const closing: Filter<JobDocument> = { user_id, phase: 'closing', places_known: { $exists: false } }
  const jobs = await jobsOf(db)
    .find(closing, { projection: { _id: 1 }, ...using(jobsBy.user_closing) })
    .toArray()
  return jobs.map(({ _id }) => _id)
}

/** Notes that the places of an ended job are known to its user. */
export async function markRecorded(db: Db, job_id: string): Promise<void> {
  await jobsOf(db).updateOne({ _id: job_id }, { $set: { places_known: true } })
}

/** Returns ended jobs that were created more than this many days ago, oldest first. */
export async function jobsOlderThan(db: Db, days: number, limit: number): Promise<OldJob[]> {
  const isOld = { $expr: { $lt: ['$created_at', ago(days * 24, 'hour')] } }
  const old: Filter<JobDocument> = { listed: true, phase: 'ended', ...isOld }
  return jobsOf(db)
    .find(old, using(jobsBy.listed_created))
    .project<OldJob>({ user_id: 1, phase: 1, end: 1, uncounted: 1 })
    .sort({ created_at: 1 })
    .limit(limit)
    .toArray()
}

/** Whether the tasks of an ended job may be removed, or a deleted job itself. */
export async function isOver(db: Db, job_id: string): Promise<boolean> {
  const over = { $expr: { $lt: [REMOVABLE_AT, '$$NOW'] } }
  return (await jobsOf(db).findOne({ _id: job_id, ...over }, { projection: { _id: 1 } })) !== null
}

/** Has coordinators look at a job again when it is over, if it is still in this phase. */
export async function postponeJob(db: Db, { _id, phase }: Mover): Promise<void> {
  await jobsOf(db).updateOne({ _id, phase }, [{ $set: { ...setDueNow(), due_at: REMOVABLE_AT } }])
}

/** Ends the work on a job in this phase. A deletion in the meantime goes on. */
export async function unscheduleJob(db: Db, { _id, phase }: Mover): Promise<void> {
  await jobsOf(db).updateOne({ _id, phase }, [{ $set: NOT_DUE }])
}
