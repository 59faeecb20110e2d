import { Job, SentJobRequest } from '@placefleet/shared/job'
import { traced } from '@placefleet/shared/tracing'
import { z } from 'zod'
import { accountOf } from '../http/authentication.ts'
import { IdParams } from '../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { cancelJob, checkDeletion, deleteJob } from './cancel.ts'
import { WaitQuery } from './following/schema.ts'
import { IdempotencyHeaders, idempotentRequest, keepFingerprint } from './idempotency.ts'
import { type AccountJobDeps, createJobFor, type JobReads, jobAfter, pageOfJobs } from './requests.ts'
import { CreatedJob, JobList, JobListQuery } from './schema.ts'
import { MOST_SEARCHED } from './user-jobs.ts'

type JobRoutesOptions = AccountJobDeps & JobReads

const CreationHeaders = IdempotencyHeaders.extend({
  traceparent: z
    .string()
    .optional()
    .describe('the trace that the job continues (W3C Trace Context); ignored if malformed'),
})

/** Jobs: create, list, read, cancel, delete. */
export async function jobRoutes(app: Server, options: JobRoutesOptions) {
  const { db, engine } = options
  createRoute(app, options)
  readRoutes(app, options)

  app.post(
    '/jobs/:id/cancel',
    {
      schema: {
        tags: ['jobs'],
        operationId: 'cancelJob',
        summary: 'Cancel a job',
        description:
          'A pending job is cancelled at once, a running one within 10 seconds. Its stored places stay and are billed.',
        params: IdParams,
        response: { 204: noContent('The job is cancelled or about to be'), ...errorResponses(409) },
      },
    },
    async (request, reply) => {
      await cancelJob(db, engine, accountOf(request).user_id, request.params.id)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/jobs/:id',
    {
      schema: {
        tags: ['jobs'],
        operationId: 'deleteJob',
        summary: 'Delete a job and its places',
        description: 'An active job is cancelled first. The ledger keeps what the job cost.',
        params: IdParams,
        response: { 204: noContent('The job is gone'), ...errorResponses(403) },
      },
    },
    async (request, reply) => {
      await checkDeletion(db, accountOf(request), request.params.id)
      await deleteJob(db, engine, accountOf(request).user_id, request.params.id)
      return reply.code(204).send()
    },
  )
}

function createRoute(app: Server, options: JobRoutesOptions) {
  app.decorateRequest('fingerprint', '')
  app.post(
    '/jobs',
    {
      preValidation: keepFingerprint,
      schema: {
        tags: ['jobs'],
        operationId: 'createJob',
        summary: 'Create a job',
        description:
          'Billable. With an `Idempotency-Key`, a repeated request within 24 hours creates no second job and gets the same response, ' +
          'with the header `Idempotent-Replayed: true`.',
        headers: CreationHeaders,
        body: SentJobRequest,
        response: {
          201: jsonResponse(CreatedJob, 'The job is accepted'),
          ...errorResponses(402, 409),
        },
      },
    },
    async (request, reply) => {
      const idempotent = idempotentRequest(request)
      const [parent] = request.raw.headersDistinct.traceparent ?? []
      const create = () => createJobFor(options, accountOf(request), request.body, idempotent)
      const created = await traced('create job', { parent }, create)
      if (created.replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(201).header('location', `/api/v1/jobs/${created.job_id}`).send({ id: created.job_id })
    },
  )
}

function readRoutes(app: Server, deps: JobReads) {
  app.get(
    '/jobs',
    {
      schema: {
        tags: ['jobs'],
        operationId: 'listJobs',
        summary: 'Your jobs',
        description:
          `For the next page send the id of the last job as \`after\`: then no job is shown twice or left out because others were created or deleted meanwhile. ` +
          `\`search\` looks through your ${MOST_SEARCHED} newest jobs, or those of the \`status\`.`,
        querystring: JobListQuery,
        response: { 200: jsonResponse(JobList, 'A page of jobs'), ...errorResponses(404) },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      return { ...(await pageOfJobs(deps, accountOf(request).user_id, request.query)), page, limit }
    },
  )

  app.get(
    '/jobs/:id',
    {
      schema: {
        tags: ['jobs'],
        operationId: 'getJob',
        summary: 'One job',
        description: 'With `wait` the response comes when the status changes, or after that many seconds.',
        params: IdParams,
        querystring: WaitQuery,
        response: { 200: jsonResponse(Job, 'The job') },
      },
    },
    (request) => jobAfter(deps, accountOf(request).user_id, request.params.id, request.query.wait),
  )
}
