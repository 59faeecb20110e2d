import { randomUUID } from 'node:crypto'
import { connectMongo, type Mongo } from '@placefleet/coordinator/mongo/connect'
import { afterAll, inject } from 'vitest'

/** A database of a test file's own. */
export type TestDatabase = Mongo & { url: string; databaseName: string }

/** A new, empty database on the run's MongoDB. It is dropped and its connections are closed after the test file. */
export async function testDatabase(): Promise<TestDatabase> {
  const url = inject('mongoUrl')
  const databaseName = `test_${randomUUID().slice(0, 8)}`
  const mongo = await connectMongo(url, { databaseName })
  afterAll(async () => {
    await mongo.db.dropDatabase()
    await mongo.close()
  })
  return { ...mongo, url, databaseName }
}
