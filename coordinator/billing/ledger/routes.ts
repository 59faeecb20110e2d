import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { pageOf, pageQuery, skipOf } from '../../http/paging.ts'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { checkoutRoutes } from '../purchases/checkout-routes.ts'
import type { Checkout } from '../purchases/payments.ts'
import { DailySpending, DailySpendingQuery, dailySpending, lastDays } from './daily-spending.ts'
import { stateAfter, TRANSACTION_TYPES } from './ledger.ts'
import { CreditBalance, CreditHistory, creditBalance, creditTransaction } from './schema.ts'
import type { MongoLedgerStore } from './store.ts'

type CreditRoutesOptions = {
  store: Pick<MongoLedgerStore, 'last' | 'history' | 'chargedByDay'>
  checkout: Checkout
}

const HistoryQuery = z.strictObject({
  ...pageQuery({ fallback: 50, max: 100 }),
  type: z
    .enum(['', ...TRANSACTION_TYPES])
    .default('')
    .describe('only this type; empty for all types'),
})

/** Routes for a user's balance, transactions and purchases. */
export async function creditRoutes(app: Server, { store, checkout }: CreditRoutesOptions) {
  app.get(
    '/credits/balance',
    {
      schema: {
        tags: ['credits'],
        operationId: 'getCreditBalance',
        summary: 'Credit balance',
        response: { 200: jsonResponse(CreditBalance, 'The balance') },
      },
    },
    async (request) => {
      const { user_id } = accountOf(request)
      return creditBalance(user_id, stateAfter(await store.last(user_id)))
    },
  )

  app.get(
    '/credits/history',
    {
      schema: {
        tags: ['credits'],
        operationId: 'listCreditTransactions',
        summary: 'Credit transactions, newest first',
        querystring: HistoryQuery,
        response: { 200: jsonResponse(CreditHistory, 'A page of transactions') },
      },
    },
    async (request) => {
      const { type, page, limit } = request.query
      const { entries, total } = await store.history(accountOf(request).user_id, {
        types: type === '' ? TRANSACTION_TYPES : [type],
        skip: skipOf({ page, limit }),
        limit,
      })
      const transactions = entries.map(creditTransaction).filter((transaction) => transaction !== undefined)
      return { transactions, ...pageOf({ page, limit, total }) }
    },
  )

  spendingRoute(app, store)
  await checkoutRoutes(app, checkout)
}

function spendingRoute(app: Server, store: CreditRoutesOptions['store']): void {
  app.get(
    '/credits/spending',
    {
      schema: {
        tags: ['credits'],
        operationId: 'getDailySpending',
        summary: 'Charges of jobs by day',
        querystring: DailySpendingQuery,
        response: { 200: jsonResponse(DailySpending, 'The charges by day') },
      },
    },
    async (request) => {
      const days = lastDays(request.query.days, new Date())
      const [first = ''] = days
      return dailySpending(days, await store.chargedByDay(accountOf(request).user_id, first))
    },
  )
}
