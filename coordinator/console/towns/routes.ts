import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'
import { loadedOnce } from '../../http/loaded-once.ts'
import { queryInteger } from '../../http/params.ts'
import { errorResponses, jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { TOWNS_FILE } from '../dist.ts'
import { searchedName, searchTowns } from './search.ts'

const Town = z
  .object({
    name: z.string(),
    country: z.string().describe('ISO 3166 code of two letters'),
    region: z.string().describe("the region's code within the country; distinguishes towns of the same name"),
    lat: z.number(),
    lon: z.number(),
    population: z.int(),
  })
  .meta({
    id: 'Town',
    description: 'A town of the GeoNames list.',
    examples: [{ name: 'Limassol', country: 'CY', region: '05', lat: 34.68406, lon: 33.03794, population: 154_000 }],
  })

const TownList = z.object({ towns: z.array(Town) }).meta({
  id: 'TownList',
  description: 'Towns, the best matches first.',
  examples: [
    { towns: [{ name: 'Limassol', country: 'CY', region: '05', lat: 34.68406, lon: 33.03794, population: 154_000 }] },
  ],
})

const TownQuery = z.strictObject({
  search: z.string().min(1).max(100).describe('the beginning of the name, in any letter case, with or without accents'),
  limit: queryInteger({ min: 1, max: 20, fallback: 8, describe: 'maximum number of towns' }),
})

/** `GET /towns`: finds the coordinates of a town. Contacts no other host. */
export async function townRoutes(app: Server, { file = TOWNS_FILE }: { file?: string } = {}): Promise<void> {
  const towns = loadedOnce(() => readTowns(file)) // 7 MB, read with the first search
  const schema = {
    tags: ['towns'],
    operationId: 'searchTowns',
    summary: 'Find a town by the beginning of its name',
    querystring: TownQuery,
    response: { 200: jsonResponse(TownList, 'The best matches'), ...errorResponses(400) },
  }
  app.get('/towns', { schema }, async ({ query: { search, limit } }) => {
    return { towns: searchTowns(await towns(), searchedName(search), limit) }
  })
}

async function readTowns(file: string): Promise<Buffer> {
  return readFile(file).catch((cause) => {
    throw new AppError('unavailable', 'The list of towns is not built. Run `npm run console:build`.', {
      cause,
    })
  })
}
