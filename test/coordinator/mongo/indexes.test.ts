import { buildIndexes } from '@placefleet/coordinator/mongo/indexes'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { takeDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const AT = { collection: 'things', name: 'at', key: { at: 1 } } as const
const BY = { collection: 'things', name: 'by', key: { by: 1 } } as const

test('an index whose build failed is built later, and holds up no other one', async () => {
  const { db, giveBack } = await takeDatabase('empty')
  onTestFinished(() => giveBack())
  const things = db.collection(AT.collection)
  await things.createIndex({ other: 1 }, { name: AT.name }) // another definition: ours cannot be built
  const keyOf = async (name: string) => (await things.indexes()).find((index) => index.name === name)?.key

  const building = buildIndexes(db, [AT, BY], createLogger('test', 'silent'), 50)
  onTestFinished(() => building.stop())
  await until('the other index is built', async () => (await keyOf(BY.name)) !== undefined)
  expect(await keyOf(AT.name)).toEqual({ other: 1 })
  await things.dropIndex(AT.name)

  await until('the index is built', async () => (await keyOf(AT.name)) !== undefined)
  expect(await keyOf(AT.name)).toEqual(AT.key)
})
