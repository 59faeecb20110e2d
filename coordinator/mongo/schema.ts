import type { Db } from 'mongodb'
import { deploymentOf } from './connect.ts'

/** The version of the database's schema that this release reads and writes. */
export const SCHEMA_VERSION = 1

const schemaOf = deploymentOf<{ _id: 'schema'; version: number }>

/** Notes the schema version in a new database. */
export async function noteSchema(db: Db): Promise<void> {
  await schemaOf(db).updateOne({ _id: 'schema' }, { $setOnInsert: { version: SCHEMA_VERSION } }, { upsert: true })
}

/** Returns the schema version of a database; that of this release if none is noted. */
export async function schemaVersion(db: Db): Promise<number> {
  return (await schemaOf(db).findOne({ _id: 'schema' }))?.version ?? SCHEMA_VERSION
}
