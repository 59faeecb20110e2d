import type { AccountState, Change, LedgerEntry } from './ledger-entry.ts'
import { creditString, type MicroCredits } from './money.ts'

/** Why credits that were bought are taken back: the money was refunded, or the payer's bank has withdrawn it. */
export type TakeBackKind = 'refund' | 'dispute'

const CAUSE: Record<TakeBackKind, string> = { refund: 'Refunded payment', dispute: 'Disputed payment' }
const UNDONE: Record<TakeBackKind, string> = { refund: 'Refund that failed', dispute: 'Dispute won' }

/** Credits that were paid for. */
export const bought = (amount: MicroCredits): Change => ({
  type: 'purchase',
  amount,
  purchased_change: amount,
  description: `Purchase of ${creditString(amount)} credits`,
})

/** Pays what earlier refunds are short of, out of what is not held for jobs. Undefined: there is nothing to pay. */
export function paidDown({ balance, held, deficit }: AccountState): Change | undefined {
  const amount = Math.min(deficit, balance - held)
  if (amount <= 0) return undefined
  return {
    type: 'deficit_paydown',
    amount: 0 - amount,
    deficit_change: 0 - amount,
    description: 'Refunded credits that had been spent',
  }
}

/** What the entries about one refund or dispute add up to. */
export type TakenBack = { taken: MicroCredits; short: MicroCredits; returned: MicroCredits }

/** Reads the entries about one refund or dispute. */
export function takenBack(about: LedgerEntry[]): TakenBack {
  const sum = (type: LedgerEntry['type'], of: (entry: LedgerEntry) => MicroCredits) =>
    about.filter((entry) => entry.type === type).reduce((total, entry) => total + of(entry), 0)
  return {
    taken: sum('refund', (entry) => 0 - entry.amount),
    short: sum('refund_deficit', (entry) => entry.deficit_change),
    returned: sum('adjustment', (entry) => entry.amount),
  }
}

/**
 * The first step of taking back: what is not held for jobs, up to the whole amount. Undefined: nothing can be taken, or
 * a later step was made already.
 */
export function taken(
  { balance, held }: AccountState,
  about: LedgerEntry[],
  kind: TakeBackKind,
  amount: MicroCredits,
): Change | undefined {
  const now = Math.min(amount, balance - held)
  const { short, returned } = takenBack(about)
  if (now <= 0 || short > 0 || returned > 0) return undefined
  return { type: 'refund', amount: 0 - now, description: CAUSE[kind] }
}

/** The second step: what could not be taken is owed. Undefined: all was taken, or it was given back already. */
export function owed(about: LedgerEntry[], kind: TakeBackKind, amount: MicroCredits): Change | undefined {
  const { taken, returned } = takenBack(about)
  const short = amount - taken
  if (short <= 0 || returned > 0) return undefined
  return {
    type: 'refund_deficit',
    amount: 0,
    deficit_change: short,
    description: `${CAUSE[kind]}: ${creditString(short)} credits were spent or reserved; the next purchase pays them`,
  }
}

/** Gives back what was taken and what was owed, since the money came back. Undefined: nothing was taken. */
export function givenBack(about: LedgerEntry[], kind: TakeBackKind): Change | undefined {
  const { taken, short } = takenBack(about)
  if (taken + short === 0) return undefined
  return { type: 'adjustment', amount: taken + short, description: UNDONE[kind] }
}
