import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { isOperator } from '../../accounts/roles.ts'
import { accountOf } from '../../http/authentication.ts'
import { AppError } from '../../http/errors.ts'
import { queryInteger } from '../../http/params.ts'
import { errorResponses, jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { JobEngine } from '../../jobs/engine.ts'
import type { Index } from '../../mongo/indexes.ts'
import type { QueueState } from '../../tasks/queue-state.ts'
import type { StateSources } from '../doctor/state.ts'
import { listSupport, SupportRequest } from '../support.ts'
import { type AgentPort, fleetRoutes, type PoolOptions } from './fleet.ts'
import { anyJobRoutes } from './jobs.ts'
import { moneyRoutes } from './money.ts'
import { upkeepRoutes } from './upkeep.ts'
import { userRoutes } from './users.ts'

const SupportList = z.object({ requests: z.array(SupportRequest) }).meta({
  id: 'SupportList',
  description: 'Support requests, newest first.',
  examples: [{ requests: SupportRequest.meta()?.examples ?? [] }],
})

type AdminRoutesOptions = PoolOptions & {
  db: Db
  queue: () => Promise<QueueState>
  agentPort: AgentPort
  engine: JobEngine
  indexes: readonly Index[]
  proxyAgents: StateSources['proxyAgents']
}

/** Registers the operator API. It calls the same functions as `ops`. Callers who are not operators get 403. */
export async function adminRoutes(
  app: Server,
  { db, queue, agentPort, engine, indexes, proxyAgents, ...pool }: AdminRoutesOptions,
): Promise<void> {
  app.addHook('onRequest', createOperatorCheck(db))
  app.addHook('onRoute', ({ schema }) => void Object.assign(schema?.response ?? {}, errorResponses(403)))
  await userRoutes(app, { db })
  await moneyRoutes(app, { db })
  await anyJobRoutes(app, { db, engine })
  await upkeepRoutes(app, { db, indexes })
  await fleetRoutes(app, { db, sources: { database: async () => db, queue, proxyAgents }, agentPort, ...pool })

  const query = z.strictObject({
    limit: queryInteger({ min: 1, max: 500, fallback: 50, describe: 'the largest number to return' }),
  })
  const listed = { 200: jsonResponse(SupportList, 'The requests, newest first') }
  const list = {
    tags: ['operators: users'],
    operationId: 'listSupportRequests',
    summary: 'List support requests',
    querystring: query,
    response: listed,
  }
  app.get('/support', { schema: list }, async ({ query: { limit } }) => ({ requests: await listSupport(db, limit) }))
}

/**
 * Allows only operators, with a session or an API key without a spending limit.
 * @throws AppError `forbidden` for others, before the request is validated.
 */
function createOperatorCheck(db: Db) {
  return async (request: FastifyRequest): Promise<void> => {
    if (await isOperator(db, accountOf(request))) return
    const message = 'Only operators may call this. An API key with a spending limit is not enough.'
    throw new AppError('forbidden', `${message} An operator can give you the role: ops users set-role.`)
  }
}
