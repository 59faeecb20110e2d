import { z } from 'zod'
import { queryInteger } from '../http/params.ts'
import { jsonResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import type { FindTowns } from './find-towns.ts'
import { MOST_TOWNS, TownList, TownSearch } from './schema.ts'

const TownQuery = z.strictObject({
  search: TownSearch,
  limit: queryInteger({ min: 1, max: MOST_TOWNS, fallback: 8, describe: 'maximum number of towns' }),
})

/** `GET /towns`: finds the coordinates of a town. Contacts no other host. */
export async function townRoutes(app: Server, { findTowns }: { findTowns: FindTowns }): Promise<void> {
  const schema = {
    tags: ['towns'],
    operationId: 'searchTowns',
    summary: 'Find a town by the beginning of its name',
    querystring: TownQuery,
    response: { 200: jsonResponse(TownList, 'The best matches') },
  }
  app.get('/towns', { schema }, async ({ query: { search, limit } }) => ({ towns: await findTowns(search, limit) }))
}
