import type { Context } from '../context.ts'
import { publicUrlOf } from '../http/addresses.ts'
import { createHolds } from './ledger/holds.ts'
import { createLedger } from './ledger/ledger.ts'
import { mongoLedgerStore } from './ledger/store.ts'
import { createPriceRules } from './prices/price-rules.ts'
import { paymentsNotConfigured } from './purchases/payments.ts'
import { stripeSettings } from './purchases/stripe/settings.ts'

export type Billing = Awaited<ReturnType<typeof createBilling>>

/** Creates the room of money: the ledger, the holds of jobs, the prices and the payments. */
export async function createBilling({ config, log, db, counters, timings }: Context) {
  const ledgerStore = mongoLedgerStore(db)
  const ledger = createLedger(ledgerStore, { onStored: counters.entryStored })
  const stripe = stripeSettings(config)
  const deps = { db, ledger, log, publicUrl: publicUrlOf(config), timings }
  return {
    ledgerStore,
    ledger,
    holds: createHolds(ledger),
    prices: createPriceRules(db),
    payments: stripe ? (await loadStripe()).stripePayments(stripe, deps) : paymentsNotConfigured,
  }
}

/** The library is large, so only a coordinator with payments loads it. */
const loadStripe = () => import('./purchases/stripe/payments.ts')
