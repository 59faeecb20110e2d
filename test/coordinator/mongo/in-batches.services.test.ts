import { updateAll } from '@placefleet/coordinator/mongo/in-batches'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db, client } = await testDatabase()

test('an update of many documents is made of commands that each touch a thousand at most', async () => {
  const documents = db.collection<{ _id: string; done?: boolean }>('many')
  await documents.insertMany(Array.from({ length: 2_500 }, (_, nth) => ({ _id: `${nth}` })))
  const sizes: number[] = []
  const onReply = ({ commandName, reply }: { commandName: string; reply: { n?: number } }) => {
    if (commandName === 'update') sizes.push(reply.n ?? 0)
  }
  client.on('commandSucceeded', onReply)
  await updateAll(documents, { done: { $exists: false } }, [{ $set: { done: true } }])
  client.off('commandSucceeded', onReply)
  expect(sizes).toEqual([1_000, 1_000, 500])
  expect(await documents.countDocuments({ done: true })).toBe(2_500)
})
