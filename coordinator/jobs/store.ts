import type { Db, Document, Filter } from 'mongodb'
import type { MicroCredits } from '../billing/prices/cost.ts'
import type { Updates } from '../mongo/locks.ts'
import { ago, fromNow } from '../mongo/time.ts'
import { type JobDocument, type JobDraft, jobsOf } from './documents.ts'
import { KEY_WINDOW_HOURS } from './idempotency.ts'
import { ACTIVE, IN_CREATION } from './phase.ts'

// The reads and writes of a job's creation and of its progress. Those of its phases are in phase-moves.ts, those for
// users, which take the user's id first, in user-jobs.ts, and those of the workers in due-jobs.ts.

/** How long a creation may take before it counts as dead. */
const CREATION_SECONDS = 60

/** Inserts a job at the database's time. Throws the driver's error when its key or its slot is taken. */
export async function insertJob(db: Db, draft: JobDraft): Promise<void> {
  const key = draft.idempotency ? { 'idempotency.expires_at': fromNow(KEY_WINDOW_HOURS, 'hour') } : {}
  const due_at = fromNow(CREATION_SECONDS + 1, 'second')
  const stamps = { created_at: '$$NOW', updated_at: '$$NOW', phase_at: '$$NOW', due_at, ...key }
  const pipeline = [{ $replaceWith: { $literal: draft } }, { $set: stamps }]
  await jobsOf(db).updateOne({ _id: draft._id }, pipeline, { upsert: true })
}

/** Returns the slots of a user's active jobs. */
export const takenSlots = (db: Db, user_id: string): Promise<unknown[]> =>
  jobsOf(db).distinct('slot', { user_id, slot: { $exists: true } })

/**
 * Returns the update that lists a created job for its user. It finds no job whose creation was rolled back meanwhile.
 * @param lookMs when a coordinator looks at the job, unless something happens before.
 */
export function publication(db: Db, job_id: string, held: MicroCredits, lookMs: number): Updates[number] {
  const due_at = fromNow(lookMs, 'millisecond')
  const update = [{ $set: { phase: 'pending', phase_at: '$$NOW', held, listed: true, uncounted: 1, due_at } }]
  const { namespace } = jobsOf(db)
  return { name: 'updateOne', namespace, filter: { _id: job_id, phase: 'creating' }, update }
}

/** Decides that a creation is rolled back: its job can no longer be listed. Returns false when it is listed or gone. */
export async function abandonCreation(db: Db, job_id: string): Promise<boolean> {
  const inCreation: Filter<JobDocument> = { _id: job_id, phase: { $in: [...IN_CREATION] } }
  const { matchedCount } = await jobsOf(db).updateOne(inCreation, [
    { $set: { phase: 'rolling_back', phase_at: '$$NOW' } },
  ])
  return matchedCount === 1
}

/** Removes a job that was never listed, or that is deleted. */
export async function removeJob(db: Db, job_id: string): Promise<void> {
  await jobsOf(db).deleteOne({ _id: job_id, phase: { $in: ['rolling_back', 'deleted'] } })
}

/** Whether a job's creation was interrupted, or its rollback begun. */
export async function isStalledCreation(db: Db, job_id: string): Promise<boolean> {
  const tooLong = { $expr: { $lt: ['$created_at', ago(CREATION_SECONDS, 'second')] } }
  const stalled: Filter<JobDocument> = {
    _id: job_id,
    $or: [{ phase: 'rolling_back' }, { phase: 'creating', ...tooLong }],
  }
  return (await jobsOf(db).findOne(stalled, { projection: { _id: 1 } })) !== null
}

export const findJob = async (db: Db, job_id: string): Promise<JobDocument | undefined> =>
  (await jobsOf(db).findOne({ _id: job_id })) ?? undefined

/** Notes whether an agent may take a pending job: since when not, if not. */
export async function noteAgent(db: Db, job_id: string, hasAgent: boolean): Promise<void> {
  const no_agent_since = hasAgent ? '$$REMOVE' : { $ifNull: ['$no_agent_since', '$$NOW'] }
  await jobsOf(db).updateOne({ _id: job_id, phase: 'pending' }, [{ $set: { no_agent_since } }])
}

/** Writes the progress of an active job. Totals only rise, so updates may arrive in any order. */
export async function writeProgress(
  db: Db,
  job_id: string,
  shown: Partial<Pick<JobDocument, 'progress' | 'outcomes' | 'website_visits' | 'limited_reason' | 'totals'>>,
): Promise<void> {
  const { totals: { places = 0, reviews = 0, images = 0 } = {}, ...fields } = shown
  const totals = { 'totals.places': places, 'totals.reviews': reviews, 'totals.images': images }
  await jobsOf(db).updateOne(
    { _id: job_id, phase: { $in: [...ACTIVE] } },
    { $max: totals, ...(hasFields(fields) && { $set: fields }) },
  )
}

const hasFields = (fields: object): boolean => Object.keys(fields).length > 0

/** The time at rest does not count against `max_time`, up to as much again, and a day at most. */
const MOST_MS = 24 * 3_600_000

/**
 * Counts that a running job rests until a time, because the map site refuses all its tasks, or that it goes on; then
 * what was counted ahead is taken back. Moves the deadline. Changes nothing when that was counted before.
 */
export async function countRest(
  db: Db,
  { _id, rest }: Pick<JobDocument, '_id' | 'rest'>,
  until: Date | undefined,
): Promise<void> {
  if (rest?.until?.getTime() === until?.getTime()) return
  await jobsOf(db).updateOne({ _id, phase: 'running' }, counted(until))
}

const late = { phase: 'running' as const, $expr: { $lt: ['$deadline_at', '$$NOW'] } }

/** Whether a running job is past its deadline, by the database's clock. */
export const isLate = async (db: Db, job_id: string): Promise<boolean> =>
  (await jobsOf(db).findOne({ ...late, _id: job_id }, { projection: { _id: 1 } })) !== null

const ms = (amount: Document | string) => ({ $ifNull: [amount, 0] })

/** From what was counted so far, to now or to the end of the rest. */
function counted(until: Date | undefined): Document[] {
  const before = { $max: ['$$NOW', '$rest.until'] }
  const after = until === undefined ? '$$NOW' : { $max: ['$$NOW', until] }
  const allowed = { $min: ['$rest.ms', { $multiply: ['$data.max_time', 1_000] }, MOST_MS] }
  const deadline_at = {
    $dateAdd: {
      startDate: { $dateAdd: { startDate: '$started_at', unit: 'second', amount: '$data.max_time' } },
      unit: 'millisecond',
      amount: { $toLong: allowed },
    },
  }
  return [
    {
      $set: {
        'rest.ms': { $add: [ms('$rest.ms'), { $subtract: [after, before] }] },
        'rest.until': until ?? '$$REMOVE',
      },
    },
    { $set: { deadline_at } },
  ]
}
