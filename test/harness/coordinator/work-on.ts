import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Jobs } from '@placefleet/coordinator/jobs/jobs'
import type { Db } from 'mongodb'

/**
 * Lets a coordinator look at a job now, as its loops do when the job is due, and waits for all that follows. Does
 * nothing when no work is left for the job.
 */
export async function workOn(
  db: Db,
  { activeJobs, endedJobs }: Pick<Jobs, 'activeJobs' | 'endedJobs'>,
  job_id: string,
): Promise<void> {
  await jobsOf(db).updateOne({ _id: job_id, due_at: { $exists: true } }, { $set: { due_at: new Date(0) } })
  await activeJobs.startOne(job_id)
  await activeJobs.idle()
  await endedJobs.startOne(job_id)
  await endedJobs.idle()
}
