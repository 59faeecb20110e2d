import { accountOf } from '@placefleet/coordinator/http/authentication'
import { AppError } from '@placefleet/coordinator/http/errors'
import { IdParams, pageQuery, uuid } from '@placefleet/coordinator/http/params'
import { jsonResponse, noContent } from '@placefleet/coordinator/http/responses'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { SentJobRequest } from '@placefleet/shared/job'
import { z } from 'zod'

const Anything = z.object({ got: z.unknown() })

/** Registers routes with every kind of input of the API. They return their input. */
export async function sampleRoutes(app: Server): Promise<void> {
  const answers = { 200: jsonResponse(Anything, 'What arrived') }
  app.post('/things', { schema: { body: SentJobRequest, response: answers } }, async ({ body }) => ({ got: body }))
  const ids = z.strictObject({ job_ids: z.array(uuid).max(3), nested: z.strictObject({ inner: z.int() }).optional() })
  app.post('/ids', { schema: { body: ids, response: answers } }, async ({ body }) => ({ got: body }))
  const query = z.strictObject(pageQuery({ fallback: 10, max: 100 }))
  app.get('/things', { schema: { querystring: query, response: answers } }, async (request) => ({ got: request.query }))
  app.get('/things/:id', { schema: { params: IdParams, response: answers } }, async ({ params }) => ({ got: params }))
  const gone = { params: IdParams, response: { 204: noContent('Done') } }
  app.delete('/things/:id', { schema: gone }, async (_request, reply) => reply.code(204).send())
  app.post('/things/:id/cancel', { schema: gone }, async (_request, reply) => reply.code(204).send())
  app.get('/me', { schema: { response: answers } }, async (request) => ({ got: accountOf(request) }))
  app.get('/bug', { schema: { response: answers } }, async () => {
    throw new Error('mongodb://root:secret@db exploded')
  })
  app.get('/refused', { schema: { response: answers } }, async () => {
    throw new AppError('concurrent_job_limit', '5 jobs are active.', { headers: { 'retry-after': '60' } })
  })
  app.get('/wrong-answer', { schema: { response: { 200: z.object({ count: z.int() }) } } }, async () => ({
    count: Number.NaN,
  }))
}
