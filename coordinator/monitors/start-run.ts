import { isFinal } from '@placefleet/shared/job-status'
import { AppError, type ErrorCode } from '../http/errors.ts'
import { findJob } from '../jobs/store.ts'
import type { Held } from '../mongo/due-work.ts'
import { createdJob, createRun, jobKey, type MonitorDeps } from './create-run.ts'
import type { MonitorDocument, RunDocument } from './documents.ts'
import type { ByHand } from './run-store.ts'
import { type Occurrence, occurrencesAfter } from './schedule.ts'
import { timingOf } from './store.ts'

/** When a job that could not be created for now is tried again. */
const RETRY_MS = 30_000

/** How late the job of an occurrence may still be created. */
const START_WITHIN_MS = 24 * 3_600_000

/** Reasons for the user: an identifier, then a sentence. */
export const MISSED = 'missed: no coordinator ran at that time.'
export const OVERLAP = 'overlap: the previous run had not ended.'

/** How a run was begun. `overlaps`: another one is active. `already_decided`: the occurrence had its run before. */
type BegunRun =
  | { outcome: 'started'; run: Held<RunDocument> }
  | { outcome: 'overlaps'; other: RunDocument }
  | { outcome: 'already_decided' }

/** Begins a run of a monitor, unless one is active. The insert of the run decides, for the schedule and by hand. */
export async function beginRun(
  deps: MonitorDeps,
  monitor: MonitorDocument,
  occurrence: Occurrence,
  now: Date,
  byHand?: ByHand,
): Promise<BegunRun> {
  for (;;) {
    const begun = await deps.runs.begin(monitor, occurrence, now, byHand)
    if (begun.outcome !== 'overlaps') return begun
    const other = await deps.runs.active(monitor._id)
    if (other && !(await isOver(deps, other))) return { outcome: 'overlaps', other }
  }
}

/** Returns whether an active run is over. Ends it when its job has ended and that is not recorded yet. */
export async function isOver(deps: MonitorDeps, run: RunDocument): Promise<boolean> {
  const { state, job_id } = run
  if (state !== 'started') return false
  const job = job_id === undefined ? undefined : await findJob(deps.db, job_id)
  if (job && !isFinal(job.status)) return false
  if (job) await deps.recordRunEnd(job)
  else await deps.runs.end({ ...run, state: 'failed', reason: 'job_missing: its job does not exist.' })
  return true
}

/**
 * Creates the job of a due run, once by the identity of the run, or decides that it gets none. Safe to repeat.
 * @returns the job, or why there is none yet or ever.
 */
export async function startRun(
  deps: MonitorDeps,
  monitor: MonitorDocument,
  run: Held<RunDocument>,
  now: Date,
): Promise<string | AppError> {
  const { runs, log } = deps
  try {
    const created = await createdJob(deps, monitor.user_id, jobKey(monitor._id, run.at))
    const reason = created === undefined ? obstacleOf(monitor, run, now) : undefined
    if (reason !== undefined) {
      await runs.refuse(run, reason)
      return new AppError('conflict', reason)
    }
    const job_id = created ?? (await createRun(deps, monitor, run))
    await runs.started(run, job_id)
    log.info({ monitor_id: monitor._id, at: run.at, job_id }, 'started a run of a monitor')
    return job_id
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await refuse(deps, monitor, run, now, error)
    return error
  }
}

/** Returns why a run gets no job, if it did not get one before. */
function obstacleOf(monitor: MonitorDocument, run: RunDocument, now: Date): string | undefined {
  if (monitor.deleted_at) return 'deleted: the monitor was deleted.'
  if (monitor.paused && !run.by_hand) return `paused: ${monitor.pause_reason ?? 'the monitor was paused.'}`
  return now.getTime() - run.at.getTime() > START_WITHIN_MS ? MISSED : undefined
}

/** Failures that pass by themselves. */
const RETRIED: ReadonlySet<ErrorCode> = new Set([
  'concurrent_job_limit',
  'rate_limited',
  'unavailable',
  'idempotency_key_in_use',
])

/**
 * Decides what follows a refused creation. A run by hand leaves nothing, because its user was told. One of the schedule is
 * tried again until the next one begins, or for a day.
 */
async function refuse(
  { monitors, runs, log }: MonitorDeps,
  monitor: MonitorDocument,
  run: Held<RunDocument>,
  now: Date,
  error: AppError,
): Promise<void> {
  const { code, message } = error
  if (code === 'idempotency_key_in_use') return runs.waitUntil(run, new Date(now.getTime() + RETRY_MS)) // it is being created
  if (run.by_hand) return runs.forget(run)
  const next = occurrencesAfter(timingOf(monitor), run.at, 1)[0]?.due_at
  const until = next ?? new Date(run.at.getTime() + START_WITHIN_MS)
  if (RETRIED.has(code) && until > now) {
    return runs.waitUntil(run, new Date(Math.min(now.getTime() + RETRY_MS, until.getTime())))
  }
  const reason = `${code}: ${message}`
  log.info({ monitor_id: monitor._id, at: run.at, reason }, 'a run of a monitor was skipped')
  // The pause comes first: after a crash between the writes, the run is skipped because of the pause.
  const pause_reason = pauseFor(error)
  if (pause_reason !== undefined) await monitors.pause(monitor._id, pause_reason)
  await runs.refuse(run, reason)
}

/** Returns why the service pauses a monitor after a failure that a later run would meet too; undefined after another. */
const pauseFor = ({ code, message }: AppError): string | undefined =>
  code === 'insufficient_credits' || code === 'key_limit' ? `${code}: ${message}` : undefined
