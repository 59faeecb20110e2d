import type { Db } from 'mongodb'
import type { JobDocument } from '../jobs/documents.ts'
import type { PausedMonitor } from '../webhooks/deliveries/record.ts'
import { recordChanges, recordSeriesChanges } from './changes/record.ts'
import type { MonitorDocument, Run, RunState } from './documents.ts'
import type { SeriesDocument } from './series/documents.ts'
import { advanceSeries, type SeriesJob } from './series/job-end.ts'
import type { SeriesEnd } from './series/next-job.ts'
import { progressOf } from './series/progress.ts'
import type { SeriesStore } from './series/store.ts'
import type { MonitorStore } from './store.ts'

/** Tells the webhooks of a user that the service paused a monitor. Safe to repeat. */
export type AnnouncePause = (monitor: PausedMonitor) => Promise<void>

export type RunEndDeps = {
  db: Db
  monitors: MonitorStore
  series: Pick<SeriesStore, 'tidy'>
  announcePause: AnnouncePause
}

/** Announces the pause of a monitor, if the service paused it. Safe to repeat. */
export async function tellOfPause(
  { announcePause }: Pick<RunEndDeps, 'announcePause'>,
  { _id: monitor_id, user_id, name, paused, pause_reason: reason = '', paused_at }: MonitorDocument,
): Promise<void> {
  if (paused && paused_at) await announcePause({ monitor_id, user_id, name, reason, paused_at })
}

/** Runs that may fail one after the other before their monitor is paused. */
const MAX_FAILURES = 3

/**
 * Records the end of a monitor's job. When its run ends with it, also records the changes that the run found, and pauses
 * the monitor after three failures in a row. Otherwise has the next job of the series created. Safe to repeat.
 */
export async function recordRunEnd(deps: RunEndDeps, job: JobDocument): Promise<void> {
  const { monitor, status, _id: job_id, failure_reason: reason } = job
  if (!monitor || (status !== 'completed' && status !== 'failed' && status !== 'cancelled')) return
  if (monitor.number !== undefined)
    return recordSeriesJobEnd(deps, { ...job, monitor: { ...monitor, number: monitor.number } })
  await recordChanges(deps.db, { ...job, monitor })
  await endRun(deps, monitor.id, { at: monitor.at, state: status, job_id, ...(reason !== undefined && { reason }) })
}

async function recordSeriesJobEnd(deps: RunEndDeps, job: SeriesJob): Promise<void> {
  const { monitors } = deps
  const { id: monitor_id, at, number } = job.monitor
  const series = await advanceSeries(deps.db, job)
  if (!series) return
  if (series.ended) return endSeries(deps, series)
  const run: Run = { at, state: 'started', job_id: job._id, series: progressOf(series) }
  if (series.number > number + 1) return // a repeated call of long ago
  await monitors.recordEnd(monitor_id, run)
  // A restored backup may hold the monitor as it was before the run.
  const idle = { running: { $exists: false }, continuing: { $exists: false }, starting: { $exists: false } }
  await monitors.compareAndSet({ _id: monitor_id, $or: [{ 'running.job_id': job._id }, idle] }, [
    {
      $set: {
        ...{ running: '$$REMOVE', continuing: { at, number: series.number }, last_run: { $literal: run } },
        due_at: monitors.now(),
      },
    },
  ])
}

const STATE_OF = {
  exhausted: 'completed',
  blocked: 'completed',
  max_cost: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<SeriesEnd, RunState>

/** Ends the run of a series that has ended. Safe to repeat. */
export async function endSeries(deps: RunEndDeps, series: SeriesDocument): Promise<void> {
  const { monitor_id, at, ended = 'failed', reason } = series
  const job_id = series.jobs.at(-1)
  await recordSeriesChanges(deps.db, series)
  await endRun(deps, monitor_id, {
    ...{ at, state: STATE_OF[ended], series: progressOf(series) },
    ...(job_id !== undefined && { job_id }),
    ...(reason !== undefined && { reason }),
  })
  await deps.series.tidy(series)
}

async function endRun(deps: RunEndDeps, monitor_id: string, run: Run): Promise<void> {
  const { monitors } = deps
  const { at, state, reason } = run
  await monitors.recordEnd(monitor_id, run)
  const failures = state === 'failed' ? { $add: ['$failures', 1] } : state === 'completed' ? 0 : '$failures'
  const pause = { $and: [state === 'failed', { $gte: ['$failures', MAX_FAILURES] }] }
  const current = run.series ? [{ 'running.at': at }, { 'continuing.at': at }] : [{ 'running.job_id': run.job_id }]
  const ended = await monitors.compareAndSet({ _id: monitor_id, $or: current }, [
    { $set: { failures, last_run: { $literal: run } } },
    {
      $set: {
        running: '$$REMOVE',
        continuing: '$$REMOVE',
        paused: { $cond: [pause, true, '$paused'] },
        paused_at: { $cond: [pause, '$$NOW', '$paused_at'] },
        pause_reason: {
          $cond: [pause, { $literal: `failures: ${MAX_FAILURES} runs failed. ${reason ?? ''}` }, '$pause_reason'],
        },
      },
    },
  ])
  if (ended) await tellOfPause(deps, ended)
}
