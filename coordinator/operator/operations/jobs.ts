import { idOption, limitOption, shownAs } from '@placefleet/shared/commands/command'
import { facts, shortened, table } from '@placefleet/shared/commands/table'
import { Job } from '@placefleet/shared/job'
import { jobExample } from '@placefleet/shared/job-example'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { findUser, findUserByName, findUsers } from '../../accounts/store.ts'
import { creditString } from '../../billing/prices/cost.ts'
import { orNotFound } from '../../http/errors.ts'
import { IdParams, pageQuery, skipOf } from '../../http/params.ts'
import { forgetJobCounts } from '../../jobs/counts.ts'
import type { JobDocument } from '../../jobs/documents.ts'
import { presentJob } from '../../jobs/present.ts'
import { latestJobs } from '../../jobs/reports.ts'
import { findJob } from '../../jobs/store.ts'
import { jobTasks } from '../../jobs/tasks/present.ts'
import { JobTaskList, JobTasksQuery } from '../../jobs/tasks/schema.ts'
import { taskSummary } from '../../tasks/store.ts'
import { opsCommand } from '../commands/context.ts'
import { counted } from '../doctor/findings.ts'
import { apiOperation, commandOnly, type Operation, operation } from '../operation.ts'
import { fleetNames } from '../tasks.ts'
import { userOption } from './users.ts'

const owner = {
  user_id: z.uuid(),
  email: z.string().optional().describe('of its user; absent when the user was erased'),
}

const AnyJob = z.object({ ...Job.shape, ...owner }).meta({
  id: 'AnyJob',
  description: 'A job and its user.',
  examples: [{ ...jobExample, user_id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11', email: 'ada@example.com' }],
})
type AnyJob = z.infer<typeof AnyJob>

const AnyJobList = z
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

const AnyJobQuery = z.strictObject({
  ...pageQuery({ fallback: 50, max: 100 }),
  user: z.string().max(320).optional().describe('only jobs of this user: an id or an email'),
  status: z.enum(JOB_STATUSES).optional().describe('only jobs of this status'),
})

const list = operation({
  name: 'listAllJobs',
  method: 'GET',
  path: '/jobs',
  topic: 'jobs',
  summary: 'List the jobs of all users, newest first',
  query: AnyJobQuery,
  answer: AnyJobList,
  meaning: 'A page of jobs',
  errors: [404],
  async run({ db }, { user, status, ...page }) {
    const user_id = user === undefined ? undefined : (await findUserByName(db, user))._id
    const rows = await latestJobs(db, { user_id, status, skip: skipOf(page), limit: page.limit + 1 })
    const jobs = rows.slice(0, page.limit)
    const users = await findUsers(db, [...new Set(jobs.map((job) => job.user_id))])
    const emails = new Map(users.map(({ _id, email }) => [_id, email]))
    const shown = jobs.map((job) => withOwner(job, emails.get(job.user_id)))
    return { jobs: shown, ...page, has_more: rows.length > page.limit }
  },
  command: {
    words: 'jobs list',
    about: 'the latest jobs, newest first',
    options: z.object({
      user: userOption.optional(),
      status: z
        .enum(JOB_STATUSES, `must be one of ${JOB_STATUSES.join(', ')}`)
        .optional()
        .meta(shownAs('status', 'only jobs with this status')),
      limit: limitOption(20),
    }),
    input: (options) => ({ ...options, page: 1 }),
    json: ({ jobs }) => jobs.map(({ email: _, ...job }) => job),
    text({ jobs }) {
      const rows = jobs.map(({ id, name, status, result_count, total_cost, created_at }) => [
        id,
        shortened(name, 40),
        status,
        result_count,
        total_cost,
        new Date(created_at),
      ])
      return table(['id', 'name', 'status', 'places', 'cost', 'created'], rows, 'No jobs.')
    },
  },
})

const get = apiOperation({
  name: 'getAnyJob',
  method: 'GET',
  path: '/jobs/:id',
  topic: 'jobs',
  summary: 'Get a job of any user',
  params: IdParams,
  answer: AnyJob,
  meaning: 'The job',
  run: ({ db }, { id }) => anyJob(db, id),
})

/** Returns a job of any user. Throws AppError `not_found` when there is none, or its user deleted it. */
async function anyJob(db: Db, job_id: string): Promise<AnyJob> {
  const stored = await findJob(db, job_id)
  const job = orNotFound(stored?.listed && stored, 'job', job_id)
  return withOwner(job, (await findUser(db, job.user_id))?.email)
}

const withOwner = (job: JobDocument, email: string | undefined): AnyJob => ({
  ...presentJob(job),
  user_id: job.user_id,
  email,
})

const show = commandOnly(
  opsCommand({
    words: 'jobs show',
    about: 'one job with its user and its tasks, even if it was deleted recently',
    argument: 'job',
    options: z.object({ job: idOption('id of the job') }),
    async run({ database }, { job: job_id }) {
      const db = await database()
      const job = orNotFound(await findJob(db, job_id), 'job', job_id)
      const user = await findUser(db, job.user_id)
      const { total, ended, running, failed } = await taskSummary(db, job_id)
      const { user_id, held, deadline_at, phase } = job
      const more = { user_id, email: user?.email, held: creditString(held), deadline_at, phase }
      const tasks = { total, running, ended, failed }
      return {
        data: { ...presentJob(job), ...more, tasks },
        text: facts({
          ...described(job),
          ...more,
          tasks: `${total}: ${ended} ended, ${running} running, ${failed} failed`,
        }),
      }
    },
  }),
)

function described(job: JobDocument) {
  const { status, source, total_cost, result_count, outcomes } = presentJob(job)
  const { created_at, started_at, ended_at, failure_reason, cancel_reason, partial } = job
  const { keywords, language, max_results, website_filter, fast_mode } = job.data
  const happened = Object.entries(outcomes).filter(([, count]) => count > 0)
  return {
    id: job._id,
    name: job.name,
    status,
    why: failure_reason ?? cancel_reason ?? (partial ? 'some tasks failed' : undefined),
    source,
    keywords: keywords.join(', '),
    asked: `${language}, ${max_results} places, website: ${website_filter}${fast_mode ? ', fast' : ''}`,
    places: result_count,
    outcomes: happened.map(([outcome, count]) => `${outcome} ${count}`).join(', ') || undefined,
    cost: total_cost,
    created_at,
    started_at,
    ended_at,
  }
}

const listTasks = apiOperation({
  name: 'listAnyJobTasks',
  method: 'GET',
  path: '/jobs/:id/tasks',
  topic: 'jobs',
  summary: 'List the tasks of a job of any user',
  params: IdParams,
  query: JobTasksQuery,
  answer: JobTaskList,
  meaning: 'The tasks',
  async run({ db }, { id: job_id, ...page }) {
    const { id } = await anyJob(db, job_id)
    return jobTasks(db, id, page, (found) => fleetNames(db, found))
  },
})

const recount = commandOnly(
  opsCommand({
    words: 'jobs recount',
    about: 'count the jobs of all users anew, when `ledger verify` says that a list counts too many or too few',
    options: z.object({}),
    async run({ database }) {
      const users = await forgetJobCounts(await database())
      return {
        data: { users },
        text: `The jobs of ${counted(users, 'user')} are counted anew when they are next shown.`,
      }
    },
  }),
)

export const jobOperations: Operation[] = [list, get, show, recount, listTasks]
