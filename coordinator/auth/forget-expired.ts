import type { Db } from 'mongodb'
import { sessionsOf } from '../accounts/documents.ts'
import { LIVE_SESSION } from '../accounts/sessions.ts'
import { flowsOf, linksOf, usedLogoutTokensOf } from './documents.ts'

/** How often `forgetExpired` runs. */
export const FORGET_MS = 3_600_000

/**
 * Deletes links, sign-ins, logout tokens and sessions that are over. Each is refused without this, too: it keeps the
 * collections small where the database has no TTL monitor, and deletes idle sessions, which no TTL index can tell.
 */
export async function forgetExpired(db: Db): Promise<void> {
  const over = { $expr: { $lt: ['$expires_at', '$$NOW'] } }
  await linksOf(db).deleteMany(over)
  await flowsOf(db).deleteMany(over)
  await usedLogoutTokensOf(db).deleteMany(over)
  await sessionsOf(db).deleteMany({ $expr: { $not: [LIVE_SESSION.$expr] } })
}
