import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { findUser, markPaid } from '../../accounts/store.ts'
import type { Purchases } from '../purchases.ts'
import type { Checkouts } from './checkouts.ts'
import type { StripeGateway } from './gateway.ts'
import type { CheckoutSession, Movement } from './objects.ts'

/** What a session has come to. `foreign`: there is none of this id that is ours. */
export type Outcome = CheckoutSession['state'] | 'foreign'

/**
 * Brings the ledger in line with what Stripe says now, not with what an event says: so the order of events, their repetition
 * and their loss do not matter. Every call may be repeated after a crash at any point.
 */
export type Settlement = {
  /**
   * Credits a session if it is paid, once, and makes its user a paid one. With `owner`, only a session of that user.
   * One call of Stripe.
   */
  credit(session_id: string, owner?: string): Promise<Outcome>
  /** The same, and takes back the credits of what was refunded of it or is disputed. */
  settle(session_id: string): Promise<Outcome>
  /** The same for the session in which a payment was made, and gives back what a refund that failed had taken. */
  settlePayment(payment_intent: string): Promise<Outcome>
}

export type SettlementParts = {
  db: Db
  gateway: StripeGateway
  purchases: Purchases
  checkouts: Checkouts
  log: Logger
}

/** Settles sessions by asking Stripe about them. */
export function createSettlement(parts: SettlementParts): Settlement {
  const { gateway, checkouts } = parts
  const settle = async (session_id: string, hasMoved: boolean): Promise<Outcome> => {
    const session = await sessionOf(parts, session_id)
    if (!session) return 'foreign'
    const outcome = await credit(parts, session)
    if (outcome === 'paid' && (hasMoved || session.disturbed)) await followMovements(parts, session)
    return outcome
  }
  return {
    settle: (session_id) => settle(session_id, false),
    async credit(session_id, owner) {
      const session = await sessionOf(parts, session_id)
      if (!session || (owner !== undefined && session.user_id !== owner)) return 'foreign'
      return credit(parts, session)
    },
    async settlePayment(payment_intent) {
      const session_id = (await checkouts.ofPayment(payment_intent)) ?? (await gateway.sessionOfPayment(payment_intent))
      return session_id === undefined ? 'foreign' : settle(session_id, true)
    },
  }
}

/** A session of a user of this deployment; others may share the account at Stripe. */
async function sessionOf({ db, gateway, checkouts }: SettlementParts, session_id: string) {
  const session = await gateway.session(session_id)
  if (session && (await findUser(db, session.user_id))) return session
  await checkouts.giveUp(session_id)
  return undefined
}

async function credit({ db, purchases, checkouts, log }: SettlementParts, session: CheckoutSession): Promise<Outcome> {
  const { id, user_id, amount, state, fault } = session
  if (state === 'wrong')
    log.error({ session_id: id, user_id, fault }, 'a checkout was completed wrongly, nothing is credited')
  if (state === 'over' || state === 'wrong') await checkouts.giveUp(id)
  if (state !== 'paid') return state
  await purchases.record({ user_id, session_id: id, amount })
  await markPaid(db, user_id)
  await checkouts.settle(session) // last: until then the sweeper comes back to it
  return state
}

/**
 * Asks until an answer changes nothing: what another coordinator was told later, and had no reason to act on before we
 * did, is told to us as well.
 */
async function followMovements({ gateway, purchases }: SettlementParts, session: CheckoutSession): Promise<void> {
  if (session.payment_intent === undefined) return
  for (;;) {
    let changed = false
    for await (const movement of gateway.movements(session.payment_intent)) {
      changed = (await follow(purchases, session.user_id, movement)) || changed
    }
    if (!changed) return
  }
}

async function follow(purchases: Purchases, user_id: string, movement: Movement): Promise<boolean> {
  const { taken, short, returned } = await purchases.takenBack(user_id, movement.id)
  if (movement.withdrawn && taken + short < movement.amount) {
    if (returned > 0) return false
    await purchases.takeBack({ user_id, ...movement })
    return true
  }
  if (movement.withdrawn || taken + short === returned) return false
  await purchases.giveBack({ user_id, ...movement })
  return true
}
