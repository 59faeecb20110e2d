import { randomUUID } from 'node:crypto'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { createApiKey, createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import type { Db } from 'mongodb'

/** A user of a coordinator's API. */
export type Caller = { user_id: string; key: string; key_id: string }

/** Creates a user with one API key and without credits. */
export async function testUser(db: Db, email = `${randomUUID()}@example.com`): Promise<Caller> {
  const { _id: user_id } = await createUser(db, { email })
  const { key, document } = await createApiKey(db, user_id, { name: 'test' })
  return { user_id, key, key_id: document._id }
}

/** Creates a user with one API key and so many credits. */
export async function addUser(db: Db, credits = 1_000): Promise<Caller> {
  const caller = await testUser(db)
  if (credits > 0) await addCredits(db, caller.user_id, credits)
  return caller
}

/** Gives a user credits. */
export async function addCredits(db: Db, user_id: string, credits: number): Promise<void> {
  await grant(createLedger(mongoLedgerStore(db)), {
    user_id,
    amount: microCredits(String(credits)),
    type: 'bonus',
    reference: { reference_type: 'grant', reference_id: randomUUID() },
    description: 'for a test',
  })
}

/** Returns the cookie of a new session of a user. */
export const cookieOf = async (db: Db, user_id: string): Promise<string> =>
  `placefleet_session=${(await createSession(db, user_id)).secret}`
