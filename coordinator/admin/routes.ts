import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { isOperator } from '../accounts/roles.ts'
import { accountOf } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { queryInteger } from '../http/params.ts'
import { errorResponses, jsonResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import type { QueueFacts } from './doctor/facts.ts'
import { fleetRoutes } from './fleet-routes.ts'
import { moneyRoutes } from './money-routes.ts'
import { listSupport, SupportLetter } from './support.ts'
import { userRoutes } from './user-routes.ts'

const SupportList = z.object({ requests: z.array(SupportLetter) }).meta({
  id: 'SupportList',
  description: 'What users ask, newest first.',
  examples: [{ requests: SupportLetter.meta()?.examples ?? [] }],
})

export type AdminRoutesOptions = { db: Db; queue: () => Promise<QueueFacts> }

/** The operator API. It does what `ops` does, by the same functions; everybody but operators is answered 403. */
export async function adminRoutes(app: Server, { db, queue }: AdminRoutesOptions): Promise<void> {
  app.addHook('onRequest', createOperatorCheck(db))
  await userRoutes(app, { db })
  await moneyRoutes(app, { db })
  await fleetRoutes(app, { db, sources: { database: async () => db, queue } })

  const query = z.strictObject({
    limit: queryInteger({ min: 1, max: 500, fallback: 50, describe: 'how many at most' }),
  })
  const listed = { 200: jsonResponse(SupportList, 'The latest first'), ...errorResponses(400, 403) }
  const list = {
    tags: ['operators: users'],
    operationId: 'listSupportRequests',
    summary: 'Support requests',
    querystring: query,
    response: listed,
  }
  app.get('/support', { schema: list }, async ({ query: { limit } }) => ({ requests: await listSupport(db, limit) }))
}

/**
 * Lets only operators pass, by session or by an API key without a spending limit.
 * @throws AppError `forbidden` for everybody else, before anything of the request is looked at.
 */
export function createOperatorCheck(db: Db) {
  return async (request: FastifyRequest): Promise<void> => {
    if (await isOperator(db, accountOf(request))) return
    const message = 'Only operators may call this, and not with an API key that has a spending limit.'
    throw new AppError('forbidden', `${message} An operator gives the role: ops users set-role.`)
  }
}
