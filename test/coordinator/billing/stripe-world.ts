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
import { z } from 'zod'
import { startApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { chargeOf } from '../../stripe/account.ts'
import { pay } from '../../stripe/happenings.ts'
import { SECRET_KEY, startStripe } from '../../stripe/server.ts'

export const WEBHOOK_SECRET = 'whsec_stand_in_for_stripe'

const Opened = z.object({ session_id: z.string(), url: z.url() })
const Shown = z.object({ transactions: z.array(z.object({ type: z.string(), amount: z.string() })) })

/** Returns a stand-in for Stripe, payments over it, and the API that sells credits. All of it goes with the test. */
export async function stripeWorld(db: Db, log: Logger = createLogger('test', 'silent'), timings: Timings = TIMINGS) {
  const stripe = await startStripe()
  const store = mongoLedgerStore(db)
  const ledger = createLedger(store)
  const settings = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: stripe.url }
  const gateway = stripeGateway(settings)
  const publicUrl = 'https://fleet.example'
  const payments = stripePayments(settings, { db, ledger, log, publicUrl, timings })
  const api = await startApi(db, {
    log,
    routes: async (server) => {
      await server.register(creditRoutes, { prefix: '/api/v1', store, checkout: payments.checkout })
      await server.register(stripeRoutes, { payments })
    },
  })
  const open = (key: string, credits: string) =>
    api.call('POST', '/api/v1/credits/checkout-session', { key, body: { credits, currency: 'USD' } })
  const opened = async (key: string, credits = '25') => {
    const answer = await open(key, credits)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
    return Opened.parse(answer.body)
  }
  const reconcile = (key: string, session_id: string) =>
    api.call('POST', '/api/v1/credits/reconcile', { key, body: { session_id } })
  const sweep = () => payments.sweepOnce(new AbortController().signal)
  const makeDue = async () => {
    const past = { $set: { due_at: new Date(0) } }
    for (const name of ['checkouts', 'stripe_events', 'deployment'])
      await db.collection(name).updateMany({ due_at: { $exists: true } }, past, SCAN)
  }
  return {
    stripe,
    account: stripe.account,
    api,
    gateway,
    ledger,
    payments,
    endpoint: { url: `${api.baseUrl}/stripe/webhook`, secret: WEBHOOK_SECRET },
    open,
    opened,
    reconcile,
    /** Returns a user who has paid for credits, which only Stripe knows. */
    async payer(credits = '25') {
      const user = await testUser(db)
      const { session_id } = await opened(user.key, credits)
      pay(stripe.account, session_id)
      return { ...user, session_id, charge: chargeOf(stripe.account, session_id) }
    },
    balance: async (key: string) => (await api.call('GET', '/api/v1/credits/balance', { key })).body,
    /** The transactions of a user, oldest first, as `type amount`. */
    async history(key: string) {
      const answer = await api.call('GET', '/api/v1/credits/history', { key })
      return Shown.parse(answer.body)
        .transactions.reverse()
        .map(({ type, amount }) => `${type} ${amount}`)
    },
    /** What `ledger verify --with-stripe` would find, an hour from now. */
    async deviations(user_id?: string): Promise<string[]> {
      const only = user_id === undefined ? {} : { user_id }
      const later = () => new Date(Date.now() + 3_600_000)
      const found = [
        await verifyLedger({ ...verifiedIn(db), now: later }, only),
        await verifyWithStripe({ db, store, gateway }, only),
      ]
      return found.flatMap(({ deviations }) => deviations.map(({ subject, message }) => `${subject}: ${message}`))
    },
    sweep,
    makeDue,
    /** Sweeps everything that the sweeper does, due or not. */
    async sweepAll(): Promise<void> {
      await makeDue()
      await sweep()
    },
  }
}
