import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { connectMongo, pingDatabase } from '@placefleet/coordinator/mongo/connect'
import { isDatabaseDown, isDiskFull, isDuplicateKey } from '@placefleet/coordinator/mongo/failures'
import { ensureIndexes, indexesOf } from '@placefleet/coordinator/mongo/indexes'
import { tailRead } from '@placefleet/coordinator/mongo/locks'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { resultIndexes } from '@placefleet/coordinator/results/documents'
import { taskIndexes } from '@placefleet/coordinator/tasks/documents'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { type Document, MongoClient, MongoServerError } from 'mongodb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSilentServer } from '../../harness/network/silent-server.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { databaseUrl } from '../../harness/servers/database-url.ts'
import { startReplicaSet } from '../../harness/servers/replica-set/replica-set.ts'

const { db, url } = await testDatabase()

/** Returns the URL of the run's MongoDB with a database in its path. */
const urlOf = (path: string) => databaseUrl(url, path)

const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}

test('a single server acknowledges a write once it is in its journal, also by a URL without options', async () => {
  const plain = new URL(url)
  for (const option of ['w', 'journal']) plain.searchParams.delete(option)
  const mongo = await connectMongo(String(plain))
  onTestFinished(mongo.close)
  expect(mongo.db.writeConcern).toMatchObject({ w: 1, journal: true })
})

test('a write that no majority acknowledges in time fails as a database that is down, also one of many documents', async () => {
  const set = await startReplicaSet()
  onTestFinished(set.close)
  const mongo = await connectMongo(set.url('any'))
  onTestFinished(mongo.close)
  const things = mongo.db.collection<{ _id: string; count: number }>('things')
  set.loseSecondaries()
  const one = await failureOf(things.insertOne({ _id: crypto.randomUUID(), count: 0 }))
  const many = await failureOf(things.insertMany([{ _id: crypto.randomUUID(), count: 0 }]))
  expect([one, many].map(isDatabaseDown)).toEqual([true, true])
})

test.each(['secondaryPreferred', 'nearest'])('an address with readPreference=%s is refused', async (mode) => {
  const failure = await failureOf(connectMongo(`mongodb://127.0.0.1:1/?readPreference=${mode}`))
  expect(String(failure)).toContain(`readPreference=${mode}`)
  expect(isDatabaseDown(failure)).toBe(false)
})

test('on a replica set every chain is continued from what a majority of the members has', async () => {
  const set = await startReplicaSet()
  onTestFinished(set.close)
  const { db: durable, close } = await connectMongo(set.url('any'))
  onTestFinished(close)
  expect(durable.writeConcern).toMatchObject({ w: 'majority', journal: true })
  expect(tailRead(durable)).toEqual({ readConcern: 'majority' })
  expect(tailRead(db)).toEqual({})
  const watched = new MongoClient(set.url('any'), { monitorCommands: true, retryWrites: false })
  onTestFinished(() => watched.close())
  const reads: Document[] = []
  watched.on('commandStarted', ({ commandName, command }) => {
    if (['find', 'distinct'].includes(commandName)) reads.push(command)
  })
  const seen = watched.db(db.databaseName, { writeConcern: durable.writeConcern ?? {} })
  await ensureIndexes(db, [...resultIndexes, ...taskIndexes])
  const job_id = crypto.randomUUID()
  const source = { user_id: 'user', job_id, task_id: 'task', attempt: 1, agent_id: 'agent' }
  const place = { place_key: 'k', place: { place_key: 'k', title: 'k' }, web_presence: 'none' } as const
  const results = createResultAppender(seen)
  await results.append({ ...source, max_results: 9, affordable: () => true }, [place])
  await results.seal(job_id)
  await createReferences(seen).add(job_id, [{ place_key: 'k' }])
  await createLedger(mongoLedgerStore(seen)).state('user')
  expect(new Set(reads.map(({ find, distinct }) => find ?? distinct))).toEqual(
    new Set(['results', 'references', 'ledger']),
  )
  expect(reads.map(({ readConcern }) => readConcern)).toEqual(reads.map(() => ({ level: 'majority' })))
})

