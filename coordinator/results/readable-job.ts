import type { JobStatus } from '@placefleet/shared/job-status'
import { AppError, orNotFound } from '../http/errors.ts'

/**
 * Returns the job when its results can be read.
 * @throws AppError `not_found`, or `job_failed`.
 */
export function readableJob<Job extends { status: JobStatus }>(found: Job | undefined): Job {
  const job = orNotFound(found, 'job')
  if (job.status !== 'failed') return job
  throw new AppError('job_failed', 'The job failed and has no results. Its costs show what was charged.')
}
