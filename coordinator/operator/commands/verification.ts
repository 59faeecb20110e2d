import { judged, table } from '@placefleet/shared/commands/table'
import type { Db } from 'mongodb'
import { mongoLedgerStore } from '../../billing/store.ts'
import { type Verification, verifyLedger } from '../../billing/verify.ts'
import { jobsOf } from '../../jobs/documents.ts'
import { jobOwners, jobsToVerify } from '../../jobs/reports.ts'
import { recountTotals } from '../../results/store.ts'
import { counted } from '../doctor/words.ts'

/** Recomputes every balance and cost of a database, of one user or of all. */
export function verifyDatabase(db: Db, only: { user_id?: string } = {}): Promise<Verification> {
  const jobs = jobsOf(db)
  const deps = {
    store: mongoLedgerStore(db),
    owners: () => jobOwners(jobs),
    jobsOf: (user_id: string) => jobsToVerify(jobs, user_id),
    storedTotals: (job_id: string) => recountTotals(db, job_id),
  }
  return verifyLedger(deps, only)
}

/** Prints a verification: what was compared, and every deviation. */
export function describeVerification(
  { users, entries, jobs, deviations }: Verification,
  payments?: number,
): { text: string; failed: boolean } {
  const failed = deviations.length > 0
  const rows = deviations.map(({ user_id, subject, message }) => [user_id, subject, message])
  const seen = [counted(users, 'user'), counted(entries, 'ledger line'), counted(jobs, 'job')]
  if (payments !== undefined) seen.push(counted(payments, 'payment'))
  const count = `${seen.join(', ')}: ${counted(deviations.length, 'deviation')}`
  const list = failed ? [table(['user', 'what', 'deviation'], rows, '')] : []
  return { text: [...list, judged(!failed, count)].join('\n'), failed }
}
