import type { EntryType, LedgerEntry } from './ledger-entry.ts'

type Sums = Pick<LedgerEntry, 'amount' | 'held_change' | 'deficit_change' | 'purchased_change'>

/** What each type of entry may do to an account. */
const ALLOWED: Record<EntryType, (sums: Sums) => boolean> = {
  purchase: ({ amount, purchased_change, ...rest }) =>
    amount > 0 && purchased_change === amount && rest.held_change === 0 && rest.deficit_change === 0,
  consumption: ({ amount, held_change, ...rest }) =>
    amount < 0 && held_change <= amount && rest.deficit_change === 0 && rest.purchased_change === 0,
  bonus: (sums) => sums.amount > 0 && movesOnly('amount', sums),
  refund: (sums) => sums.amount < 0 && movesOnly('amount', sums),
  adjustment: (sums) => sums.amount !== 0 && movesOnly('amount', sums),
  refund_deficit: (sums) => sums.deficit_change > 0 && movesOnly('deficit_change', sums),
  deficit_paydown: ({ amount, deficit_change, ...rest }) =>
    amount < 0 && deficit_change === amount && rest.held_change === 0 && rest.purchased_change === 0,
  hold: (sums) => sums.held_change >= 0 && movesOnly('held_change', sums),
  release: (sums) => sums.held_change <= 0 && movesOnly('held_change', sums),
}

/** What is wrong with an entry, if it does to the account what its type does not. */
export function typeFault(entry: LedgerEntry): string | undefined {
  const allowed: ((sums: Sums) => boolean) | undefined = ALLOWED[entry.type]
  return allowed?.(entry) ? undefined : `changes the account as no ${entry.type} does`
}

const SUMS = ['amount', 'held_change', 'deficit_change', 'purchased_change'] as const

const movesOnly = (one: (typeof SUMS)[number], sums: Sums): boolean =>
  SUMS.every((sum) => sum === one || sums[sum] === 0)
