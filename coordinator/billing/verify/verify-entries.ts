import {
  type AccountState,
  changed,
  EMPTY_ACCOUNT,
  type EntryType,
  faultOf,
  type LedgerEntry,
  stateAfter,
} from '../ledger/ledger.ts'

/** A violated rule, and the entry, job or account it concerns. */
export type Fault = { subject: string; message: string }

/**
 * Recomputes an account from its entries in order and compares every recorded state. After a fault it continues from
 * the recorded state, so one fault is not reported again for every later entry.
 */
export async function verifyEntries(entries: AsyncIterable<LedgerEntry>): Promise<{ count: number; faults: Fault[] }> {
  const faults: Fault[] = []
  let count = 0
  let before = EMPTY_ACCOUNT
  for await (const entry of entries) {
    count++
    faults.push(...entryFaults(entry, before).map((message) => ({ subject: `entry ${entry.seq}`, message })))
    before = stateAfter(entry)
  }
  return { count, faults }
}

/** Yields the entries of each reference id together, given entries in the order of these ids. */
export async function* byReference(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<LedgerEntry[]> {
  let group: LedgerEntry[] = []
  for await (const entry of entries) {
    if (group.length > 0 && group[0]?.reference_id !== entry.reference_id) {
      yield group
      group = []
    }
    group.push(entry)
  }
  if (group.length > 0) yield group
}

/** Returns the entries of one reference id whose type had an entry before. */
export function repeatFaults(group: readonly LedgerEntry[]): Fault[] {
  const types = new Set<string>()
  return group.flatMap(({ seq, reference_type, reference_id }) => {
    const isRepeated = types.has(reference_type)
    types.add(reference_type)
    return isRepeated
      ? [{ subject: `entry ${seq}`, message: `a second entry for ${reference_type} ${reference_id}` }]
      : []
  })
}

function entryFaults(entry: LedgerEntry, before: AccountState): string[] {
  const expected = changed(before, entry)
  const recorded = stateAfter(entry)
  const sums = ['seq', 'balance', 'held', 'deficit', 'total_purchased'] as const
  const wrong = sums
    .filter((sum) => recorded[sum] !== expected[sum])
    .map((sum) => `${sum} is ${recorded[sum]}; with this entry it comes to ${expected[sum]}`)
  const wrongBefore =
    entry.balance_before === before.balance
      ? []
      : [`balance_before is ${entry.balance_before}; it was ${before.balance}`]
  const fault = faultOf(recorded)
  const ofType = typeFault(entry)
  return [...wrong, ...wrongBefore, ...(fault ? [fault] : []), ...(ofType ? [ofType] : [])]
}

type Sums = Pick<LedgerEntry, 'amount' | 'held_change' | 'deficit_change' | 'purchased_change'>

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

/** Returns what is wrong with an entry whose changes do not fit its type. */
function typeFault(entry: LedgerEntry): string | undefined {
  const allowed: ((sums: Sums) => boolean) | undefined = ALLOWED[entry.type]
  return allowed?.(entry) ? undefined : `changes the account in a way that no ${entry.type} may`
}

const SUMS = ['amount', 'held_change', 'deficit_change', 'purchased_change'] as const

const movesOnly = (one: (typeof SUMS)[number], sums: Sums): boolean =>
  SUMS.every((sum) => sum === one || sums[sum] === 0)
