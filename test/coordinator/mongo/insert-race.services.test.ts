import { collection } from '@placefleet/coordinator/mongo/connect'
import { insertedBeforeDuplicate } from '@placefleet/coordinator/mongo/locks'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

test('an insert that meets a duplicate key says how many documents it stored before', async () => {
  const documents = collection<{ _id: string }>(db, 'raced')
  await documents.insertOne({ _id: 'rival' })
  const insert = documents.insertMany([{ _id: 'first' }, { _id: 'rival' }, { _id: 'last' }], { ordered: true })
  expect(await insertedBeforeDuplicate(insert)).toBe(1)
})

test('an insert that fails for another reason fails: it did not lose against a rival', async () => {
  await db.createCollection('checked', { validator: { size: { $lt: 10 } } })
  const documents = collection<{ _id: string; size: number }>(db, 'checked')
  const insert = documents.insertMany(
    [
      { _id: 'fits', size: 1 },
      { _id: 'too large', size: 20 },
    ],
    { ordered: true },
  )
  await expect(insertedBeforeDuplicate(insert)).rejects.toMatchObject({ name: 'MongoBulkWriteError', code: 121 })
})
