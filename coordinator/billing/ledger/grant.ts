import { AppError } from '../../http/errors.ts'
import { creditString, type MicroCredits } from '../prices/cost.ts'
import { type AccountState, available, type Change, type Ledger, type LedgerEntry, type Reference } from './ledger.ts'

/** Credits that an operator grants (`bonus`, above 0) or corrects (`adjustment`, either way). */
export type Grant = {
  user_id: string
  amount: MicroCredits
  type: 'bonus' | 'adjustment'
  /** The reason of the grant. A second grant with the same reference changes nothing. */
  reference: Reference
  description: string
}

/**
 * Records a grant once per reference and returns its entry. A repetition returns the first entry.
 * @throws AppError `bad_request` for a zero amount or a negative bonus, `conflict` when an adjustment would take more
 * than is available.
 */
export async function grant(
  ledger: Ledger,
  { user_id, amount, type, reference, description }: Grant,
): Promise<LedgerEntry> {
  if (!Number.isSafeInteger(amount) || amount === 0) throw new AppError('bad_request', 'The amount must not be zero.')
  if (type === 'bonus' && amount < 0) throw new AppError('bad_request', 'A bonus must be above zero.')
  const entry = await ledger.append(user_id, reference, (state) => granted(state, { type, amount, description }))
  if (!entry) throw new Error('a grant was not recorded')
  return entry
}

function granted(state: AccountState, change: Change): Change {
  const free = available(state)
  if (free + change.amount >= 0) return change
  const message = `The adjustment takes ${creditString(0 - change.amount)}; ${creditString(free)} credits are available.`
  throw new AppError('conflict', message)
}
