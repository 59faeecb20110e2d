import { idOption, limitOption } from '@placefleet/shared/commands/command'
import { shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { AppError, orNotFound } from '../../http/errors.ts'
import { IdParams, queryInteger, uuid } from '../../http/params.ts'
import { findJob } from '../../jobs/store.ts'
import { deadTasks } from '../../tasks/overview.ts'
import { findTask, retryFailedTask } from '../../tasks/store.ts'
import { apiOperation, type Operation, operation } from '../operation.ts'
import { AnyTask, failureText, presentTasks } from '../tasks.ts'

const DeadTaskList = z.object({ tasks: z.array(AnyTask) }).meta({
  id: 'DeadTaskList',
  description: 'Tasks that failed in all their attempts, latest first.',
  examples: [{ tasks: AnyTask.meta()?.examples ?? [] }],
})

const listDead = operation({
  name: 'listDeadTasks',
  method: 'GET',
  path: '/tasks/dead',
  topic: 'fleet',
  summary: 'List tasks that failed in all their attempts',
  query: z.strictObject({
    limit: queryInteger({ min: 1, max: 500, fallback: 50, describe: 'the largest number to return' }),
    job_id: uuid.optional().describe('only tasks of this job'),
  }),
  answer: DeadTaskList,
  meaning: 'The tasks, latest first',
  errors: [422],
  run: async ({ db }, query) => ({ tasks: await presentTasks(db, await deadTasks(db, query)) }),
  command: {
    words: 'tasks dead',
    about: 'tasks that failed after all attempts, latest first, with the reason',
    options: z.object({ job: idOption('only tasks of this job').optional(), limit: limitOption(50) }),
    input: ({ job, limit }) => ({ job_id: job, limit }),
    json: ({ tasks }) => tasks,
    text({ tasks }) {
      const rows = tasks.map((task) => {
        const { job_id, kind, keyword, ordinal, attempts } = task
        const { number, agent, ended_at } = attempts.at(-1) ?? {}
        return [
          job_id,
          kind === 'discover' ? `search ${shortened(keyword ?? '', 30)}` : `places ${ordinal + 1}`,
          number,
          shortened(failureText(task), 120),
          agent,
          ended_at && new Date(ended_at),
        ]
      })
      const heads = ['job', 'task', 'attempts', 'reason', 'agent', 'failed at']
      return table(heads, rows, 'No failed tasks.')
    },
  },
})

const retry = apiOperation({
  name: 'retryTask',
  method: 'POST',
  path: '/tasks/:id/retry',
  topic: 'jobs',
  summary: 'Retry a failed task of a running job',
  description: 'It has all its attempts again.',
  params: IdParams,
  meaning: 'The task waits for an agent',
  errors: [409],
  async run({ db, engine }, { id }) {
    const task = orNotFound(await findTask(db, id), 'task', id)
    const job = await findJob(db, task.job_id)
    if (job?.status !== 'running') {
      throw new AppError('conflict', 'The job of this task has ended. Its user can run the job again.')
    }
    const job_id = await retryFailedTask(db, id)
    if (job_id === undefined) throw new AppError('conflict', 'The task has not failed.')
    engine.taskReturned(job_id)
  },
})

export const taskOperations: Operation[] = [listDead, retry]
