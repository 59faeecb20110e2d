import { knownPlaceIndexes, knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { createKnownPlaces, type KnowingJob } from '@placefleet/coordinator/known-places/store'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { timeOrderedUuid } from '@placefleet/coordinator/mongo/time'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { resultIndexes } from '@placefleet/coordinator/results/documents'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
await ensureIndexes(db, [...resultIndexes, ...knownPlaceIndexes])
const known = createKnownPlaces(db)

/** Stores places of a job of the user, and returns the job. */
async function jobWith(numbers: number[], user_id = 'user'): Promise<KnowingJob> {
  const job_id = timeOrderedUuid()
  const limits = { max_results: 100, affordable: () => true }
  await createResultAppender(db).append(
    { user_id, job_id, task_id: 'task', attempt: 1, agent_id: 'agent', ...limits },
    numbers.map((n) => {
      const place_key = `0x${n}:0x1`
      return { place_key, place: { place_key, title: `Place ${n}` }, web_presence: 'none' }
    }),
  )
  return { user_id, job_id, data: { keywords: ['cafe'], lat: '', lon: '', radius: 0 }, active_jobs: [job_id] }
}

test('jobs that end at the same time make each place known once, and each job counts once', async () => {
  const jobs = await Promise.all([jobWith([1, 2, 3, 4]), jobWith([3, 4, 5, 6]), jobWith([4, 5, 6, 7])])

  await Promise.all(jobs.map(known.record))

  const places = await knownPlacesOf(db).find({ user_id: 'user' }).sort({ place_key: 1 }).toArray()
  expect(places.map(({ times_seen }) => times_seen)).toEqual([1, 1, 2, 3, 2, 2, 1])
  for (const place of places) {
    expect(place).toMatchObject({
      collected_at: expect.any(Date),
      fingerprint: expect.any(String),
      search: expect.any(String),
    })
  }
})

test('a job counts once, however many jobs of its user end before its end is repeated', async () => {
  const user_id = 'repeating user'
  const [stuck, dropping] = [await jobWith([1, 2, 3], user_id), await jobWith([], user_id)]
  const others = await Promise.all([[1, 2], [2, 3], [1, 2], [1]].map((numbers) => jobWith(numbers, user_id)))
  await known.noteDropped(dropping.job_id, ['0x1:0x1'])
  const active_jobs = [stuck.job_id, dropping.job_id]
  const repeat = async () => {
    for (const job of [stuck, dropping]) await known.record({ ...job, active_jobs })
  }

  await repeat()
  for (const other of others) {
    await known.record({ ...other, active_jobs: [...active_jobs, other.job_id] })
    await repeat()
  }

  const places = () => knownPlacesOf(db).find({ user_id }).sort({ place_key: 1 }).toArray()
  expect(await places()).toMatchObject([
    { times_seen: 5, last_job_id: others.at(-1)?.job_id },
    { times_seen: 4, last_job_id: others[2]?.job_id },
    { times_seen: 2, last_job_id: others[1]?.job_id },
  ])

  await known.record(await jobWith([1, 2, 3], user_id))
  expect((await places()).map(({ counted_jobs }) => counted_jobs)).toEqual([[], [], []])
})

test('beyond the limit of a user, a tenth is forgotten: the places that no job has seen for the longest time', async () => {
  const user_id = 'collecting user'
  const few = createKnownPlaces(db, { mostKnown: 20 })
  const keys = async (owner: string) => (await few.page(owner, '', 100)).map(({ place_key }) => place_key)
  const seenAt = (n: number) => new Date(n < 5 ? 1_000 : n)
  await knownPlacesOf(db).insertMany(
    [user_id, 'other user'].flatMap((owner) =>
      Array.from({ length: 20 }, (_, n) => {
        const times = { first_seen_at: new Date(n), last_seen_at: seenAt(n), collected_at: new Date(n), times_seen: 1 }
        return { user_id: owner, place_key: `0x${n}:0x1`, ...times }
      }),
    ),
  )
  const job = await jobWith([20, 21, 22], user_id)

  await few.record(job)
  await few.record(job)

  const seen = [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]
  expect(await keys(user_id)).toEqual(seen.map((n) => `0x${n}:0x1`).sort())
  expect(await keys('other user')).toHaveLength(20)

  for (let n = 23; n < 40; n++) {
    await few.record(await jobWith([n], user_id))
    expect((await keys(user_id)).length).toBeLessThanOrEqual(20)
    expect(await keys(user_id)).toContain(`0x${n}:0x1`)
  }
})
