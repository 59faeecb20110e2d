import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

test('a query that no index settles is answered on a database of many documents', async () => {
  const many = db.collection('many')
  await many.createIndexes([{ key: { a: 1, b: 1 } }, { key: { a: 1, c: 1 } }])
  await many.insertMany(Array.from({ length: 15_000 }, (_, index) => ({ a: 1, b: index, c: -index })))

  expect(await many.find({ a: 1, d: 'none' }).sort({ c: 1 }).limit(1).toArray()).toEqual([])
})
