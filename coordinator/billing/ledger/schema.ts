import { z } from 'zod'
import { PageFields } from '../../http/params.ts'
import { creditString } from '../prices/cost.ts'
import { type AccountState, available, type LedgerEntry, TRANSACTION_TYPES } from './ledger.ts'

const credits = z.string().describe('credits, with 6 decimals')

const transactionExample = {
  id: '0b6f4f9e-6a39-4a7e-8b38-5d4c1f6f9d21',
  type: 'purchase' as const,
  amount: '25.000000',
  balance_before: '0.000000',
  balance_after: '25.000000',
  description: '25 credits',
  reference_id: 'cs_live_a1b2c3',
  reference_type: 'checkout_session',
  created_at: '2026-03-01T12:00:00.000Z',
}

/** A user's credits. */
export const CreditBalance = z
  .object({
    user_id: z.string(),
    credit_balance: credits,
    available: credits.describe(
      'credits for new jobs: the balance without what is held and what a refund still takes back',
    ),
    held: credits.describe('credits reserved for jobs that have not ended'),
    total_credits_purchased: credits,
  })
  .meta({
    id: 'CreditBalance',
    description: 'The credits of a user.',
    examples: [
      {
        user_id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11',
        credit_balance: '24.705000',
        available: '24.205000',
        held: '0.500000',
        total_credits_purchased: '25.000000',
      },
    ],
  })
export type CreditBalance = z.infer<typeof CreditBalance>

export const CreditTransaction = z
  .object({
    id: z.uuid(),
    type: z.enum(TRANSACTION_TYPES),
    amount: credits,
    balance_before: credits,
    balance_after: credits,
    description: z.string(),
    reference_id: z.string().describe('the job; for a purchase, the checkout session'),
    reference_type: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CreditTransaction', description: 'A change of the balance.', examples: [transactionExample] })
export type CreditTransaction = z.infer<typeof CreditTransaction>

export const CreditHistory = z.object({ transactions: z.array(CreditTransaction), ...PageFields }).meta({
  id: 'CreditHistory',
  description: 'A page of credit transactions.',
  examples: [{ transactions: [transactionExample], total: 1, page: 1, limit: 50, has_more: false }],
})

export function creditBalance(user_id: string, account: AccountState): CreditBalance {
  return {
    user_id,
    credit_balance: creditString(account.balance),
    available: creditString(available(account)),
    held: creditString(account.held),
    total_credits_purchased: creditString(account.total_purchased),
  }
}

/** Returns the entry as the API shows it; undefined for holds and releases, which do not change the balance. */
export function creditTransaction(entry: LedgerEntry): CreditTransaction | undefined {
  const type = TRANSACTION_TYPES.find((shown) => shown === entry.type)
  if (!type) return undefined
  return {
    id: entry._id,
    type,
    amount: creditString(entry.amount),
    balance_before: creditString(entry.balance_before),
    balance_after: creditString(entry.balance_after),
    description: entry.description,
    reference_id: entry.reference_id,
    reference_type: entry.reference_type,
    created_at: entry.created_at.toISOString(),
  }
}
