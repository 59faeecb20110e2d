import { noteSchema, SCHEMA_VERSION, schemaVersion } from '@placefleet/coordinator/mongo/connect'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase('new')
const schema = db.collection<{ _id: string; version: number }>('deployment')

test('coordinators that start at once on a new database note its schema version once, and none changes it later', async () => {
  await Promise.all(Array.from({ length: 5 }, () => noteSchema(db)))
  expect(await schema.find().toArray()).toEqual([{ _id: 'schema', version: SCHEMA_VERSION }])

  await schema.updateOne({ _id: 'schema' }, { $set: { version: 9 } })
  await noteSchema(db)
  expect(await schemaVersion(db)).toBe(9)
})
