import { randomUUID } from 'node:crypto'
import { connectMongo, type Mongo } from '@placefleet/coordinator/mongo/connect'
import type { Db } from 'mongodb'
import { afterAll, inject } from 'vitest'

export type TestDatabase = Mongo & { url: string }

/** Returns an empty database on the run's MongoDB until the end of the test file. It may have indexes. */
export async function testDatabase(): Promise<TestDatabase> {
  const { giveBack, ...database } = await takeDatabase('empty')
  afterAll(giveBack)
  return database
}

/** Databases that tests of this worker returned. A coordinator starts faster on existing indexes. */
const givenBack: string[] = []

/** Above this number of documents, dropping a collection is faster than deleting them. */
const FEW = 1_000

/**
 * Takes a database until `giveBack`. An `empty` one may have empty collections with indexes, a `new` one has no
 * collections.
 */
export async function takeDatabase(kind: 'empty' | 'new'): Promise<TestDatabase & { giveBack(): Promise<void> }> {
  const databaseName = (kind === 'empty' && givenBack.shift()) || `test_${randomUUID().slice(0, 8)}`
  const url = inject('mongoUrl').replace('/?', `/${databaseName}?`)
  const mongo = await connectMongo(url)
  await empty(mongo.db)
  const giveBack = async () => {
    await mongo.close()
    givenBack.push(databaseName)
  }
  return { ...mongo, url, giveBack }
}

/** Removes the documents of an earlier test. Call it when nothing writes. */
async function empty(db: Db): Promise<void> {
  for (const { _id: name, documents } of await countDocuments(db)) {
    if (documents > FEW) await db.collection(name).drop()
    else await db.collection(name).deleteMany({})
  }
}

/**
 * Returns the collections that have documents, with their number up to `FEW` + 1. It asks for all in one command,
 * because one for each would open as many connections, and most collections are empty.
 */
async function countDocuments(db: Db): Promise<{ _id: string; documents: number }[]> {
  const [first, ...others] = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  if (first === undefined) return []
  const counted = (name: string) => [{ $limit: FEW + 1 }, { $group: { _id: name, documents: { $sum: 1 } } }]
  const unions = others.map((name) => ({ $unionWith: { coll: name, pipeline: counted(name) } }))
  return db
    .collection(first)
    .aggregate<{ _id: string; documents: number }>([...counted(first), ...unions])
    .toArray()
}
