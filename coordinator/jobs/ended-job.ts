import type { EndedJob } from '../webhooks/deliveries/record.ts'
import type { JobDocument } from './documents.ts'

/**
 * What webhooks are told of the end of a job.
 * @throws Error when it has not ended.
 */
export function endedJob(job: JobDocument): EndedJob {
  const { _id: job_id, user_id, name, status, totals, created_at, ended_at } = job
  const final = status === 'completed' || status === 'failed' || status === 'cancelled'
  if (!final || !ended_at) throw new Error(`the job ${job_id} has not ended`)
  return { job_id, user_id, name, status, result_count: totals.places, created_at, ended_at }
}
