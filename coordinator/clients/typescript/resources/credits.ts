import type { CallOptions, Connection, Query } from '../connection.ts'
import { unwrap } from '../errors.ts'
import { itemsOfPages } from '../lists.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']

/** Your credits. Amounts are decimal strings. */
export const createCredits = ({ api, sent }: Connection) => ({
  balance: (options?: CallOptions) => unwrap(api.GET('/api/v1/credits/balance', sent(options))),

  /** Yields your transactions, newest first. */
  history: (query: Omit<Query<'listCreditTransactions'>, 'page'> = {}, options?: CallOptions) =>
    itemsOfPages(
      async (page) => {
        const params = { query: { limit: 100, ...query, page } }
        const answer = await unwrap(api.GET('/api/v1/credits/history', { params, ...sent(options) }))
        return { items: answer.transactions, has_more: answer.has_more }
      },
      ({ id }) => id,
    ),

  /** Returns what you spent on each of the last days. */
  spending: async (query: Query<'getDailySpending'> = {}, options?: CallOptions) => {
    const { days } = await unwrap(api.GET('/api/v1/credits/spending', { params: { query }, ...sent(options) }))
    return days
  },

  /** Opens a payment. The user pays at its `url`. */
  checkout: (body: Schemas['CheckoutRequest'], options?: CallOptions) =>
    unwrap(api.POST('/api/v1/credits/checkout-session', { body, ...sent(options) })),

  /** Adds the credits of a payment at once, without waiting for the payment processor to report it. */
  reconcile: async (body: Schemas['ReconcileRequest'], options?: CallOptions): Promise<void> => {
    await unwrap(api.POST('/api/v1/credits/reconcile', { body, ...sent(options) }))
  },
})
