import { buildHintedIndexes, buildIndexes, ensureIndexes, using } from '@placefleet/coordinator/mongo/indexes'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { takeDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const AT = { collection: 'things', name: 'at', key: { at: 1 }, hinted: true } as const
const BY = { collection: 'things', name: 'by', key: { by: 1 }, hinted: true } as const

/** A build that lasts longer than the wait for it must not let a test pass by being fast. */
const LONG_MS = 30_000

async function anyDatabase(): Promise<Db> {
  const { db, giveBack } = await takeDatabase('empty')
  onTestFinished(async () => {
    await db.dropCollection(AT.collection)
    await giveBack()
  })
  return db
}

/** Has an index of this name and another definition stand in the way of ours. */
const obstruct = (db: Db, { collection, name }: typeof AT | typeof BY) =>
  db.collection(collection).createIndex({ [`not_${name}`]: 1 }, { name })

const keyOf = async (db: Db, name: string) =>
  (await db.collection(AT.collection).indexes()).find((index) => index.name === name)?.key

test('an index whose build failed is built later, and holds up no other one', async () => {
  const db = await anyDatabase()
  await obstruct(db, AT)

  const building = buildIndexes(db, [AT, BY], createLogger('test', 'silent'), 50)
  onTestFinished(() => building.stop())
  await until('the other index is built', async () => (await keyOf(db, BY.name)) !== undefined)
  expect(await keyOf(db, AT.name)).toEqual({ not_at: 1 })
  await db.collection(AT.collection).dropIndex(AT.name)

  await until('the index is built', async () => (await keyOf(db, AT.name)) !== undefined)
  expect(await keyOf(db, AT.name)).toEqual(AT.key)
})

test('a start waits until the indexes that queries name are built, when that is soon', async () => {
  const db = await anyDatabase()
  await ensureIndexes(db, [AT])
  const { log, lines } = capturedLog()

  const building = buildHintedIndexes(db, [AT, BY], log, { waitMs: LONG_MS })
  onTestFinished(() => building.stop())
  await building.forStart()

  expect([await keyOf(db, AT.name), await keyOf(db, BY.name)]).toEqual([AT.key, BY.key])
  expect([using(AT), using(BY)]).toEqual([{ hint: 'at' }, { hint: 'by' }])
  expect(lines).toEqual([])
})

test('queries name an index that is not built in time from the moment on when it is', async () => {
  const db = await anyDatabase()
  await obstruct(db, AT)
  const things = db.collection(AT.collection)
  const count = () => things.countDocuments({ at: 1 }, using(AT))
  await things.insertOne({ at: 1 })
  const { log, lines } = capturedLog()

  const building = buildHintedIndexes(db, [AT, BY], log, { retryMs: 50, waitMs: 1_500 })
  onTestFinished(() => building.stop())
  await building.forStart()

  expect([using(AT), using(BY)]).toEqual([{}, { hint: 'by' }])
  expect(await count()).toBe(1)
  const said = lines.map((line) => JSON.parse(line)).filter(({ indexes }) => indexes !== undefined)
  expect(said).toEqual([expect.objectContaining({ indexes: ['things.at'], msg: expect.stringContaining('slower') })])

  await things.dropIndex(AT.name)
  await until('queries name the index', () => using(AT).hint)
  expect(await keyOf(db, AT.name)).toEqual(AT.key)
  expect(await count()).toBe(1)
})
