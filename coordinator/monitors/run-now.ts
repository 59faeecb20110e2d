import { AppError, orNotFound } from '../http/errors.ts'
import type { CreatedJob } from '../jobs/create.ts'
import { createOnce, keyInUse, keyOfOther } from '../jobs/idempotency.ts'
import type { MonitorDeps } from './create-run.ts'
import { beginRun, startRun } from './start-run.ts'

/**
 * Runs a monitor now, beside its schedule and on the same path. With a key, a repeated request gets the same job.
 * @throws AppError `not_found`, `run_in_progress` while a run is active, those of an `Idempotency-Key`, and those of
 * `createJob`. Then the run leaves nothing.
 */
export async function runNow(
  deps: MonitorDeps,
  user_id: string,
  monitor_id: string,
  key?: string,
): Promise<CreatedJob> {
  return createOnce(
    () => earlierRun(deps, user_id, monitor_id, key),
    async () => {
      const { monitor, now } = orNotFound(await deps.monitors.findNow(user_id, monitor_id), 'monitor')
      const begun = await beginRun(deps, monitor, { at: now, due_at: now }, now, { key })
      if (begun.outcome !== 'started') throw runInProgress()
      const job_id = await startRun(deps, monitor, begun.run, now)
      if (job_id instanceof AppError) throw job_id
      return { job_id }
    },
  )
}

const runInProgress = () =>
  new AppError('run_in_progress', 'A run of this monitor has not ended. Wait for its end, or cancel its job.')

/** Returns the job that a key began before. @throws AppError when the key began a run of another monitor, or no job yet. */
async function earlierRun({ runs }: MonitorDeps, user_id: string, monitor_id: string, key: string | undefined) {
  const run = key === undefined ? undefined : await runs.ofKey(user_id, key)
  if (!run) return undefined
  if (run.monitor_id !== monitor_id) throw keyOfOther('for another monitor', 'run')
  if (run.job_id === undefined) throw keyInUse()
  return { job_id: run.job_id }
}
