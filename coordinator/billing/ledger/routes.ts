import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { pageOf, pageQuery, queryInteger, skipOf } from '../../http/params.ts'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { creditString, type MicroCredits } from '../prices/cost.ts'
import { checkoutRoutes } from '../purchases/checkout-routes.ts'
import type { Checkout } from '../purchases/payments.ts'
import { stateAfter, TRANSACTION_TYPES } from './ledger.ts'
import { CreditBalance, CreditHistory, creditBalance, creditTransaction } from './schema.ts'
import type { MongoLedgerStore } from './store.ts'

const DAY_MS = 86_400_000

const DailySpendingQuery = z.strictObject({
  days: queryInteger({ min: 1, max: 366, fallback: 30, describe: 'number of days up to today' }),
})

/** What the jobs of a user were charged, by day. */
const DailySpending = z
  .object({
    days: z.array(
      z.object({
        date: z.iso.date().describe('the UTC day of the charge'),
        credits: z.string().describe('credits, with 6 decimals'),
      }),
    ),
  })
  .meta({
    id: 'DailySpending',
    description: 'The charges of jobs by UTC day, oldest first. Days without a charge have 0.',
    examples: [
      {
        days: [
          { date: '2026-03-01', credits: '0.151000' },
          { date: '2026-03-02', credits: '0.000000' },
        ],
      },
    ],
  })
type DailySpending = z.infer<typeof DailySpending>

/** Returns the last `count` UTC days up to that of `at`, oldest first, as in 2026-03-01. */
function lastDays(count: number, at: Date): string[] {
  return Array.from({ length: count }, (_, day) =>
    new Date(at.getTime() - (count - 1 - day) * DAY_MS).toISOString().slice(0, 10),
  )
}

/** Returns the charges as the API shows them: every day, also those without a charge. */
function dailySpending(days: string[], charged: Map<string, MicroCredits>): DailySpending {
  return { days: days.map((date) => ({ date, credits: creditString(charged.get(date) ?? 0) })) }
}

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
