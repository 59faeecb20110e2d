import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { cookieName } from '@placefleet/coordinator/http/authentication'
import { grantCredits } from '@placefleet/coordinator/operator/operations/credits'
import type { Db } from 'mongodb'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import type { OpenTab } from './browser.ts'

/** A user of one test. What a test does to everything of its user, no other test sees. */
export type User = {
  id: string
  /** Speaks for the user, as a program would. */
  client: Client
  /** Opens a tab with a new session of the user. */
  openTab: OpenTab
}

/** Creates a user with 25 credits, who has had the demo job of the first sign-in. */
export type NewUser = (role?: 'user' | 'operator') => Promise<User>

type Deps = { url: string; db: Db; openTab: OpenTab }

/** Returns how to create the users of a console. */
export const newUsers =
  ({ url, db, openTab }: Deps): NewUser =>
  async (role = 'user') => {
    const { user_id: id, key } = await testUser(db, `${crypto.randomUUID()}@example.com`)
    await usersOf(db).updateOne({ _id: id }, { $set: { role, demo_at: new Date() } })
    const ledger = createLedger(mongoLedgerStore(db))
    await grantCredits({ db, ledger }, { user: id, amount: '25', type: 'bonus', reason: 'for a test' })
    const session = async () => ({
      name: cookieName('session', url),
      value: (await createSession(db, id)).secret,
    })
    return {
      id,
      client: createClient(url, key),
      openTab: async (options) => openTab({ session: await session(), ...options }),
    }
  }
