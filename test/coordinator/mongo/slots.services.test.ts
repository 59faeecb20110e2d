import { ensureIndexes, indexesOf } from '@placefleet/coordinator/mongo/indexes'
import { insertInSlot } from '@placefleet/coordinator/mongo/locks'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'

const { db } = await testDatabase()
const things = db.collection<{ owner: string; slot?: number }>('things')
const { owner_slot: index } = indexesOf('things', {
  owner_slot: { key: { owner: 1, slot: 1 }, unique: true, partialFilterExpression: { slot: { $exists: true } } },
})
await ensureIndexes(db, [index])
const insert = (owner: string, limit = 3) =>
  insertInSlot({
    limit,
    index,
    taken: () => things.distinct('slot', { owner, slot: { $exists: true } }),
    insert: (slot) => things.insertOne({ owner, slot }),
  })
const inserted = async (owner: string, count: number, limit?: number) =>
  (await Promise.all(Array.from({ length: count }, () => insert(owner, limit)))).filter(Boolean).length

test('rivals together get exactly as many slots as there are', async () => {
  expect(await inserted('a', 30)).toBe(3)
  expect(await inserted('a', 5)).toBe(0)
  expect(await inserted('b', 1)).toBe(1)
})

test('a freed slot can be taken again, once', async () => {
  await inserted('c', 3)
  await things.updateOne({ owner: 'c' }, { $unset: { slot: true } }, SCAN)
  expect(await inserted('c', 10)).toBe(1)
  expect(await things.countDocuments({ owner: 'c' }, SCAN)).toBe(4)
})

test('documents above a limit that was lowered count: none is inserted until fewer than the limit are left', async () => {
  expect(await inserted('d', 5, 5)).toBe(5)
  await things.deleteMany({ owner: 'd', slot: { $lt: 2 } })
  expect(await inserted('d', 5, 3)).toBe(0)
  await things.deleteOne({ owner: 'd', slot: 4 })
  expect(await inserted('d', 5, 3)).toBe(1)
})

test('another failure of the insert is handed on', async () => {
  const broken = {
    limit: 1,
    index,
    taken: async () => [],
    insert: () => Promise.reject(new Error('x')),
  }
  await expect(insertInSlot(broken)).rejects.toThrow('x')
})
