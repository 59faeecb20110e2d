import { idOption, limitOption, shownAs } from '@placefleet/shared/commands/command'
import { facts, shortened, table } from '@placefleet/shared/commands/table'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import { z } from 'zod'
import { findUser, findUserByName } from '../../accounts/store.ts'
import { costOf, creditString } from '../../billing/prices/cost.ts'
import { orNotFound } from '../../http/errors.ts'
import type { JobDocument } from '../../jobs/documents.ts'
import { presentJob } from '../../jobs/present.ts'
import { latestJobs } from '../../jobs/reports.ts'
import { createJobStore } from '../../jobs/store.ts'
import { createTaskStore } from '../../tasks/store.ts'
import { type OpsCommand, opsCommand } from './context.ts'
import { userOption } from './users.ts'

const listCommand = opsCommand({
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
  async run({ database }, { user, status, limit }) {
    const db = await database()
    const user_id = user === undefined ? undefined : (await findUserByName(db, user))._id
    const jobs = await latestJobs(db, { user_id, status, limit })
    const data = jobs.map((job) => ({ ...presentJob(job), user_id: job.user_id }))
    const rows = jobs.map((job) => [
      job._id,
      shortened(job.name, 40),
      job.status,
      job.totals.places,
      creditString(costOf(job)),
      job.created_at,
    ])
    return { data, text: table(['id', 'name', 'status', 'places', 'cost', 'created'], rows, 'No jobs.') }
  },
})

const showCommand = opsCommand({
  words: 'jobs show',
  about: 'one job with its user and its tasks, even if it was deleted recently',
  argument: 'job',
  options: z.object({ job: idOption('id of the job') }),
  async run({ database }, { job: job_id }) {
    const db = await database()
    const job = orNotFound(await createJobStore(db).find(job_id), 'job', job_id)
    const user = await findUser(db, job.user_id)
    const { total, ended, running, failed } = await createTaskStore(db).summary(job_id)
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
})

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

export const jobCommands: OpsCommand[] = [listCommand, showCommand]
