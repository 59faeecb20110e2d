import type { Db } from 'mongodb'
import { z } from 'zod'
import { errorResponses, jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { Grant, GrantRequest, grantCredits } from '../grants.ts'
import { listPrices, moment, PriceLine, PricePreview, previewPrices, SetPricesRequest, setPrices } from '../prices.ts'

const PriceList = z.object({ prices: z.array(PriceLine) }).meta({
  id: 'PriceList',
  description: 'All prices, in the order in which they begin.',
  examples: [{ prices: PriceLine.meta()?.examples ?? [] }],
})

const tags = ['operators: credits']

/** Registers the operator routes of grants and prices. */
export async function moneyRoutes(app: Server, { db }: { db: Db }): Promise<void> {
  const granted = { 201: jsonResponse(Grant, 'The grant'), ...errorResponses(404, 409) }
  const give = {
    tags,
    operationId: 'grantCredits',
    summary: 'Grant or correct credits of a user',
    body: GrantRequest,
    response: granted,
  }
  app.post('/grants', { schema: give }, async ({ body }, reply) => reply.code(201).send(await grantCredits(db, body)))

  const listed = { 200: jsonResponse(PriceList, 'Past, current and future prices') }
  app.get(
    '/prices',
    { schema: { tags, operationId: 'listPrices', summary: 'List all prices', response: listed } },
    async () => ({
      prices: await listPrices(db),
    }),
  )

  const added = { 201: jsonResponse(PriceLine, 'The new prices'), ...errorResponses(409) }
  const set = {
    tags,
    operationId: 'setPrices',
    summary: 'Set future prices',
    body: SetPricesRequest,
    response: added,
  }
  app.post('/prices', { schema: set }, async ({ body }, reply) => reply.code(201).send(await setPrices(db, body)))

  const query = z.strictObject({ at: moment.describe('the time at which the job would be created') })
  const previewed = { 200: jsonResponse(PricePreview, 'The prices at that time') }
  const preview = {
    tags,
    operationId: 'previewPrices',
    summary: 'Get the prices at a time',
    querystring: query,
    response: previewed,
  }
  app.get('/prices/preview', { schema: preview }, async ({ query: { at } }) => previewPrices(db, new Date(at)))
}
