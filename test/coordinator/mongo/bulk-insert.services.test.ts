import { insertedBeforeDuplicate } from '@placefleet/coordinator/mongo/locks'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

test('a bulk insert counts the documents before a duplicate, and fails for other errors', async () => {
  const plain = db.collection<{ _id: number }>('plain')
  await plain.insertOne({ _id: 3 })
  expect(await insertedBeforeDuplicate(plain.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 }]))).toBe(2)
  await db.createCollection('checked', { validator: { a: { $exists: true } } })
  const checked = db.collection<{ a?: number }>('checked')
  await expect(insertedBeforeDuplicate(checked.insertMany([{ a: 1 }, {}]))).rejects.toThrow()
})
