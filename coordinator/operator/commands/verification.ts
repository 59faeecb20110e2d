import { judged, table } from '@placefleet/shared/commands/table'
import type { Db } from 'mongodb'
import { mongoLedgerStore } from '../../billing/ledger/store.ts'
import { type Verification, type VerifyDeps, verifyLedger } from '../../billing/verify/verify.ts'
import { jobCountFaults } from '../../jobs/counts.ts'
import { existingJobs, jobOwners, jobsToVerify } from '../../jobs/reports.ts'
import { recountTotals } from '../../results/store.ts'
import { counted } from '../doctor/findings.ts'

/** Recomputes every balance and cost of a database, of one user or of all. */
export const verifyDatabase = (db: Db, only: { user_id?: string } = {}): Promise<Verification> =>
  verifyLedger(verifiedIn(db), only)

/** Returns the data of a database that its ledger is verified against. */
export function verifiedIn(db: Db): VerifyDeps {
  return {
    store: mongoLedgerStore(db),
    owners: () => jobOwners(db),
    jobsOf: (user_id) => jobsToVerify(db, user_id),
    existing: (user_id, job_ids) => existingJobs(db, user_id, job_ids),
    countFaults: (user_id) => jobCountFaults(db, user_id),
    storedTotals: (job_ids) => recountTotals(db, job_ids),
  }
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
