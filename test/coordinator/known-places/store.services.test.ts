import { forgetKeys, knownPlaceErasure, knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { createKnownPlaces, type KnowingJob } from '@placefleet/coordinator/known-places/store'
import { eraseInBatches } from '@placefleet/coordinator/mongo/erasure'
import { timeOrderedUuid } from '@placefleet/coordinator/mongo/time'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const known = createKnownPlaces(db)

/** Stores places of a job of the user, and returns the job. */
async function jobWith(numbers: number[], user_id = 'user'): Promise<KnowingJob> {
  const job_id = timeOrderedUuid()
  const limits = { max_results: 100, affordable: () => true }
  await createResultAppender(db).append(
    { user_id, job_id, task_id: 'task', attempt: 1, agent_id: 'agent', ...limits },
    numbers.map((n) => {
      const place_key = `0x${n}:0x${n}`
      const complete_address = { city: 'Bremen' }
      return { place_key, place: { place_key, title: `Place ${n}`, complete_address }, web_presence: 'none' }
    }),
  )
  return { user_id, job_id, data: { keywords: ['cafe'], lat: '', lon: '', radius: 0 } }
}

test('jobs that end at the same time make each place known once', async () => {
  const jobs = await Promise.all([jobWith([1, 2, 3, 4]), jobWith([3, 4, 5, 6]), jobWith([4, 5, 6, 7])])

  await Promise.all(jobs.map((job) => known.record(job)))

  const places = await knownPlacesOf(db).find({ user_id: 'user' }).sort({ place_key: 1 }).toArray()
  expect(places.map(({ place_key }) => place_key)).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `0x${n}:0x${n}`))
  for (const place of places)
    expect(place).toMatchObject({ collected_at: expect.any(Date), search: expect.any(String) })
})

test('a job renews the places that were known, also those that it dropped, and keeps when they were first seen', async () => {
  const user_id = 'renewing user'
  const long_ago = new Date(1_000)
  const times = { first_seen_at: long_ago, last_seen_at: long_ago, collected_at: long_ago }
  await knownPlacesOf(db).insertMany([1, 2, 3].map((n) => ({ user_id, place_key: `0x${n}:0x${n}`, ...times })))
  const job = await jobWith([2, 4], user_id)
  await known.noteDropped(job.job_id, ['0x3:0x3', '0x5:0x5'])

  await known.record(job)
  await known.record(job)

  const places = await known.page(user_id, '', 10)
  const stored = { last_job_id: job.job_id, collected_job_id: job.job_id, search: expect.any(String) }
  const isNow = (at: Date) => at.getTime() > Date.now() - 3_600_000
  expect(places).toMatchObject([
    { place_key: '0x1:0x1', ...times },
    { place_key: '0x2:0x2', first_seen_at: long_ago, ...stored },
    { place_key: '0x3:0x3', first_seen_at: long_ago, collected_at: long_ago, last_job_id: job.job_id },
    { place_key: '0x4:0x4', ...stored },
  ])
  expect(places.map(({ last_seen_at }) => isNow(last_seen_at))).toEqual([false, true, true, true])
  expect(places.map(({ collected_at }) => isNow(collected_at))).toEqual([false, true, false, true])
})

test('a known place has the name under which a job last stored it, also after a job that dropped it', async () => {
  const user_id = 'reading user'
  const job = await jobWith([1], user_id)
  await known.record(job)
  await known.add(user_id, ['0x2:0x2'])
  const dropping = await jobWith([], user_id)
  await known.noteDropped(dropping.job_id, ['0x1:0x1'])
  await known.record(dropping)

  const [named, uploaded] = await known.page(user_id, '', 10)
  expect(named).toMatchObject({ title: 'Place 1', city: 'Bremen', last_job_id: dropping.job_id })
  expect(uploaded).not.toHaveProperty('title')
})

test.each([
  { had: 18, isTaken: true },
  { had: 19, isTaken: false },
])('with $had of 20 places known, two more can be uploaded: $isTaken', async ({ had, isTaken }) => {
  const user_id = `user with ${had}`
  const few = createKnownPlaces(db, { mostKnown: 20 })
  const keys = Array.from({ length: had + 2 }, (_, n) => `0x${n + 1}:0x${n + 1}`)
  await few.add(user_id, keys.slice(0, had))
  await few.add(user_id, keys.slice(had)).catch((error) => expect(error.message).toContain('at most 20'))
  expect(await few.page(user_id, '', 100)).toHaveLength(isTaken ? had + 2 : had)
})

test('beyond the limit of a user those places are forgotten that no job has seen for the longest time', async () => {
  const user_id = 'collecting user'
  const few = createKnownPlaces(db, { mostKnown: 20 })
  const keys = async (owner: string) => (await few.page(owner, '', 100)).map(({ place_key }) => place_key)
  const seenAt = (n: number) => new Date(n < 5 ? 1_000 : n)
  await knownPlacesOf(db).insertMany(
    [user_id, 'other user'].flatMap((owner) =>
      Array.from({ length: 20 }, (_, n) => {
        const times = { first_seen_at: new Date(n), last_seen_at: seenAt(n), collected_at: new Date(n) }
        return { user_id: owner, place_key: `0x${n}:0x${n}`, ...times }
      }),
    ),
  )
  const job = await jobWith([20, 21, 22], user_id)

  await few.record(job)
  await few.record(job)

  const seen = [0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]
  expect(await keys(user_id)).toEqual(seen.map((n) => `0x${n}:0x${n}`).sort())
  expect(await keys('other user')).toHaveLength(20)

  for (let n = 23; n < 40; n++) {
    await few.record(await jobWith([n], user_id))
    expect(await keys(user_id)).toHaveLength(20)
    expect(await keys(user_id)).toContain(`0x${n}:0x${n}`)
  }
})

test('a CID that was uploaded makes each place with that second half known, to jobs, monitors and erasure', async () => {
  const user_id = 'user with cids'
  const [key, half, other] = ['0x7:0xabc', '0x0:0xabc', '0x7:0xabd']
  expect(await known.add(user_id, [half])).toEqual({ added: 1, already_known: 0 })
  expect(await known.among(user_id, [key, other])).toEqual(new Set([key]))
  expect(await known.among('somebody else', [key])).toEqual(new Set())

  const before = await knownPlacesOf(db).findOne({ user_id })
  const job_id = timeOrderedUuid()
  await known.noteDropped(job_id, [key])
  await known.record({ user_id, job_id, data: { keywords: ['cafe'], lat: '', lon: '', radius: 0 } })
  const after = await knownPlacesOf(db).findOne({ user_id })
  expect(after?.last_job_id).toBe(job_id)
  expect(after?.last_seen_at.getTime()).toBeGreaterThanOrEqual(before?.last_seen_at.getTime() ?? 0)

  await forgetKeys(db, user_id, [key])
  expect(await known.among(user_id, [key])).toEqual(new Set())
  await known.add(user_id, [half])
  for (const step of knownPlaceErasure(db, key)) await eraseInBatches(db, step)
  expect(await known.among(user_id, [key])).toEqual(new Set())
})
