import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { creditRoutes } from '@placefleet/coordinator/billing/ledger/routes'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { stripeGateway, stripePayments } from '@placefleet/coordinator/billing/purchases/stripe/payments'
import { stripeRoutes } from '@placefleet/coordinator/billing/purchases/stripe/routes'
import { verifyWithStripe } from '@placefleet/coordinator/billing/purchases/stripe/verify'
import { verifyLedger } from '@placefleet/coordinator/billing/verify/verify'
import { verifiedIn } from '@placefleet/coordinator/operator/commands/verification'
import { TIMINGS, type Timings } from '@placefleet/coordinator/timings'
import { createLogger, type Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { startApi } from '../../harness/coordinator/api.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { startStripe } from '../../stripe/server.ts'

export const SECRET_KEY = 'sk_test_stand_in_for_stripe'
export const WEBHOOK_SECRET = 'whsec_stand_in_for_stripe'

const Opened = z.object({ session_id: z.string(), url: z.url() })
const Shown = z.object({
  transactions: z.array(z.object({ type: z.string(), amount: z.string(), reference_id: z.string() })),
})

/** What `ledger verify --with-stripe` would find, an hour from now. */
export async function deviationsOf(db: Db, stripeUrl: string, user_id?: string): Promise<string[]> {
  const store = mongoLedgerStore(db)
  const gateway = stripeGateway({ secretKey: SECRET_KEY, apiBase: stripeUrl })
  const only = user_id === undefined ? {} : { user_id }
  const later = () => new Date(Date.now() + 3_600_000)
  const found = [
    await verifyLedger({ ...verifiedIn(db), now: later }, only),
    await verifyWithStripe({ db, store, gateway }, only),
  ]
  return found.flatMap(({ deviations }) => deviations.map(({ subject, message }) => `${subject}: ${message}`))
}

/** Returns a stand-in for Stripe, payments over it, and the API that sells credits. All of it goes with the test. */
export async function stripeWorld(db: Db, log: Logger = createLogger('test', 'silent'), timings: Timings = TIMINGS) {
  const stripe = await startStripe({ secretKey: SECRET_KEY })
  onTestFinished(() => stripe.close())
  const store = mongoLedgerStore(db)
  const settings = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: stripe.url }
  const publicUrl = 'https://fleet.example'
  const payments = stripePayments(settings, { db, ledger: createLedger(store), log, publicUrl, timings })
  const api = await startApi(db, {
    log,
    routes: async (server) => {
      await server.register(creditRoutes, { prefix: '/api/v1', store, checkout: payments.checkout })
      await server.register(stripeRoutes, { payments })
    },
  })
  const endpoint = { url: `${api.baseUrl}/stripe/webhook`, secret: WEBHOOK_SECRET }
  const open = (key: string, credits: string) =>
    api.call('POST', '/api/v1/credits/checkout-session', { key, body: { credits, currency: 'USD' } })
  return {
    stripe,
    api,
    payments,
    endpoint,
    open,
    async opened(key: string, credits = '25') {
      const answer = await open(key, credits)
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
      return Opened.parse(answer.body)
    },
    reconcile: (key: string, session_id: string) =>
      api.call('POST', '/api/v1/credits/reconcile', { key, body: { session_id } }),
    balance: async (key: string) => (await api.call('GET', '/api/v1/credits/balance', { key })).body,
    /** The transactions of a user, oldest first, as `type amount`. */
    async history(key: string) {
      const answer = await api.call('GET', '/api/v1/credits/history', { key })
      return Shown.parse(answer.body)
        .transactions.reverse()
        .map(({ type, amount }) => `${type} ${amount}`)
    },
    sweep: () => payments.sweepOnce(new AbortController().signal),
    /** Makes everything the sweeper does due at once. */
    async makeDue(): Promise<void> {
      const past = { $set: { due_at: new Date(0) } }
      for (const name of ['checkouts', 'stripe_events', 'deployment']) {
        await db.collection(name).updateMany({ due_at: { $exists: true } }, past, SCAN)
      }
    },
  }
}
