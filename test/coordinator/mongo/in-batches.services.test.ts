import { indexes } from '@placefleet/coordinator/indexes'
import { createKnownPlaces } from '@placefleet/coordinator/known-places/store'
import { updateAll } from '@placefleet/coordinator/mongo/in-batches'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { removeWatch } from '@placefleet/coordinator/monitors/changes/store'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { cancelTasks, removeTasks } from '@placefleet/coordinator/tasks/store'
import { describe, expect, test } from 'vitest'
import { explainedDatabase } from '../../harness/servers/explained-database.ts'
import { SCAN } from '../../harness/servers/scan.ts'

const { db, commandsOf } = await explainedDatabase()

/** Returns how many documents each write of some work touches; Infinity for a write that does not name them. */
async function sizesOf(work: () => Promise<unknown>): Promise<number[]> {
  const commands = await commandsOf(work)
  const writes = commands.flatMap(({ updates, deletes }) => updates ?? deletes ?? [])
  return writes.map(({ q }) => q._id?.$in?.length ?? Number.POSITIVE_INFINITY)
}

test('an update of many documents is made of commands that each touch a thousand at most', async () => {
  const documents = db.collection<{ _id: string; done?: boolean }>('many')
  await documents.createIndex({ done: 1 })
  await documents.insertMany(Array.from({ length: 2_500 }, (_, nth) => ({ _id: `${nth}` })))
  const sizes = await sizesOf(() => updateAll(documents, { done: { $exists: false } }, [{ $set: { done: true } }]))
  expect(sizes).toEqual([1_000, 1_000, 500])
  expect(await documents.countDocuments({ done: true }, SCAN)).toBe(2_500)
})

describe('what a large job leaves', async () => {
  await ensureIndexes(db, indexes)
  const [job_id, many] = ['large', Array.from({ length: 1_500 }, (_, nth) => nth)]
  const results = createResultAppender(db)
  const references = createReferences(db)
  const fill = (collection: string, document: (nth: number) => object) =>
    db
      .collection(collection)
      .insertMany(many.map((nth) => ({ job_id, user_id: job_id, monitor_id: job_id, ...document(nth) })))

  test.each([
    ['its places', 'results', () => results.bury(job_id), { sealed: { $exists: false } }],
    ['their seals', 'results', () => results.delete(job_id), {}],
    ['its open tasks', 'tasks', () => cancelTasks(db, job_id), { state: 'waiting' }],
    ['its ended tasks', 'tasks', () => removeTasks(db, job_id), {}],
    ['its references', 'references', () => references.remove(job_id), {}],
    ['the places that a user knows', 'known_places', () => createKnownPlaces(db).forget(job_id), {}],
    ['the places that a monitor watches', 'watched_places', () => removeWatch(db, job_id), {}],
  ])('%s go in commands that each touch a thousand documents at most', async (_, collection, go, left) => {
    await db.collection(collection).deleteMany({})
    await fill(collection, (nth) => ({
      position: nth,
      place_key: `${nth}`,
      kind: 'collect',
      ordinal: nth,
      state: 'waiting',
    }))
    expect(await sizesOf(go)).toEqual([1_000, 500])
    expect(await db.collection(collection).countDocuments({ job_id, ...left }, SCAN)).toBe(0)
  })
})
