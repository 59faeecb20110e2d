import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { createUserLimit } from '../../../accounts/limits.ts'
import { TIMINGS, type Timings } from '../../../timings.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { billingNotConfigured, type Payments } from '../payments.ts'
import { createPurchases } from '../purchases.ts'
import { CHECKOUTS, createStripeCheckout } from './checkout.ts'
import { createStripeClient } from './client.ts'
import { createStripeGateway, type StripeGateway } from './gateway.ts'
import { createEvents } from './receive-event.ts'
import type { StripeSettings } from './settings.ts'
import { createSettlement } from './settlement.ts'
import { signedEvent } from './signed-event.ts'
import { createCheckouts, createEventStore } from './store.ts'
import { sweepOnce } from './sweep.ts'

/** Creates the gateway for these settings. */
export const stripeGateway = (
  { secretKey, apiBase }: StripeSettings,
  { stripeTimeoutMs: timeoutMs }: Timings = TIMINGS,
): StripeGateway =>
  createStripeGateway(createStripeClient(secretKey, { apiBase, timeoutMs }), /^(sk|rk)_live_/.test(secretKey))

export type StripePaymentsDeps = { db: Db; ledger: Ledger; log: Logger; publicUrl: string; timings?: Timings }

/** Creates payments through Stripe. */
export function stripePayments(
  settings: StripeSettings,
  { db, ledger, log, publicUrl, timings }: StripePaymentsDeps,
): Payments {
  const gateway = stripeGateway(settings, timings)
  const checkouts = createCheckouts(db)
  const store = createEventStore(db)
  const limit = createUserLimit(db, 'checkouts', CHECKOUTS, 'checkouts')
  const settlement = createSettlement({ db, gateway, purchases: createPurchases(ledger), checkouts, log })
  const events = createEvents({ store, settlement, livemode: gateway.livemode, log })
  const { webhookSecret } = settings
  return {
    checkout: createStripeCheckout({ gateway, checkouts, settlement, limit, publicUrl }),
    receive:
      webhookSecret === undefined
        ? billingNotConfigured
        : async (body, signature) => events.receive(signedEvent(body, signature, webhookSecret)),
    sweepOnce: (signal) => sweepOnce({ gateway, checkouts, store, events, settlement, log }, signal),
  }
}
