import type { Db, Document } from 'mongodb'
import { setDueNow } from '../mongo/due-work.ts'
import { ago, fromNow } from '../mongo/time.ts'
import { type JobDocument, jobsOf } from './documents.ts'
import { KEPT_FOR_AGENTS_SECONDS, type Mover, REMOVABLE_AT } from './due-jobs.ts'
import { type JobEnd, withoutAgent } from './job-end.ts'
import { AFTER_END, canMove, type JobPhase, statusOf } from './phase.ts'

/** What a move stores beside the phase: the end that it decides, and more fields. */
type Decided = { end?: JobEnd; set?: Document }

/** The end of a job that its user cancels, or deletes before it has ended. */
const CANCELLED: JobEnd = { status: 'cancelled', cancel_reason: 'user' }

/**
 * Moves a job to another phase. Returns undefined when it left its phase before.
 * @throws Error when the move is not allowed.
 */
export async function moveJob(
  db: Db,
  job: Mover,
  to: JobPhase,
  { end, set = {} }: Decided = {},
): Promise<JobDocument | undefined> {
  if (!canMove(job.phase, to)) throw new Error(`a job never goes from ${job.phase} to ${to}`)
  const status = statusOf(to, end?.status ?? job.end)
  const isSeen = status !== statusOf(job.phase, job.end)
  const update = [
    {
      $set: {
        phase: to,
        phase_at: '$$NOW',
        ...(isSeen && { status, updated_at: '$$NOW' }),
        ...(end && storedEnd(end)),
        ...(to === 'closing' && AT_THE_END),
        ...set,
      },
    },
  ]
  const from = { _id: job._id, phase: job.phase }
  return (await jobsOf(db).findOneAndUpdate(from, update, { returnDocument: 'after' })) ?? undefined
}

/** Cancels a pending job. It costs nothing. */
export const cancelPending = (db: Db, job: Mover, set: Document = {}): Promise<JobDocument | undefined> =>
  moveJob(db, job, 'closing', { end: CANCELLED, set: { total_cost: 0, ...set } })

/** Starts a pending job and sets its deadline. */
export function startPending(db: Db, job_id: string): Promise<JobDocument | undefined> {
  const deadline_at = fromNow('$data.max_time', 'second')
  const due_at = { $min: ['$due_at', deadline_at] }
  return moveJob(db, { _id: job_id, phase: 'pending' }, 'running', {
    set: { started_at: '$$NOW', deadline_at, due_at, no_agent_since: '$$REMOVE' },
  })
}

/**
 * Ends a pending job that no agent could take for so many hours. It costs nothing. Returns undefined while it may go
 * on.
 */
export async function failWithoutAgent(db: Db, job_id: string, hours: number): Promise<JobDocument | undefined> {
  const pending = { _id: job_id, phase: 'pending' as const }
  const isOver = { no_agent_since: { $exists: true }, $expr: { $lt: ['$no_agent_since', ago(hours, 'hour')] } }
  if (!(await jobsOf(db).findOne({ ...pending, ...isOver }, { projection: { _id: 1 } }))) return undefined
  return moveJob(db, pending, 'closing', { end: withoutAgent(hours), set: { total_cost: 0 } })
}

/** What the deletion of a job in each phase moves it to. In the other phases it only hides the job. */
const DELETION: Partial<Record<JobPhase, (db: Db, job: Mover, set: Document) => Promise<JobDocument | undefined>>> = {
  pending: cancelPending,
  running: (db, job, set) => moveJob(db, job, 'aborting', { end: CANCELLED, set }),
  ended: (db, job, set) => moveJob(db, job, 'deleting', { set }),
}

/**
 * Hides a job from its user and decides that it ends, if it is active, and that its data is removed. Returns undefined
 * when its phase changed in the meantime. An ended job must be counted before.
 */
export async function hideJob(db: Db, job: Mover): Promise<JobDocument | undefined> {
  const uncounted = AFTER_END.includes(job.phase) ? -1 : '$$REMOVE'
  const hidden = { listed: false, uncounted, ...setDueNow() }
  const decide = DELETION[job.phase]
  const { _id, phase } = job
  if (decide) return decide(db, job, hidden)
  return (
    (await jobsOf(db).findOneAndUpdate({ _id, phase }, [{ $set: hidden }], { returnDocument: 'after' })) ?? undefined
  )
}

/**
 * Records that everything heard of the end of a job. Its tasks stay a little longer, those of a deleted job too.
 * Returns undefined when another coordinator was first.
 */
export async function markClosed(db: Db, job_id: string): Promise<JobDocument | undefined> {
  const due_at = { $cond: ['$listed', fromNow(KEPT_FOR_AGENTS_SECONDS, 'second'), '$$NOW'] }
  const phase = { $cond: ['$listed', 'ended', 'deleting'] }
  const update = [{ $set: { phase, phase_at: '$$NOW', ...setDueNow(), due_at } }]
  const closing = { _id: job_id, phase: 'closing' as const }
  return (await jobsOf(db).findOneAndUpdate(closing, update, { returnDocument: 'after' })) ?? undefined
}

/** Records that a deleted job's places are removed. The job document stays until its `Idempotency-Key` expires. */
export async function markPurged(db: Db, job_id: string): Promise<void> {
  const deleted = [{ $set: { phase: 'deleted', phase_at: '$$NOW' } }, { $set: { due_at: REMOVABLE_AT } }]
  await jobsOf(db).updateOne({ _id: job_id, phase: 'deleting' }, deleted)
}

/** An ended job frees its slot and waits for nothing. What follows its end is due. */
const AT_THE_END = {
  ...setDueNow(),
  ended_at: '$$NOW',
  slot: '$$REMOVE',
  'progress.waiting_until': '$$REMOVE',
  'progress.waiting_reason': '$$REMOVE',
} as const

/** Returns the fields of an end. Those of an end that was expected before go. */
function storedEnd({ status, ...reasons }: JobEnd): Document {
  const none = {
    failure_reason: '$$REMOVE',
    cancel_reason: '$$REMOVE',
    partial: '$$REMOVE',
    partial_reason: '$$REMOVE',
  }
  return { end: status, ...none, ...reasons }
}
