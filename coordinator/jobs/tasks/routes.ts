import type { Db } from 'mongodb'
import { type Account, accountOf } from '../../http/authentication.ts'
import { orNotFound } from '../../http/errors.ts'
import { IdParams } from '../../http/params.ts'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { TaskDocument } from '../../tasks/documents.ts'
import type { JobDocument } from '../documents.ts'
import { type FleetNames, jobTasks } from './present.ts'
import { JobTaskList, JobTasksQuery } from './schema.ts'

type JobTaskRoutesOptions = {
  db: Db
  findJob(user_id: string, job_id: string): Promise<JobDocument | undefined>
  /** Returns the names of the fleet that the account may see. */
  namesFor(account: Account, tasks: readonly TaskDocument[]): Promise<FleetNames | undefined>
}

const schema = {
  tags: ['jobs'],
  operationId: 'listJobTasks',
  summary: 'List the tasks of a job and their attempts',
  description:
    'What the job does, or did: each search and each group of places, when it was tried and how that ended. They are kept for a week after their end.',
  params: IdParams,
  querystring: JobTasksQuery,
  response: { 200: jsonResponse(JobTaskList, 'The tasks') },
}

/** `GET /jobs/{id}/tasks`: the timeline of a job. */
export async function jobTaskRoutes(app: Server, { db, findJob, namesFor }: JobTaskRoutesOptions): Promise<void> {
  app.get('/jobs/:id/tasks', { schema }, async (request) => {
    const account = accountOf(request)
    const { _id } = orNotFound(await findJob(account.user_id, request.params.id), 'job')
    return jobTasks(db, _id, request.query, (tasks) => namesFor(account, tasks))
  })
}
