import { collection } from '@placefleet/coordinator/mongo/connect'
import { isDatabaseDown } from '@placefleet/coordinator/mongo/failures'
import { insertInOrder } from '@placefleet/coordinator/mongo/locks'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

type Numbered = { _id: string; size?: number }

/** The update that counts in the document with this id. */
const counting = (documents: { namespace: string }, _id: string) =>
  ({ name: 'updateOne', namespace: documents.namespace, filter: { _id }, update: { $inc: { size: 1 } } }) as const

test('documents are inserted before the updates that follow them, and the last update says whether it found its own', async () => {
  const documents = collection<Numbered>(db, 'followed')
  const follow = (id: string, then: string) =>
    insertInOrder(db, documents, [{ _id: id, size: 0 }], [counting(documents, 'none'), counting(documents, then)])
  expect(await follow('a', 'a')).toEqual({ inserted: 1, isRecorded: true })
  expect(await follow('b', 'c')).toEqual({ inserted: 1, isRecorded: false })
  expect(await documents.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 'a', size: 1 },
    { _id: 'b', size: 0 },
  ])
})

test('an insert that meets a duplicate key says how many documents it stored before, and runs no update', async () => {
  const documents = collection<Numbered>(db, 'raced')
  await documents.insertOne({ _id: 'rival' })
  const members = [{ _id: 'first' }, { _id: 'rival' }, { _id: 'last' }]
  expect(await insertInOrder(db, documents, members, [counting(documents, 'first')])).toEqual({ inserted: 1 })
  expect(await documents.distinct('_id')).toEqual(['first', 'rival'])
  expect(await documents.findOne({ _id: 'first' })).toEqual({ _id: 'first' })
})

test('an insert that fails for another reason fails: it did not lose against a rival', async () => {
  await db.createCollection('checked', { validator: { size: { $lt: 10 } } })
  const documents = collection<Numbered>(db, 'checked')
  const members = [
    { _id: 'fits', size: 1 },
    { _id: 'too large', size: 20 },
  ]
  await expect(insertInOrder(db, documents, members)).rejects.toMatchObject({ code: 121 })
})

test('an update that meets a duplicate key is no lost race of the inserts', async () => {
  const documents = collection<Numbered>(db, 'updated')
  await documents.createIndex({ size: 1 }, { unique: true })
  await documents.insertOne({ _id: 'rival', size: 1 })
  const insert = insertInOrder(db, documents, [{ _id: 'a', size: 0 }], [counting(documents, 'a')])
  await expect(insert).rejects.toMatchObject({ code: 11_000 })
  expect(isDatabaseDown(await insert.catch((error: unknown) => error))).toBe(false)
})
