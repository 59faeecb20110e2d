import type { Db } from 'mongodb'
import { IdParams } from '../../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { JobEngine } from '../../jobs/engine.ts'
import { jobTasks } from '../../jobs/tasks/present.ts'
import { JobTaskList, JobTasksQuery } from '../../jobs/tasks/schema.ts'
import { fleetNames } from '../fleet-names.ts'
import { AnyJob, AnyJobList, AnyJobQuery, anyJob, pageOfAllJobs, retryTask } from '../jobs.ts'

const tags = ['operators: jobs']

/** Registers the operator routes of the jobs of all users, and of their tasks. */
export async function anyJobRoutes(app: Server, deps: { db: Db; engine: JobEngine }): Promise<void> {
  const { db } = deps
  const list = {
    tags,
    operationId: 'listAllJobs',
    summary: 'List the jobs of all users, newest first',
    querystring: AnyJobQuery,
    response: { 200: jsonResponse(AnyJobList, 'A page of jobs'), ...errorResponses(404) },
  }
  app.get('/jobs', { schema: list }, ({ query }) => pageOfAllJobs(db, query))

  const one = {
    tags,
    operationId: 'getAnyJob',
    summary: 'Get a job of any user',
    params: IdParams,
    response: { 200: jsonResponse(AnyJob, 'The job') },
  }
  app.get('/jobs/:id', { schema: one }, ({ params }) => anyJob(db, params.id))

  const tasks = {
    tags,
    operationId: 'listAnyJobTasks',
    summary: 'List the tasks of a job of any user',
    params: IdParams,
    querystring: JobTasksQuery,
    response: { 200: jsonResponse(JobTaskList, 'The tasks') },
  }
  app.get('/jobs/:id/tasks', { schema: tasks }, async ({ params, query }) => {
    const { id } = await anyJob(db, params.id)
    return jobTasks(db, id, query, (found) => fleetNames(db, found))
  })

  const retry = {
    tags,
    operationId: 'retryTask',
    summary: 'Retry a failed task of a running job',
    description: 'It has all its attempts again.',
    params: IdParams,
    response: { 204: noContent('The task waits for an agent'), ...errorResponses(409) },
  }
  app.post('/tasks/:id/retry', { schema: retry }, async ({ params }, reply) => {
    await retryTask(deps, params.id)
    return reply.code(204).send()
  })
}
