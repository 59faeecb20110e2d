import { isFinal } from '@placefleet/shared/job-status'
import { canFail } from '@placefleet/shared/log'
import { AppError, type ErrorCode } from '../http/errors.ts'
import { createdJob, createRun, createSeriesJob, jobKey, type MonitorDeps, openSeries } from './create-run.ts'
import type { MonitorDocument, Run, RunState } from './documents.ts'
import { tellOfPause } from './run-end.ts'
import { dueNow } from './schedule.ts'
import { nextDue, timingOf } from './store.ts'

/** Monitors that one sweep looks at, at most. The next sweep takes the others. */
const BATCH = 1_000

/** When a job that could not be created for now is tried again. */
const RETRY_MS = 30_000

/** How late the job of an occurrence may still be created. */
const START_WITHIN_MS = 24 * 3_600_000

/** Starts the runs of all monitors that are due. Coordinators share the monitors: each takes one at a time. */
export async function sweepMonitors(deps: MonitorDeps, signal: AbortSignal): Promise<void> {
  for (let left = BATCH; left > 0 && !signal.aborted; left--) {
    const monitor = await deps.monitors.takeDue()
    if (!monitor) return
    await canFail(deps.log, `evaluating the monitor ${monitor._id}`, evaluate(deps, monitor))
  }
}

/**
 * Evaluates a claimed monitor. One write moves the watermark and decides the occurrences. So each is decided once, on
 * any coordinator and after any crash.
 */
async function evaluate(deps: MonitorDeps, monitor: MonitorDocument): Promise<void> {
  const { monitors } = deps
  const now = monitor.looked_at ?? new Date()
  await monitors.recordRuns(monitor)
  if (monitor.continuing) return continueSeries(deps, monitor, monitor.continuing, now)
  if (await recoverSeries(deps, monitor)) return
  if (monitor.paused) {
    await tellOfPause(deps, monitor) // again, if a crash interrupted it
    return lookAtNext(deps, monitor)
  }
  if (monitor.starting) return startRun(deps, monitor, now)
  const due = dueNow(timingOf(monitor), monitor.watermark, now)
  if (!due) return lookAtNext(deps, monitor)
  const overlaps = due.run !== undefined && (await isRunning(deps, monitor))
  const skipped: Run[] = due.missed.map(({ at }) => ({ at, state: 'missed' }))
  if (due.run && overlaps) skipped.push({ at: due.run.at, state: 'skipped_overlap' })
  const decided = await monitors.compareAndSet(
    { _id: monitor._id, watermark: monitor.watermark, ...without('starting', 'continuing', 'paused') },
    {
      $set: {
        watermark: due.watermark,
        ...(due.run && !overlaps && { starting: { at: due.run.at } }),
        ...(skipped.length > 0 && { last_run: skipped.at(-1) }),
      },
      $push: { unrecorded: { $each: skipped } },
    },
  )
  if (!decided) return
  await monitors.recordRuns(decided)
  await (decided.starting ? startRun(deps, decided, now) : lookAtNext(deps, decided))
}

const without = (...fields: (keyof MonitorDocument)[]) =>
  Object.fromEntries(fields.map((field) => [field, { $exists: false }]))

async function isRunning({ jobs }: MonitorDeps, { running }: MonitorDocument): Promise<boolean> {
  const job = running && (await jobs.find(running.job_id))
  return job !== undefined && !isFinal(job.status)
}

/** Has a coordinator look at a monitor when its next run is due. While a series runs, the claim ends within a minute. */
async function lookAtNext({ monitors }: MonitorDeps, monitor: MonitorDocument): Promise<void> {
  if (monitor.running?.number !== undefined) return
  const next = monitor.paused ? undefined : nextDue(monitor)
  if (next) await monitors.lookAgain(monitor, next)
  else await monitors.compareAndSet({ _id: monitor._id, watermark: monitor.watermark }, { $unset: { due_at: '' } })
}

