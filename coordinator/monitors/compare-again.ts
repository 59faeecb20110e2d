import type { MonitorDeps } from './create-run.ts'
import type { RunDocument } from './documents.ts'

/** How long the comparison of an ended run is tried again. Until then its job keeps what it needs. */
const WITHIN_MS = 24 * 3_600_000

/** Compares a run that ended without a comparison. Gives up after a day, and when its job is gone. */
export async function compareAgain(
  { jobs, runs, recordRunEnd, log }: Pick<MonitorDeps, 'jobs' | 'runs' | 'recordRunEnd' | 'log'>,
  run: RunDocument,
  now: Date,
): Promise<void> {
  const { monitor_id, at, job_id, ended_at = at } = run
  const isLate = now.getTime() - ended_at.getTime() > WITHIN_MS
  const job = isLate || job_id === undefined ? undefined : await jobs.find(job_id)
  if (job) return recordRunEnd(job)
  log.warn({ monitor_id, at, job_id }, 'the comparison of a run was given up')
  await runs.end(run)
}
