import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { MicroCredits } from '../billing/cost.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { PausedMonitor } from '../webhooks/deliveries/record.ts'
import { recordChanges, recordSeriesChanges } from './changes/record.ts'
import type { ChangeStore } from './changes/store.ts'
import type { MonitorDocument, RunEnd, RunState } from './documents.ts'
import type { RunStore } from './run-store.ts'
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
  log: Logger
  monitors: MonitorStore
  runs: RunStore
  changes: Pick<ChangeStore, 'countOfRun'>
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
 * the monitor after three failures in a row. Otherwise has the next job of the series created. Safe to repeat. A run that
 * cannot be compared ends nevertheless, and is compared later.
 */
export async function recordRunEnd(deps: RunEndDeps, job: JobDocument): Promise<void> {
  const { monitor, status, _id: job_id, user_id, failure_reason: reason } = job
  if (!monitor || (status !== 'completed' && status !== 'failed' && status !== 'cancelled')) return
  if (!(await deps.monitors.findAny(monitor.id))) return
  if (monitor.number !== undefined)
    return recordSeriesJobEnd(deps, { ...job, monitor: { ...monitor, number: monitor.number } })
  const run = { monitor_id: monitor.id, user_id, at: monitor.at, state: status, job_id, reason }
  const isCompared = await couldCompare(deps, run, recordChanges(deps.db, { ...job, monitor }))
  await endRun(deps, run, { places: job.totals.places, cost: job.total_cost ?? 0, isCompared })
}

/** Waits for the comparison of a run. Returns false after a failure: statistics must keep neither the job nor the run. */
async function couldCompare(
  { log }: RunEndDeps,
  { monitor_id, at, job_id }: Pick<RunEnd, 'monitor_id' | 'at' | 'job_id'>,
  comparing: Promise<void>,
): Promise<boolean> {
  try {
    await comparing
    return true
  } catch (error) {
    log.error({ err: error, monitor_id, at, job_id }, 'a run of a monitor was not compared; it is tried again later')
    return false
  }
}

async function recordSeriesJobEnd(deps: RunEndDeps, job: SeriesJob): Promise<void> {
  const { id: monitor_id, at, number } = job.monitor
  const series = await advanceSeries(deps.db, job)
  if (!series) return
  if (series.ended) return endSeries(deps, series)
  if (series.number > number + 1) return // a repeated call of long ago
  const run = { monitor_id, user_id: job.user_id, at, job_id: job._id, series: progressOf(series) }
  await deps.runs.goOn(run, series.number)
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
  const { monitor_id, user_id, at, ended = 'failed', reason, found: places, spent: cost } = series
  const run = { monitor_id, user_id, at, job_id: series.jobs.at(-1), reason, series: progressOf(series) }
  const isCompared = await couldCompare(deps, run, recordSeriesChanges(deps.db, series))
  await endRun(deps, { ...run, state: STATE_OF[ended] }, { places, cost, isCompared })
  if (isCompared) await deps.series.tidy(series)
}

/** Stores how a run ended, then does what follows from it. */
async function endRun(
  { monitors, runs, changes, announcePause }: RunEndDeps,
  run: Omit<RunEnd, 'figures'>,
  { isCompared, ...found }: { places: number; cost: MicroCredits; isCompared: boolean },
): Promise<void> {
  const { monitor_id, at, state, reason = '' } = run
  await runs.end({ ...run, figures: { ...found, ...(await changes.countOfRun(monitor_id, at)) } }, isCompared)
  if (state === 'completed' || state === 'failed') {
    const limit = { most: MAX_FAILURES, reason: `failures: ${MAX_FAILURES} runs failed. ${reason}` }
    await monitors.countEnd(monitor_id, at, state === 'failed', limit)
  }
  const monitor = await monitors.findAny(monitor_id)
  if (monitor) await tellOfPause({ announcePause }, monitor)
}
