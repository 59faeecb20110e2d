import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { Ledger } from '../ledger.ts'
import { billingNotConfigured, type Payments } from '../payments.ts'
import { createPurchases } from '../purchases.ts'
import { createStripeCheckout } from './checkout.ts'
import { createStripeClient } from './client.ts'
import { createStripeGateway, type StripeGateway } from './gateway.ts'
import { createEvents } from './receive-event.ts'
import { createSettlement } from './settlement.ts'
import { signedEvent } from './signed-event.ts'
import { createCheckouts, createEventStore } from './store.ts'
import { sweepOnce } from './sweep.ts'

export type StripeSettings = {
  secretKey: string
  /** Without it events are rejected, and the sweep and reconciling find payments. */
  webhookSecret?: string | undefined
  apiBase?: string | undefined
}

/** Returns the Stripe settings of a coordinator; undefined without a payment processor. */
export function stripeSettings(config: {
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_API_BASE?: string | undefined
}): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = config
  return secretKey === undefined ? undefined : { secretKey, webhookSecret, apiBase }
}

/** Creates the gateway for these settings. */
export const stripeGateway = ({ secretKey, apiBase }: StripeSettings): StripeGateway =>
  createStripeGateway(createStripeClient(secretKey, apiBase), /^(sk|rk)_live_/.test(secretKey))

export type StripePaymentsDeps = { db: Db; ledger: Ledger; log: Logger; publicUrl: string }

/** Creates payments through Stripe. */
export function stripePayments(settings: StripeSettings, { db, ledger, log, publicUrl }: StripePaymentsDeps): Payments {
  const gateway = stripeGateway(settings)
  const checkouts = createCheckouts(db)
  const store = createEventStore(db)
  const settlement = createSettlement({ db, gateway, purchases: createPurchases(ledger), checkouts, log })
  const events = createEvents({ store, settlement, livemode: gateway.livemode, log })
  const { webhookSecret } = settings
  return {
    checkout: createStripeCheckout({ gateway, checkouts, settlement, publicUrl }),
    receive:
      webhookSecret === undefined
        ? billingNotConfigured
        : async (body, signature) => events.receive(signedEvent(body, signature, webhookSecret)),
    sweepOnce: (signal) => sweepOnce({ gateway, checkouts, store, events, settlement, log }, signal),
  }
}
