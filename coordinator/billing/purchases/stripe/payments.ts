import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import Stripe from 'stripe'
import { createUserLimit } from '../../../accounts/limits.ts'
import { TIMINGS, type Timings } from '../../../timings.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { billingNotConfigured, type Payments } from '../payments.ts'
import { createPurchases } from '../purchases.ts'
import { CHECKOUTS, createStripeCheckout } from './checkout.ts'
import { createStripeGateway, type StripeGateway } from './gateway.ts'
import { createEvents, signedEvent } from './receive-event.ts'
import { createReconciler } from './reconcile.ts'
import type { StripeSettings } from './settings.ts'
import { createCheckouts, createEventStore } from './store.ts'
import { sweepOnce } from './sweep.ts'

export const stripeGateway = (
  { secretKey, apiBase }: StripeSettings,
  { stripeTimeoutMs: timeoutMs }: Timings = TIMINGS,
): StripeGateway =>
  createStripeGateway(createStripeClient(secretKey, { apiBase, timeoutMs }), /^(sk|rk)_live_/.test(secretKey))

type StripePaymentsDeps = { db: Db; ledger: Ledger; log: Logger; publicUrl: string; timings?: Timings }

export function stripePayments(
  settings: StripeSettings,
  { db, ledger, log, publicUrl, timings }: StripePaymentsDeps,
): Payments {
  const gateway = stripeGateway(settings, timings)
  const checkouts = createCheckouts(db)
  const store = createEventStore(db)
  const limit = createUserLimit(db, 'checkouts', CHECKOUTS, 'checkouts')
  const reconciler = createReconciler({ db, gateway, purchases: createPurchases(ledger), checkouts, log })
  const events = createEvents({ store, reconciler, livemode: gateway.livemode, log })
  const { webhookSecret } = settings
  return {
    checkout: createStripeCheckout({ gateway, checkouts, reconciler, limit, publicUrl }),
    receive:
      webhookSecret === undefined
        ? billingNotConfigured
        : async (body, signature) => events.receive(signedEvent(body, signature, webhookSecret)),
    sweepOnce: (signal) => sweepOnce({ gateway, checkouts, store, events, reconciler, log }, signal),
  }
}

/**
 * The API version whose objects `objects.ts` reads. Events may come in another version: only ids are read from them.
 */
const API_VERSION = '2026-10-28.endive'

/** Creates the official client. `apiBase` names a server in place of Stripe's, e.g. for tests. */
function createStripeClient(
  secretKey: string,
  { apiBase, timeoutMs }: { apiBase?: string | undefined; timeoutMs: number },
): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'placefleet' },
    // Unlike the default client, this one applies the timeout to the whole call, so a slow response cannot stall us.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: 'error' })),
    ...(apiBase === undefined ? {} : addressOf(apiBase)),
  })
}

function addressOf(apiBase: string) {
  const { hostname, port, protocol } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' } as const
}
