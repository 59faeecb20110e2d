import { knownPlaceIndexes, knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { createKnownPlaces, type KnowingJob } from '@placefleet/coordinator/known-places/store'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { resultIndexes } from '@placefleet/coordinator/results/documents'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
await ensureIndexes(db, [...resultIndexes, ...knownPlaceIndexes])
const known = createKnownPlaces(db)

/** Stores places of a job of the user, and returns the job. */
async function jobWith(numbers: number[]): Promise<KnowingJob> {
  const user_id = 'user'
  const job_id = crypto.randomUUID()
  const limits = { max_results: 100, affordable: () => true }
  await createResultAppender(db).append(
    { user_id, job_id, task_id: 'task', attempt: 1, agent_id: 'agent', ...limits },
    numbers.map((n) => {
      const place_key = `0x${n}:0x1`
      return { place_key, place: { place_key, title: `Place ${n}` }, web_presence: 'none' }
    }),
  )
  return { user_id, job_id, data: { keywords: ['cafe'], lat: '', lon: '', radius: 0 } }
}

test('jobs that end at the same time make each place known once, and each job counts once', async () => {
  const jobs = await Promise.all([jobWith([1, 2, 3, 4]), jobWith([3, 4, 5, 6]), jobWith([4, 5, 6, 7])])

  await Promise.all(jobs.map(known.record))

  const places = await knownPlacesOf(db).find().sort({ place_key: 1 }).toArray()
  expect(places.map(({ times_seen }) => times_seen)).toEqual([1, 1, 2, 3, 2, 2, 1])
  for (const place of places) {
    expect(place).toMatchObject({
      collected_at: expect.any(Date),
      fingerprint: expect.any(String),
      search: expect.any(String),
    })
  }
})
