import { verifyDatabase } from '@placefleet/coordinator/operator/commands/verification'
import type { Db } from 'mongodb'
import { expect } from 'vitest'

/** Recomputes every balance and cost from the entries and the stored places, as `ops ledger verify` does. */
export async function expectSoundLedger(db: Db): Promise<void> {
  const { deviations } = await verifyDatabase(db)
  expect(deviations).toEqual([])
}
