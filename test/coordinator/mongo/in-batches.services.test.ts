import { updateAll } from '@placefleet/coordinator/mongo/in-batches'
import { expect, test } from 'vitest'
import { explainedDatabase } from '../../harness/servers/explained-database.ts'

const { db, commandsOf } = await explainedDatabase()

test('an update of many documents is made of commands that each touch a thousand at most', async () => {
  const documents = db.collection<{ _id: string; done?: boolean }>('many')
  await documents.insertMany(Array.from({ length: 2_500 }, (_, nth) => ({ _id: `${nth}` })))
  const commands = await commandsOf(() =>
    updateAll(documents, { done: { $exists: false } }, [{ $set: { done: true } }]),
  )
  const sizes = commands.flatMap(({ updates }) => (updates ? [updates[0].q._id.$in.length] : []))
  expect(sizes).toEqual([1_000, 1_000, 500])
  expect(await documents.countDocuments({ done: true })).toBe(2_500)
})
