import { accountOf } from '../../http/authentication.ts'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { type EstimateDeps, estimateFor } from './estimate-for.ts'
import { EstimateAnswer, EstimateRequest } from './estimate-schema.ts'

type EstimateRoutesOptions = EstimateDeps & { now?: () => Date }

/** `POST /jobs/estimates`: the likely cost of a job, and whether the account covers it. */
export async function estimateRoutes(app: Server, { now = () => new Date(), ...deps }: EstimateRoutesOptions) {
  app.post(
    '/jobs/estimates',
    {
      schema: {
        tags: ['jobs'],
        operationId: 'estimateJob',
        summary: 'Estimate the cost of a job',
        body: EstimateRequest,
        response: { 200: jsonResponse(EstimateAnswer, 'The estimate and the balance') },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return estimateFor(deps, accountOf(request).user_id, request.body, now())
    },
  )
}
