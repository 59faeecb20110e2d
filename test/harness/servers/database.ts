import { randomUUID } from 'node:crypto'
import { indexes } from '@placefleet/coordinator/indexes'
import { connectMongo, type Mongo } from '@placefleet/coordinator/mongo/connect'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import type { Db } from 'mongodb'
import { afterAll, inject } from 'vitest'
import { databaseUrl } from './database-url.ts'

export type TestDatabase = Mongo & { url: string }

/** Takes a database until the end of the test file. */
export async function testDatabase(kind: 'empty' | 'new' = 'empty'): Promise<TestDatabase> {
  const { giveBack, ...database } = await takeDatabase(kind)
  afterAll(giveBack)
  return database
}

/** Databases that tests of this worker gave back. To create the indexes of a new one takes longer than most tests. */
const givenBack: string[] = []

/** Above this number of documents, dropping a collection is faster than deleting them. */
const FEW = 1_000

/**
 * Takes a database until `giveBack`. An `empty` one has the indexes of the coordinator and no documents, a `new` one has
 * no collections.
 */
export async function takeDatabase(kind: 'empty' | 'new'): Promise<TestDatabase & { giveBack(): Promise<void> }> {
  const used = kind === 'empty' ? givenBack.shift() : undefined
  const databaseName = used ?? `test_${randomUUID().slice(0, 8)}`
  const url = databaseUrl(inject('mongoUrl'), databaseName)
  const mongo = await connectMongo(url)
  const isComplete = used !== undefined && (await empty(mongo.db))
  if (kind === 'empty' && !isComplete) await ensureIndexes(mongo.db, indexes)
  const giveBack = async () => {
    if (kind === 'new') await mongo.db.dropDatabase()
    await mongo.close()
    if (kind === 'empty') givenBack.push(databaseName)
  }
  return { ...mongo, url, giveBack }
}

/**
 * Removes what an earlier test left: documents, and collections that are none of the coordinator's. Returns whether all
 * collections with indexes are there. Call it when nothing writes.
 */
async function empty(db: Db): Promise<boolean> {
  const missing = new Set(indexes.map(({ collection }) => collection))
  for (const { _id: name, documents } of await countDocuments(db)) {
    if (documents > FEW || !missing.has(name)) await db.collection(name).drop()
    else {
      if (documents > 0) await db.collection(name).deleteMany({})
      missing.delete(name)
    }
  }
  return missing.size === 0
}

/**
 * Returns the collections with their number of documents up to `FEW` + 1. It asks for all in one command, because one
 * for each would open as many connections, and most collections are empty.
 */
async function countDocuments(db: Db): Promise<{ _id: string; documents: number }[]> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  const [first, ...others] = names
  if (first === undefined) return []
  const counted = (name: string) => [{ $limit: FEW + 1 }, { $group: { _id: name, documents: { $sum: 1 } } }]
  const unions = others.map((name) => ({ $unionWith: { coll: name, pipeline: counted(name) } }))
  const some = await db
    .collection(first)
    .aggregate<{ _id: string; documents: number }>([...counted(first), ...unions])
    .toArray()
  return names.map((name) => some.find(({ _id }) => _id === name) ?? { _id: name, documents: 0 })
}
