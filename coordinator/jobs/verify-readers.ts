import { isFinal } from '@placefleet/shared/job-status'
import type { Collection } from 'mongodb'
import type { JobToVerify } from '../billing/verify-job.ts'
import { billedJob } from './cost.ts'
import type { JobDocument } from './documents.ts'

/** Every user that has jobs. */
export async function* jobOwners(jobs: Collection<JobDocument>): AsyncGenerator<string> {
  for await (const { _id } of jobs.aggregate<{ _id: string }>([{ $group: { _id: '$user_id' } }])) yield _id
}

/** A user's jobs as the ledger is compared with them: those that can be seen. */
export async function* jobsToVerify(jobs: Collection<JobDocument>, user_id: string): AsyncGenerator<JobToVerify> {
  for await (const job of jobs.find({ user_id, listed: true })) {
    const { _id: job_id, ended_at, total_cost } = job
    yield { job_id, ...billedJob(job), final: isFinal(job.status), ended_at, total_cost }
  }
}
