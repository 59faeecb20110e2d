import type { Db } from 'mongodb'
import { deploymentOf } from './connect.ts'

/** The version of the database's schema that this release reads and writes. */
export const SCHEMA_VERSION = 1

const schemaOf = deploymentOf<{ _id: 'schema'; version: number }>

/**
 * Notes the schema version in a new database.
 * @throws Error for the operator when a later release has changed the database beyond what this one understands.
 */
export async function checkSchema(db: Db): Promise<void> {
  await schemaOf(db).updateOne({ _id: 'schema' }, { $setOnInsert: { version: SCHEMA_VERSION } }, { upsert: true })
  const version = (await schemaOf(db).findOne({ _id: 'schema' }))?.version ?? SCHEMA_VERSION
  if (version <= SCHEMA_VERSION) return
  throw new Error(
    `The database has schema version ${version}, but this release of Placefleet understands versions up to ${SCHEMA_VERSION}. ` +
      'Start the release that changed it, or restore a backup from before the upgrade (see UPGRADING.md).',
  )
}
