import type { Db } from 'mongodb'
import { billedJob } from '../billing/prices/cost.ts'
import { readBehind } from '../results/store.ts'
import type { JobDocument } from './documents.ts'
import { certifiedJob, presentJob } from './present.ts'
import { jobActivity, recentJobs } from './reports.ts'
import type { JobStore } from './store.ts'

/** What the routes of other rooms ask of jobs. A user's jobs are those that they have not deleted. */
export const createJobLookups = (db: Db, jobs: JobStore) => ({
  findJob: jobs.findListed,
  hasJob: async (user_id: string, job_id: string) => (await jobs.findListed(user_id, job_id)) !== undefined,
  async findSummary(user_id: string, job_id: string) {
    const job = await jobs.findListed(user_id, job_id)
    return job && summaryOf(job)
  },
  findLinked: async (job_id: string) => (await jobs.findListedOf([job_id])).map(summaryOf)[0],
  async findCertified(user_id: string, job_id: string) {
    const job = await jobs.findListed(user_id, job_id)
    return job && certifiedJob(job)
  },
  findJobsForCosts: async (user_id: string, job_ids: string[]) =>
    (await jobs.findSome(user_id, job_ids)).map((job) => ({ job_id: job._id, held: job.held, ...billedJob(job) })),
  hiddenJobs: jobs.hidden,
  finalJobs: jobs.withResults,
  activity: (user_id: string) => jobActivity(db, user_id),
  recentJobs: async (user_id: string, limit: number) => (await recentJobs(db, user_id, limit)).map(presentJob),
  readBehind: ({ user_id, _id: job_id }: JobDocument, position: number, limit: number) =>
    readBehind(db, { user_id, job_id }, position, limit),
})

const summaryOf = ({ _id: id, user_id, name, status, totals }: JobDocument) => ({
  id,
  user_id,
  name,
  status,
  totals,
})
