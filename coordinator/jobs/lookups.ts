import type { Db } from 'mongodb'
import { billedJob } from '../billing/prices/cost.ts'
import { readBehind } from '../results/store.ts'
import type { JobDocument } from './documents.ts'
import { certifiedJob, presentJob } from './present.ts'
import { jobActivity, recentJobs } from './reports.ts'
import {
  findListed,
  findListedJobs,
  findListedOfAnyUser,
  hiddenJobs,
  type JobChoice,
  jobsWithResults,
} from './user-jobs.ts'

/** What the routes of other rooms ask of jobs. A user's jobs are those that they have not deleted. */
export const createJobLookups = (db: Db) => ({
  findJob: (user_id: string, job_id: string) => findListed(db, user_id, job_id),
  hasJob: async (user_id: string, job_id: string) => (await findListed(db, user_id, job_id)) !== undefined,
  async findSummary(user_id: string, job_id: string) {
    const job = await findListed(db, user_id, job_id)
    return job && summaryOf(job)
  },
  findLinked: async (job_id: string) => (await findListedOfAnyUser(db, [job_id])).map(summaryOf)[0],
  async findCertified(user_id: string, job_id: string) {
    const job = await findListed(db, user_id, job_id)
    return job && certifiedJob(job)
  },
  findJobsForCosts: async (user_id: string, job_ids: string[]) =>
    (await findListedJobs(db, user_id, job_ids)).map((job) => ({ job_id: job._id, held: job.held, ...billedJob(job) })),
  hiddenJobs: (user_id: string) => hiddenJobs(db, user_id),
  finalJobs: (user_id: string, choice: JobChoice) => jobsWithResults(db, user_id, choice),
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
