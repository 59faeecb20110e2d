import type { Db } from 'mongodb'
import { deploymentOf } from '../mongo/connect.ts'

/** The upkeep of a deployment, as the last runs of `ops` recorded it. */
type MaintenanceDocument = {
  _id: 'maintenance'
  /** When the last backup was complete. */
  backed_up_at?: Date
  /** When the whole ledger was last verified. */
  verified_at?: Date
  /** The number of deviations that it had then. */
  deviations?: number
}
type Maintenance = Omit<MaintenanceDocument, '_id'>

const MAINTENANCE = { _id: 'maintenance' } as const

const maintenanceOf = deploymentOf<MaintenanceDocument>

/** Records a complete backup. */
export const recordBackup = (db: Db): Promise<void> => record(db, { backed_up_at: '$$NOW' })

/** Records a verification of the whole ledger. */
export const recordVerification = (db: Db, deviations: number): Promise<void> =>
  record(db, { verified_at: '$$NOW', deviations })

async function record(db: Db, fields: Record<string, unknown>): Promise<void> {
  await maintenanceOf(db).updateOne(MAINTENANCE, [{ $set: fields }], { upsert: true })
}

/** Returns the upkeep of a deployment. What never happened is absent. */
export async function readMaintenance(db: Db): Promise<Maintenance> {
  return (await maintenanceOf(db).findOne(MAINTENANCE)) ?? {}
}
