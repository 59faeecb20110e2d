import { isFinal, type JobStatus } from '@placefleet/shared/job-status'
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

/**
 * Returns the job when all its results can be read, or with `soFar` those that it has.
 * @throws AppError `not_found` also when it has not ended, or `job_failed`.
 */
export function finalJob<Job extends { status: JobStatus }>(found: Job | undefined, soFar = false): Job {
  const job = readableJob(found)
  if (soFar || isFinal(job.status)) return job
  const text = 'The job has not ended yet. Download its results after its end, or with `so_far=true` what it has.'
  throw new AppError('not_found', text)
}

/** A page of 100 places with 500 reviews and images each has about 35 MB. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024

/**
 * Returns a function that counts the bytes of one page, place by place.
 * @throws AppError `unprocessable` as soon as the page is too large.
 */
export function createPageSize(max: number = MAX_PAGE_BYTES): (bytes: number) => void {
  let size = 0
  return (bytes) => {
    size += bytes
    if (size <= max) return
    const text = `The page would be larger than ${max / 1024 / 1024} MiB. Choose a smaller limit, or download the results.`
    throw new AppError('unprocessable', text)
  }
}
