import { readAhead } from '@placefleet/coordinator/results/store'
import { MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const { db, url } = await testDatabase()
const numbers = db.collection<{ _id: number }>('numbers')
await numbers.insertMany(Array.from({ length: 25 }, (_, _id) => ({ _id })))

const inTens = () => numbers.find().sort({ _id: 1 }).batchSize(10)

test.each([0, 1, 9, 10, 11, 20, 25])('the first %i documents come in order', async (count) => {
  const read: number[] = []
  const cursor = numbers.find({ _id: { $lt: count } }).sort({ _id: 1 })
  for await (const { _id } of readAhead(cursor.batchSize(10))) read.push(_id)
  expect(read).toEqual(Array.from({ length: count }, (_, nth) => nth))
})

test('the next batch is asked for before the last one is used up', async () => {
  const client = await new MongoClient(url, { monitorCommands: true }).connect()
  onTestFinished(() => client.close())
  let asked = 0
  client.on('commandSucceeded', ({ commandName }) => {
    if (commandName === 'getMore') asked++
  })
  const reader = readAhead(client.db(db.databaseName).collection('numbers').find().batchSize(10))
  await reader.next()
  await until('the second batch is there', () => asked === 1)
  await reader.return(undefined)
})

test('a reader that leaves closes the cursor', async () => {
  const cursor = inTens()
  for await (const { _id } of readAhead(cursor)) if (_id === 3) break
  expect(cursor.closed).toBe(true)
})

test('a failure of a later batch reaches the reader', async () => {
  const failing = numbers.find({ $expr: { $gt: [{ $divide: [1, { $subtract: ['$_id', 15] }] }, -2] } }).batchSize(10)
  const read = async () => {
    for await (const _ of readAhead(failing.sort({ _id: 1 })));
  }
  await expect(read()).rejects.toThrow(/divide/)
})
