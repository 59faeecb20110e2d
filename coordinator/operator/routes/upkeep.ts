import type { Db } from 'mongodb'
import { z } from 'zod'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Index } from '../../mongo/indexes.ts'
import { AgentActivity, agentActivity, FleetActivity, fleetActivity } from '../activity.ts'
import { readUpkeep, Upkeep } from '../upkeep.ts'

/** Registers the operator routes of the work of the fleet and of the state of the database. */
export async function upkeepRoutes(app: Server, { db, indexes }: { db: Db; indexes: readonly Index[] }): Promise<void> {
  const tags = ['operators: fleet']
  const hours = {
    tags,
    operationId: 'getFleetActivity',
    summary: 'Get the work of the fleet by hours: places, and refusals of the map site',
    response: { 200: jsonResponse(FleetActivity, 'The last week') },
  }
  app.get('/activity', { schema: hours }, () => fleetActivity(db))

  const ofAgent = {
    tags,
    operationId: 'getAgentActivity',
    summary: 'Get the last hour of an agent',
    querystring: z.strictObject({
      id: z.string().min(1).max(200).describe('the `id` of the agent in `GET /api/v1/admin/agents`'),
    }),
    response: { 200: jsonResponse(AgentActivity, 'The last hour') },
  }
  app.get('/agents/activity', { schema: ofAgent }, ({ query }) => agentActivity(db, query.id))

  const upkeep = {
    tags,
    operationId: 'getUpkeep',
    summary: 'Get the state of the database: last backup, indexes, sizes',
    response: { 200: jsonResponse(Upkeep, 'The state') },
  }
  app.get('/database', { schema: upkeep }, () => readUpkeep(db, indexes))
}
