import { creditString } from '@placefleet/shared/money'
import { z } from 'zod'
import { PageFields } from '../http/paging.ts'
import { type AccountState, type LedgerEntry, TRANSACTION_TYPES } from './ledger-entry.ts'

const credits = z.string().describe('credits, with 6 decimals')

/** A user's credits (SPEC, "Credit balance"). */
export const CreditBalance = z
  .object({ user_id: z.string(), credit_balance: credits, total_credits_purchased: credits })
  .meta({ id: 'CreditBalance' })
export type CreditBalance = z.infer<typeof CreditBalance>

/** One movement of credits (SPEC, "Credit transaction"). */
export const CreditTransaction = z
  .object({
    id: z.uuid(),
    type: z.enum(TRANSACTION_TYPES),
    amount: credits,
    balance_before: credits,
    balance_after: credits,
    description: z.string(),
    reference_id: z.string().describe('the job, or for a purchase the checkout session'),
    reference_type: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CreditTransaction' })
export type CreditTransaction = z.infer<typeof CreditTransaction>

export const CreditHistory = z
  .object({ transactions: z.array(CreditTransaction), ...PageFields })
  .meta({ id: 'CreditHistory' })

/** An account as its owner sees it. */
export function creditBalance(user_id: string, { balance, total_purchased }: AccountState): CreditBalance {
  return {
    user_id,
    credit_balance: creditString(balance),
    total_credits_purchased: creditString(total_purchased),
  }
}

/** An entry as its owner sees it; undefined for holds and releases, which move no credits. */
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
