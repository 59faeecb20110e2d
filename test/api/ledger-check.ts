import { mongoLedgerStore } from '@placefleet/coordinator/billing/store'
import { verifyLedger } from '@placefleet/coordinator/billing/verify'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { jobOwners, jobsToVerify } from '@placefleet/coordinator/jobs/reports'
import { recountTotals } from '@placefleet/coordinator/results/store'
import type { Db } from 'mongodb'
import { expect } from 'vitest'

/** Recomputes every balance and cost from the entries and the stored places, as `ops ledger verify` does. */
export async function expectSoundLedger(db: Db): Promise<void> {
  const jobs = jobsOf(db)
  const { deviations } = await verifyLedger({
    store: mongoLedgerStore(db),
    owners: () => jobOwners(jobs),
    jobsOf: (user_id) => jobsToVerify(jobs, user_id),
    storedTotals: (job_id) => recountTotals(db, job_id),
  })
  expect(deviations).toEqual([])
}
