import { isFinal } from '@placefleet/shared/job-status'
import { AppError } from '../../http/errors.ts'
import { createSeriesJob, type MonitorDeps, openSeries } from '../create-run.ts'
import type { MonitorDocument, RunDocument } from '../documents.ts'
import { pauseFor, RETRIED, RETRY_MS } from '../start-run.ts'

/** A claimed run with a series. */
type SeriesRun = RunDocument & Required<Pick<RunDocument, 'current'>>

/** Looks after the series of a claimed run. While it goes on, a coordinator does so every minute. */
export async function lookAtSeries(deps: MonitorDeps, monitor: MonitorDocument, run: RunDocument, now: Date) {
  const { current } = run
  if (!current) return
  const ofSeries = { ...run, current }
  await (current.job_id === undefined
    ? createNextJob(deps, monitor, ofSeries, now)
    : checkJob(deps, monitor, ofSeries, current.job_id))
}

/** Creates the next job of a series, or ends the series when it cannot be created. */
async function createNextJob(deps: MonitorDeps, monitor: MonitorDocument, run: SeriesRun, now: Date): Promise<void> {
  const { runs } = deps
  const { at } = run
  if (monitor.deleted_at) return runs.end({ ...run, state: 'cancelled' })
  const series = await openSeries(deps, monitor, at) // a restored backup may lack it
  if (series.ended) return deps.endSeries(series) // a crash interrupted it
  try {
    const job_id = await createSeriesJob(deps, monitor, series)
    await runs.startedNext(run, series.number, job_id)
    deps.log.info({ monitor_id: monitor._id, job_id, number: series.number }, 'started the next job of a series')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (RETRIED.has(error.code)) return runs.lookAgain(run, new Date(now.getTime() + RETRY_MS))
    const reason = pauseFor(error)
    if (reason !== undefined) await deps.monitors.pause(monitor._id, reason)
    const failed = await deps.series.fail(series, error.message)
    if (failed) await deps.endSeries(failed)
  }
}

/** Records the end of the current job once more, if a crash or a restored backup lost it. */
async function checkJob(deps: MonitorDeps, monitor: MonitorDocument, run: SeriesRun, job_id: string): Promise<void> {
  const { at } = run
  const job = await deps.jobs.find(job_id)
  if (job && !isFinal(job.status)) return
  await openSeries(deps, monitor, at) // a restored backup may lack it
  if (job) await deps.recordRunEnd(job)
  await deps.runs.restart(run) // unless that moved it on
}
