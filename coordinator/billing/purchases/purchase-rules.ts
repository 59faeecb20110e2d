import type { AccountState, Change, LedgerEntry } from '../ledger/ledger.ts'
import { creditString, type MicroCredits } from '../prices/cost.ts'

/** Why purchased credits are taken back: a refund, or a dispute by the payer's bank. */
export type TakeBackKind = 'refund' | 'dispute'

const CAUSE: Record<TakeBackKind, string> = { refund: 'Refunded payment', dispute: 'Disputed payment' }
const REVERSAL: Record<TakeBackKind, string> = { refund: 'Refund that failed', dispute: 'Dispute won' }

export const purchaseEntry = (amount: MicroCredits): Change => ({
  type: 'purchase',
  amount,
  purchased_change: amount,
  description: `Purchase of ${creditString(amount)} credits`,
})

/**
 * Pays the deficit of earlier refunds from credits that are not held. Returns undefined when there is nothing to pay.
 */
export function deficitPayment({ balance, held, deficit }: AccountState): Change | undefined {
  const amount = Math.min(deficit, balance - held)
  if (amount <= 0) return undefined
  return {
    type: 'deficit_paydown',
    amount: 0 - amount,
    deficit_change: 0 - amount,
    description: 'Refunded credits that had been spent',
  }
}

/**
 * What was taken back for one refund or dispute since it was last returned: the credits taken, and those still short. A
 * dispute that was won may be withdrawn again: `round` counts how often it was returned.
 */
export type RefundState = { taken: MicroCredits; short: MicroCredits; round: number }

/** Sums the entries of one refund or dispute. */
export function refundState(about: LedgerEntry[]): RefundState {
  const returns = about.filter(({ type }) => type === 'adjustment').map(({ seq }) => seq)
  const open = about.filter(({ seq }) => seq > Math.max(0, ...returns))
  const sum = (type: LedgerEntry['type'], of: (entry: LedgerEntry) => MicroCredits) =>
    open.filter((entry) => entry.type === type).reduce((total, entry) => total + of(entry), 0)
  return {
    taken: sum('refund', (entry) => 0 - entry.amount),
    short: sum('refund_deficit', (entry) => entry.deficit_change),
    round: returns.length,
  }
}

/** A refund or dispute of an amount, in a round that a later return makes obsolete. */
type Refund = { kind: TakeBackKind; amount: MicroCredits; round: number }

/**
 * The first step of taking credits back: takes credits that are not held, up to the amount. Returns undefined when
 * nothing can be taken, or when a later step is already done.
 */
export function refundEntry(
  { balance, held }: AccountState,
  about: LedgerEntry[],
  { kind, amount, round }: Refund,
): Change | undefined {
  const now = Math.min(amount, balance - held)
  const done = refundState(about)
  if (now <= 0 || done.short > 0 || done.round > round) return undefined
  return { type: 'refund', amount: 0 - now, description: CAUSE[kind] }
}

/**
 * The second step: records the rest as a deficit. Returns undefined when everything was taken, or was already returned.
 */
export function refundDeficit(about: LedgerEntry[], { kind, amount, round }: Refund): Change | undefined {
  const done = refundState(about)
  const short = amount - done.taken
  if (short <= 0 || done.round > round) return undefined
  return {
    type: 'refund_deficit',
    amount: 0,
    deficit_change: short,
    description: `${CAUSE[kind]}: ${creditString(short)} credits were spent or reserved; the next purchase pays them`,
  }
}

/**
 * Returns the third step: records the growth of a refund or dispute as a deficit. Returns undefined when it did not
 * grow, or was already returned.
 */
export function refundIncrease(about: LedgerEntry[], { kind, amount, round }: Refund): Change | undefined {
  const { taken, short, round: now } = refundState(about)
  const growth = amount - taken - short
  if (growth <= 0 || now > round) return undefined
  return {
    type: 'refund_deficit',
    amount: 0,
    deficit_change: growth,
    description: `${CAUSE[kind]}: it grew by ${creditString(growth)} credits; the next purchase pays them`,
  }
}

/**
 * Returns what was taken and clears the deficit, because the money came back. Returns undefined when nothing was taken.
 */
export function refundReversal(about: LedgerEntry[], kind: TakeBackKind): Change | undefined {
  const { taken, short } = refundState(about)
  if (taken + short === 0) return undefined
  return { type: 'adjustment', amount: taken + short, description: REVERSAL[kind] }
}
