import type { Db } from 'mongodb'
import { createHolds, HOLD, SETTLEMENT } from '../billing/ledger/holds.ts'
import { createLedger } from '../billing/ledger/ledger.ts'
import { mongoLedgerStore } from '../billing/ledger/store.ts'

/** The number of ids in one query. */
const AT_ONCE = 1_000

/**
 * Releases the holds of jobs that are not in a restored database: they were created or deleted during the backup.
 * Returns how many. Safe to repeat.
 */
export async function releaseLostHolds(db: Db): Promise<number> {
  const open = new Map<string, string>()
  const entries = (reference_type: string) => db.collection('ledger').find({ reference_type })
  for await (const { user_id, reference_id } of entries(HOLD)) open.set(reference_id, user_id)
  for await (const { reference_id } of entries(SETTLEMENT)) open.delete(reference_id)
  const job_ids = [...open.keys()]
  for (let begin = 0; begin < job_ids.length; begin += AT_ONCE) {
    const some = { _id: { $in: job_ids.slice(begin, begin + AT_ONCE) } }
    const jobs = db.collection<{ _id: string }>('jobs').find(some, { projection: { _id: 1 } })
    for await (const { _id } of jobs) open.delete(_id)
  }
  const holds = createHolds(createLedger(mongoLedgerStore(db)))
  for (const [job_id, user_id] of open) await holds.void({ user_id, job_id })
  return open.size
}
