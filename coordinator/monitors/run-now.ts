import { AppError, orNotFound } from '../http/errors.ts'
import { keyInUse } from '../jobs/idempotency.ts'
import type { MonitorDeps } from './create-run.ts'
import { beginRun, startRun } from './start-run.ts'

/** The job of a run by hand, and whether an earlier request with the same key began it. */
type RunNow = { job_id: string; replayed: boolean }

/**
 * Runs a monitor now, beside its schedule and on the same path. With a key, a repeated request gets the same job.
 * @throws AppError `not_found`, `run_in_progress` while a run is active, those of an `Idempotency-Key`, and those of
 * `createJob`. Then the run leaves nothing.
 */
export async function runNow(deps: MonitorDeps, user_id: string, monitor_id: string, key?: string): Promise<RunNow> {
  const earlier = await earlierRun(deps, user_id, monitor_id, key)
  if (earlier !== undefined) return earlier
  const { monitor, now } = orNotFound(await deps.monitors.findNow(user_id, monitor_id), 'monitor')
  const begun = await beginRun(deps, monitor, { at: now, due_at: now }, now, { key })
  if (begun.outcome !== 'started') {
    const first = await earlierRun(deps, user_id, monitor_id, key) // a request with the same key was first
    if (first) return first
    throw new AppError('run_in_progress', 'A run of this monitor has not ended. Wait for its end, or cancel its job.')
  }
  const job_id = await startRun(deps, monitor, begun.run, now)
  if (job_id instanceof AppError) throw job_id
  return { job_id, replayed: false }
}

/** Returns the job that a key began before. @throws AppError when the key began a run of another monitor, or no job yet. */
async function earlierRun(
  { runs }: MonitorDeps,
  user_id: string,
  monitor_id: string,
  key: string | undefined,
): Promise<RunNow | undefined> {
  const run = key === undefined ? undefined : await runs.ofKey(user_id, key)
  if (!run) return undefined
  if (run.monitor_id !== monitor_id) {
    const text = 'This Idempotency-Key was used for another monitor. Use a new key for a new run.'
    throw new AppError('idempotency_key_in_use_with_different_body', text)
  }
  if (run.job_id !== undefined) return { job_id: run.job_id, replayed: true }
  throw keyInUse()
}
