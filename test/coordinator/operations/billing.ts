import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { createPurchases } from '@placefleet/coordinator/billing/purchases/purchases'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { CREDITS } from './bed.ts'
import type { Operation } from './operation.ts'

const purchasesOver = (db: Db) => createPurchases(createLedger(mongoLedgerStore(db)))

type Purchases = ReturnType<typeof purchasesOver>
type Step = (purchases: Purchases, user_id: string) => Promise<void>

const refund =
  (id: string, amount: number, round = 0) =>
  (purchases: Purchases, user_id: string) =>
    purchases.takeBack({ user_id, kind: 'refund', id, round, amount })

const giveBack = (purchases: Purchases, user_id: string) =>
  purchases.giveBack({ user_id, kind: 'refund', id: 'one', round: 0 })

const row = (name: string, when: string, before: Step[], step: Step, after: object): Operation => ({
  name: `billing/purchases/purchases.ts ${name}`,
  when,
  async begin({ db, healthy, user }) {
    const user_id = await user()
    for (const each of before) await each(purchasesOver(db), user_id)
    return {
      users: [user_id],
      call: (seen) => step(purchasesOver(seen), user_id),
      async check() {
        expect(await healthy.ledger.state(user_id)).toMatchObject(after)
      },
    }
  },
})

/** The operations of purchases. Each is repeated by the sweep that reads Stripe. */
export const billingOperations: readonly Operation[] = [
  row(
    'record',
    'of an account with a deficit',
    [refund('one', 2 * CREDITS)],
    (purchases, user_id) => purchases.record({ user_id, session_id: 'two', amount: 3 * CREDITS }),
    { balance: 2 * CREDITS, deficit: 0, total_purchased: 3 * CREDITS },
  ),
  row('takeBack', 'of more than there is', [], refund('one', 3 * CREDITS), { balance: 0, deficit: 2 * CREDITS }),
  row('takeBack', 'a second time', [refund('one', CREDITS), giveBack], refund('one', 3 * CREDITS, 1), {
    balance: 0,
    deficit: 2 * CREDITS,
  }),
  row(
    'giveBack',
    'to an account with another deficit',
    [refund('one', CREDITS), refund('two', CREDITS / 2)],
    giveBack,
    { balance: CREDITS / 2, deficit: 0 },
  ),
]
