import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { findUser, markPaid } from '../../../accounts/store.ts'
import type { Purchases } from '../purchases.ts'
import type { StripeGateway } from './gateway.ts'
import type { CheckoutSession, Movement } from './objects.ts'
import type { Checkouts } from './store.ts'

/** The state of a session. `foreign`: it does not exist, or is not ours. */
type ReconcileOutcome = CheckoutSession['state'] | 'foreign'

/**
 * Brings the ledger in line with the current state at Stripe, not with the contents of an event. So the order,
 * repetition and loss of events do not matter. Every call may be repeated after a crash.
 */
export type Reconciler = {
  /**
   * Credits a paid session once and marks its user as paid. With `owner`, only a session of that user. Makes one call
   * to Stripe.
   */
  credit(session_id: string, owner?: string): Promise<ReconcileOutcome>
  /** The same, and takes back the credits of refunds and disputes. */
  reconcile(session_id: string): Promise<ReconcileOutcome>
  /** Does the same for the session of a payment. Also gives back what a failed refund had taken. */
  reconcilePayment(payment_intent: string): Promise<ReconcileOutcome>
}

type ReconcilerDeps = {
  db: Db
  gateway: StripeGateway
  purchases: Purchases
  checkouts: Checkouts
  log: Logger
}

export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const { gateway, checkouts } = deps
  const reconcile = async (session_id: string, hasMoved: boolean): Promise<ReconcileOutcome> => {
    const session = await sessionOf(deps, session_id)
    if (!session) return 'foreign'
    const outcome = await credit(deps, session)
    if (outcome === 'paid' && (hasMoved || session.disturbed)) await followMovements(deps, session)
    return outcome
  }
  return {
    reconcile: (session_id) => reconcile(session_id, false),
    async credit(session_id, owner) {
      const session = await sessionOf(deps, session_id)
      if (!session || (owner !== undefined && session.user_id !== owner)) return 'foreign'
      return credit(deps, session)
    },
    async reconcilePayment(payment_intent) {
      const session_id = (await checkouts.ofPayment(payment_intent)) ?? (await gateway.sessionOfPayment(payment_intent))
      return session_id === undefined ? 'foreign' : reconcile(session_id, true)
    },
  }
}

/** Returns a session of a user of this deployment. Other deployments may share the Stripe account. */
async function sessionOf({ db, gateway, checkouts }: ReconcilerDeps, session_id: string) {
  const session = await gateway.session(session_id)
  if (session && (await findUser(db, session.user_id))) return session
  await checkouts.abandon(session_id)
  return undefined
}

async function credit(
  { db, purchases, checkouts, log }: ReconcilerDeps,
  session: CheckoutSession,
): Promise<ReconcileOutcome> {
  const { id, user_id, amount, state, fault } = session
  if (state === 'wrong')
    log.error(
      { session_id: id, user_id, fault },
      'a checkout was paid with a wrong amount or currency; nothing was credited',
    )
  if (state === 'over' || state === 'wrong') await checkouts.abandon(id)
  if (state !== 'paid') return state
  await purchases.record({ user_id, session_id: id, amount })
  await markPaid(db, user_id)
  await checkouts.markCredited(session) // last: until then the sweep returns to it
  return state
}

/**
 * Repeats until a pass changes nothing. Another coordinator may have heard of a later change and had no reason to act
 * before us.
 */
async function followMovements({ gateway, purchases }: ReconcilerDeps, session: CheckoutSession): Promise<void> {
  if (session.payment_intent === undefined) return
  for (;;) {
    let changed = false
    for await (const movement of gateway.movements(session.payment_intent)) {
      changed = (await follow(purchases, session.user_id, movement)) || changed
    }
    if (!changed) return
  }
}

/** Records what a movement took or gave back. Returns whether that changed the ledger. */
async function follow(purchases: Purchases, user_id: string, movement: Movement): Promise<boolean> {
  const { taken, short, round } = await purchases.refundState(user_id, movement.id)
  if (movement.withdrawn && taken + short < movement.amount) {
    await purchases.takeBack({ user_id, ...movement, round })
    return true
  }
  if (movement.withdrawn || taken + short === 0) return false
  await purchases.giveBack({ user_id, ...movement, round })
  return true
}
