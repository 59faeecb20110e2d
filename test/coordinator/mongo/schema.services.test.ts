import { checkSchema, SCHEMA_VERSION } from '@placefleet/coordinator/mongo/schema'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase('new')
const schema = db.collection<{ _id: string; version: number }>('deployment')
beforeEach(() => db.dropDatabase())

test('coordinators that start at once on a new database note its schema version once', async () => {
  await Promise.all(Array.from({ length: 5 }, () => checkSchema(db)))
  expect(await schema.find().toArray()).toEqual([{ _id: 'schema', version: SCHEMA_VERSION }])
})

test('a database that a later release changed is refused with what to do, and stays as it is', async () => {
  await schema.insertOne({ _id: 'schema', version: 9 })
  await expect(checkSchema(db)).rejects.toThrow(/version 9, but this release .* up to 1\. Start the/)
  expect(await schema.findOne()).toMatchObject({ version: 9 })
})