/** Creates the next job of a series, or ends the series when it cannot be created. */
async function continueSeries(
  deps: MonitorDeps,
  monitor: MonitorDocument,
  { at, number }: NonNullable<MonitorDocument['continuing']>,
  now: Date,
): Promise<void> {
  const series = await openSeries(deps, monitor, at) // a restored backup may lack it
  if (series.ended) return deps.endSeries(series) // a crash interrupted it
  try {
    const job_id = await createSeriesJob(deps, monitor, series)
    const asItWas = { _id: monitor._id, 'continuing.at': at, 'continuing.number': number }
    const resumed = await deps.monitors.compareAndSet(asItWas, {
      $set: { running: { at, job_id, number } },
      $unset: { continuing: '' },
    })
    deps.log.info({ monitor_id: monitor._id, job_id, number }, 'a series of jobs goes on')
    if (resumed) await recoverSeries(deps, resumed) // in a restored backup the job may have ended
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (RETRIED.has(error.code)) return deps.monitors.lookAgain(monitor, new Date(now.getTime() + RETRY_MS))
    const failed = await deps.series.fail(series, error.message)
    if (failed) await deps.endSeries(failed)
    const pause_reason = pauseFor(error)
    if (pause_reason === undefined) return
    const pause = { $set: { paused: true, pause_reason, paused_at: new Date() } }
    const paused = await deps.monitors.compareAndSet({ _id: monitor._id }, pause)
    if (paused) await tellOfPause(deps, paused)
  }
}

/**
 * Records the end of a job of a series once more, in case that a crash came before it was noted as running. In a restored
 * backup the job or the series may be missing, or the series may be ahead: then it goes on from where it is. Returns
 * whether the monitor changed.
 */
async function recoverSeries(deps: MonitorDeps, monitor: MonitorDocument): Promise<boolean> {
  const { _id, running } = monitor
  if (running?.number === undefined) return false
  const { at, number, job_id } = running
  const job = await deps.jobs.find(job_id)
  if (job && !isFinal(job.status)) return false
  await openSeries(deps, monitor, at)
  if (job) await deps.recordRunEnd(job)
  const goesOn = { running: '$$REMOVE', continuing: { at, number }, due_at: deps.monitors.now() }
  await deps.monitors.compareAndSet({ _id, 'running.job_id': job_id }, [{ $set: goesOn }])
  return true
}

/** Creates the job of an occurrence that was decided before, or records why it cannot be created. */
async function startRun(deps: MonitorDeps, monitor: MonitorDocument, now: Date): Promise<void> {
  const { starting } = monitor
  if (!starting) return
  try {
    const job_id = await jobOf(deps, monitor, starting.at, now)
    await settleStart(deps, monitor, { at: starting.at, state: job_id === undefined ? 'missed' : 'started', job_id })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const retried = RETRIED.has(error.code) && (nextDue(monitor) ?? now) > now
    if (retried) return deps.monitors.lookAgain(monitor, new Date(now.getTime() + RETRY_MS))
    await settleStart(deps, monitor, { at: starting.at, ...refusal(error) }, pauseFor(error))
  }
}

/** Failures that pass by themselves. */
const RETRIED: ReadonlySet<ErrorCode> = new Set([
  'concurrent_job_limit',
  'rate_limited',
  'unavailable',
  'idempotency_key_in_use',
])

const refusal = ({ code, message }: AppError): { state: RunState; reason: string } => ({
  state:
    code === 'insufficient_credits' || code === 'key_limit'
      ? 'skipped_credits'
      : RETRIED.has(code)
        ? 'skipped_limit'
        : 'failed',
  reason: message,
})

const pauseFor = ({ code, message }: AppError): string | undefined =>
  code === 'insufficient_credits' || code === 'key_limit' ? `${code}: ${message}` : undefined

/** Returns the job of an occurrence, created once by its identity. Undefined when it is too late. */
async function jobOf(deps: MonitorDeps, monitor: MonitorDocument, at: Date, now: Date): Promise<string | undefined> {
  const created = await createdJob(deps, monitor.user_id, jobKey(monitor._id, at))
  if (created !== undefined) return created
  if (now.getTime() - at.getTime() > START_WITHIN_MS) return undefined
  return createRun(deps, monitor, at)
}

/** Records the result of an occurrence, and pauses the monitor if it must not continue. */
async function settleStart(
  deps: MonitorDeps,
  monitor: MonitorDocument,
  { job_id, ...run }: Omit<Run, 'job_id'> & { job_id?: string | undefined },
  pause_reason?: string,
): Promise<void> {
  const decided: Run = { ...run, ...(job_id !== undefined && { job_id }) }
  const settled = await deps.monitors.compareAndSet(
    { _id: monitor._id, 'starting.at': run.at },
    {
      $set: {
        last_run: decided,
        ...(job_id !== undefined && { running: { at: run.at, job_id, ...(monitor.exhaust && { number: 1 }) } }),
        ...(pause_reason !== undefined && { paused: true, pause_reason, paused_at: new Date() }),
      },
      $unset: { starting: '' },
      $push: { unrecorded: decided },
    },
  )
  if (!settled) return
  deps.log.info({ monitor_id: monitor._id, ...decided, pause_reason }, 'a run of a monitor was decided')
  await deps.monitors.recordRuns(settled)
  await tellOfPause(deps, settled)
  await lookAtNext(deps, settled)
}