test('a server that hangs counts as down after two seconds', async () => {
  const hanging = new MongoClient(`mongodb://${await startSilentServer()}/?directConnection=true`)
  onTestFinished(() => hanging.close())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answers = pingDatabase(hanging.db())()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await answers).toBe(false)
})

test('creating existing indexes changes nothing', async () => {
  const indexes = [
    { collection: 'a', name: 'email', key: { email: 1 as const }, unique: true as const },
    { collection: 'b', name: 'name', key: { name: -1 as const } },
  ]
  await ensureIndexes(db, indexes)
  await ensureIndexes(db, indexes)
  expect((await db.collection('a').indexes()).map(({ name }) => name)).toEqual(['_id_', 'email'])
})

test('a duplicate key names its index', async () => {
  const things = db.collection<{ _id: string; email?: string }>('a')
  const { email, id } = indexesOf('a', { email: { key: { email: 1 }, unique: true }, id: { key: { _id: 1 } } })
  await ensureIndexes(db, [email])
  await things.insertOne({ _id: '1', email: 'x' })
  const byEmail = await failureOf(things.insertOne({ _id: '2', email: 'x' }))
  const byId = await failureOf(things.insertOne({ _id: '1', email: 'y' }))
  const isDuplicate = (error: unknown) =>
    [[], [email], [id], [email, id]].map((indexes) => isDuplicateKey(error, ...indexes))
  expect(isDuplicate(byEmail)).toEqual([true, true, false, true])
  expect(isDuplicate(byId)).toEqual([true, false, true, true])
  expect([isDuplicateKey(new Error('x')), isDatabaseDown(byEmail)]).toEqual([false, false])
})

test('a server that is not there is down, within five seconds', async () => {
  const error = await failureOf(connectMongo('mongodb://127.0.0.1:1/?directConnection=true'))
  expect(isDatabaseDown(error)).toBe(true)
})

test.each([
  ['has no primary', 10_107],
  ['steps down', 189],
  ['is recovering', 13_436],
  ['shuts down', 91],
  ['has a full disk', 14_031],
])('a server that %s is down', (_, code) => {
  expect(isDatabaseDown(new MongoServerError({ message: 'refused', code }))).toBe(true)
})

test('a closed client is down', async () => {
  const { db, close } = await connectMongo(url)
  await close()
  expect(isDatabaseDown(await failureOf(db.collection('a').findOne()))).toBe(true)
  expect([isDatabaseDown(new Error('x')), isDatabaseDown(undefined)]).toEqual([false, false])
})

test('a write that the server did not live to answer is down, also one of many documents', async () => {
  const mongo = await connectMongo(url)
  onTestFinished(mongo.close)
  await mongo.db.command({ ping: 1 })
  const socketBroke = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' })

  const writing = failureOf(mongo.db.collection('a').insertMany([{ a: 1 }, { a: 2 }]))
  await mongo.client.close(true)

  expect(isDatabaseDown(await writing)).toBe(true)
  expect(isDatabaseDown(socketBroke)).toBe(true)
})

test.each([
  ['', 'placefleet'],
  ['fleet', 'fleet'],
])('the database of a URL with path "%s" is %s', async (path, name) => {
  const mongo = await connectMongo(urlOf(path))
  expect(mongo.db.databaseName).toBe(name)
  await mongo.close()
})

test.each([
  [14_031, 'OutOfDiskSpace', true],
  [8, '28: No space left on device', true],
  [8, '30: Read-only file system', true],
  [8, 'something else', false],
])('a server that fails with %i, %s is down, because its disk is full: %s', (code, message, isFull) => {
  const error = new MongoServerError({ code, message })
  expect([isDiskFull(error), isDatabaseDown(error)]).toEqual([isFull, isFull])
  expect(isDiskFull(new MongoServerError({ code: 91, message: 'ShutdownInProgress' }))).toBe(false)
})
