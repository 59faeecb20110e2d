import type { Db } from 'mongodb'
import { findUser } from '../../../accounts/store.ts'
import type { LedgerEntry } from '../../ledger/ledger.ts'
import type { MongoLedgerStore } from '../../ledger/store.ts'
import { creditString, type MicroCredits } from '../../prices/cost.ts'
import type { Deviation } from '../../verify/verify.ts'
import { PURCHASE } from '../purchases.ts'
import type { StripeGateway } from './gateway.ts'

type StripeVerifyDeps = {
  db: Db
  store: Pick<MongoLedgerStore, 'entries' | 'users'>
  gateway: StripeGateway
}

/** How many sessions, refunds and disputes were compared, and the deviations. */
type StripeVerification = { compared: number; deviations: Deviation[] }

/** The amounts of one side by kind and id. An absent amount equals 0. */
type Side = Map<string, { user_id: string; amount: MicroCredits }>

/**
 * Compares all purchases, refunds and disputes of the ledger with Stripe, of one user or of all. It may run beside the
 * live service: every deviation is checked twice, and reported only if it persists.
 */
export async function verifyWithStripe(
  deps: StripeVerifyDeps,
  { user_id }: { user_id?: string } = {},
): Promise<StripeVerification> {
  const first = await compare(deps, user_id)
  if (first.deviations.length === 0) return first
  const again = new Set((await compare(deps, user_id)).deviations.map(({ subject, message }) => subject + message))
  return { ...first, deviations: first.deviations.filter(({ subject, message }) => again.has(subject + message)) }
}

async function compare(deps: StripeVerifyDeps, user_id: string | undefined): Promise<StripeVerification> {
  const { side: atStripe, deviations } = await sideOfStripe(deps, user_id)
  const inLedger = await sideOfLedger(deps, user_id)
  const subjects = new Set([...atStripe.keys(), ...inLedger.keys()])
  for (const subject of subjects) {
    const [there, here] = [atStripe.get(subject), inLedger.get(subject)]
    const [owner, expected, recorded] = [there?.user_id ?? here?.user_id ?? '', there?.amount ?? 0, here?.amount ?? 0]
    if (expected === recorded) continue
    const message = `is ${creditString(expected)} at Stripe, and ${creditString(recorded)} in the ledger`
    deviations.push({ user_id: owner, subject, message })
  }
  return { compared: subjects.size, deviations }
}

async function sideOfStripe({ db, gateway }: StripeVerifyDeps, only: string | undefined) {
  const side: Side = new Map()
  const deviations: Deviation[] = []
  for await (const session of gateway.completedSessions()) {
    const { id, user_id, amount, state, fault, disturbed, payment_intent } = session
    if (only === undefined ? !(await findUser(db, user_id)) : user_id !== only) continue
    if (fault !== undefined) deviations.push({ user_id, subject: `${PURCHASE} ${id}`, message: fault })
    if (state !== 'paid') continue
    side.set(`${PURCHASE} ${id}`, { user_id, amount })
    if (!disturbed || payment_intent === undefined) continue
    for await (const movement of gateway.movements(payment_intent)) {
      const withdrawn = movement.withdrawn ? movement.amount : 0
      side.set(`${movement.kind} ${movement.id}`, { user_id, amount: withdrawn })
    }
  }
  return { side, deviations }
}

async function sideOfLedger({ store }: StripeVerifyDeps, only: string | undefined): Promise<Side> {
  const side: Side = new Map()
  const users = only === undefined ? store.users() : [only]
  for await (const user_id of users) {
    for await (const entry of store.entries(user_id)) {
      const counted = countedOf(entry)
      if (!counted) continue
      const known = side.get(counted.subject)?.amount ?? 0
      side.set(counted.subject, { user_id, amount: known + counted.amount })
    }
  }
  return side
}

/** Returns what an entry adds to its session, refund or dispute. A deficit counts as taken back. */
function countedOf({ reference_type, reference_id, amount, deficit_change }: LedgerEntry) {
  if (reference_type === PURCHASE) return { subject: `${PURCHASE} ${reference_id}`, amount }
  const kind = /^(refund|dispute)(_\d+)?(_deficit|_reversal|_grown_to_\d+)?$/.exec(reference_type)?.[1]
  return kind === undefined ? undefined : { subject: `${kind} ${reference_id}`, amount: deficit_change - amount }
}
