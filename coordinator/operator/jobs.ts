import { Job, jobExample } from '@placefleet/shared/job'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { findUser, findUserByName, findUsers } from '../accounts/store.ts'
import { AppError, orNotFound } from '../http/errors.ts'
import { pageQuery, skipOf } from '../http/paging.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'
import { presentJob } from '../jobs/present.ts'
import { latestJobs } from '../jobs/reports.ts'
import { createJobStore } from '../jobs/store.ts'
import { createTaskStore } from '../tasks/store.ts'

const owner = {
  user_id: z.uuid(),
  email: z.string().optional().describe('of its user; absent when the user was erased'),
}

/** A job of any user, as operators see it. */
export const AnyJob = z.object({ ...Job.shape, ...owner }).meta({
  id: 'AnyJob',
  description: 'A job and its user.',
  examples: [{ ...jobExample, user_id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11', email: 'ada@example.com' }],
})
type AnyJob = z.infer<typeof AnyJob>

export const AnyJobList = z
  .object({
    jobs: z.array(AnyJob),
    page: z.int().min(1),
    limit: z.int().min(1),
    has_more: z.boolean().describe('whether another page follows'),
  })
  .meta({
    id: 'AnyJobList',
    description: 'Jobs of all users, newest first.',
    examples: [{ jobs: AnyJob.meta()?.examples ?? [], page: 1, limit: 50, has_more: false }],
  })

export const AnyJobQuery = z.strictObject({
  ...pageQuery({ fallback: 50, max: 100 }),
  user: z.string().max(320).optional().describe('only jobs of this user: an id or an email'),
  status: z.enum(JOB_STATUSES).optional().describe('only jobs of this status'),
})

/** Returns a page of the jobs of one user or of all, newest first. */
export async function pageOfAllJobs(db: Db, { user, status, ...page }: z.output<typeof AnyJobQuery>) {
  const user_id = user === undefined ? undefined : (await findUserByName(db, user))._id
  const rows = await latestJobs(db, { user_id, status, skip: skipOf(page), limit: page.limit + 1 })
  const jobs = rows.slice(0, page.limit)
  const users = new Map(
    (await findUsers(db, [...new Set(jobs.map((job) => job.user_id))])).map((one) => [one._id, one]),
  )
  const shown = jobs.map((job): AnyJob => withOwner(job, users.get(job.user_id)?.email))
  return { jobs: shown, ...page, has_more: rows.length > page.limit }
}

/** Returns a job of any user. Throws AppError `not_found` when there is none, or its user deleted it. */
export async function anyJob(db: Db, job_id: string): Promise<AnyJob> {
  const stored = await createJobStore(db).find(job_id)
  const job = orNotFound(stored?.listed && stored, 'job', job_id)
  return withOwner(job, (await findUser(db, job.user_id))?.email)
}

const withOwner = (job: JobDocument, email: string | undefined): AnyJob => ({
  ...presentJob(job),
  user_id: job.user_id,
  email,
})

/**
 * Gives a failed task of a job that goes on all its attempts again.
 * @throws AppError `not_found` for an unknown task, `conflict` when it has not failed or its job has ended.
 */
export async function retryTask({ db, engine }: { db: Db; engine: JobEngine }, task_id: string): Promise<void> {
  const tasks = createTaskStore(db)
  const task = orNotFound(await tasks.find(task_id), 'task', task_id)
  const job = await createJobStore(db).find(task.job_id)
  if (job?.status !== 'running') {
    throw new AppError('conflict', 'The job of this task has ended. Its user can run the job again.')
  }
  const job_id = await tasks.retryFailed(task_id)
  if (job_id === undefined) throw new AppError('conflict', 'The task has not failed.')
  engine.taskReturned(job_id)
}
