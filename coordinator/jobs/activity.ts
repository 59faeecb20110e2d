import type { Collection } from 'mongodb'
import type { JobDocument } from './documents.ts'

/** How much a user does: jobs created since midnight UTC, places of all jobs, jobs running or pending. */
export type JobActivity = { jobs_today: number; places_scraped_total: number; active_jobs: number }

const NONE: JobActivity = { jobs_today: 0, places_scraped_total: 0, active_jobs: 0 }

/** The activity of a user at some time, over the jobs that can be seen: a deleted job takes its places out of the sum. */
export async function jobActivity(
  jobs: Collection<JobDocument>,
  user_id: string,
  now: Date = new Date(),
): Promise<JobActivity> {
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const countIf = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } })
  const [activity] = await jobs
    .aggregate<JobActivity>([
      { $match: { user_id, listed: true } },
      {
        $group: {
          _id: null,
          jobs_today: countIf({ $gte: ['$created_at', midnight] }),
          places_scraped_total: { $sum: '$totals.places' },
          active_jobs: countIf({ $in: ['$status', ['pending', 'running']] }),
        },
      },
      { $project: { _id: 0 } },
    ])
    .toArray()
  return activity ?? NONE
}

/** A user's latest jobs, newest first. */
export function recentJobs(jobs: Collection<JobDocument>, user_id: string, limit: number): Promise<JobDocument[]> {
  return jobs.find({ user_id, listed: true }).sort({ created_at: -1, _id: -1 }).limit(limit).toArray()
}
