import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase('new')

const AT = { collection: 'things', name: 'at', key: { at: 1 } } as const
const BY = { collection: 'things', name: 'by', key: { by: 1 }, unique: true } as const

test('missing indexes are created, and existing ones stay as they are', async () => {
  await ensureIndexes(db, [AT])
  await ensureIndexes(db, [AT, BY])

  const found = await db.collection(AT.collection).indexes()
  expect(found.map(({ name, key, unique = false }) => ({ name, key, unique }))).toEqual([
    { name: '_id_', key: { _id: 1 }, unique: false },
    { name: AT.name, key: AT.key, unique: false },
    { name: BY.name, key: BY.key, unique: true },
  ])
})
