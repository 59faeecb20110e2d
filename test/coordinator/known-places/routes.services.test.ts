import { createUserLimit } from '@placefleet/coordinator/accounts/limits'
import { forgetKeys, knownPlaceErasure, knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { knownPlaceRoutes, UPLOADS } from '@placefleet/coordinator/known-places/routes'
import { createKnownPlaces, type KnowingJob } from '@placefleet/coordinator/known-places/store'
import { eraseInBatches } from '@placefleet/coordinator/mongo/erasure'
import { timeOrderedUuid } from '@placefleet/coordinator/mongo/time'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { expect, test } from 'vitest'
import { startApi, type TestApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const { db } = await testDatabase()

const PATH = '/api/v1/known-places'

/** Starts the routes, with the users whose uploads began. They go on once `goOn` is over. */
async function start(policy = UPLOADS, mostKnown?: number, goOn?: Promise<void>) {
  const began: string[] = []
  const limit = createUserLimit(db, crypto.randomUUID(), policy, 'uploads')
  const uploadLimit = {
    async take(user_id: string) {
      await limit.take(user_id)
      began.push(user_id)
      await goOn
    },
  }
  const options = {
    prefix: '/api/v1',
    known: createKnownPlaces(db, mostKnown === undefined ? {} : { mostKnown }),
    uploadLimit,
  }
  const api = await startApi(db, { routes: async (server) => void (await server.register(knownPlaceRoutes, options)) })
  const upload = (key: string, rawBody = '0x1:0x1\n') =>
    api.call('POST', PATH, { key, rawBody, headers: { 'content-type': 'text/csv' } })
  return { api, upload, began }
}

/** Begins an upload that goes on until it is ended or cut off. */
function slowUpload(baseUrl: string, key: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const [writer, cut] = [writable.getWriter(), new AbortController()]
  void writer.write(Buffer.from('0x1:0x1\n')).catch(() => undefined) // fails when it is cut off
  const answer = fetch(`${baseUrl}${PATH}`, {
    method: 'POST',
    body: readable,
    duplex: 'half',
    signal: cut.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
  })
  return { answer, end: () => writer.close(), cut: () => cut.abort() }
}

const connectionsOf = ({ server }: TestApi) =>
  new Promise<number>((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

test('JSON is refused, and parsed up to 256 KiB only', async () => {
  const [{ api }, { key }] = [await start(), await testUser(db)]
  const small = await api.call('POST', PATH, { key, body: [[]] })
  expect([small.status, small.text]).toEqual([400, expect.stringContaining('Content-Type: text/csv')])
  const large = await api.call('POST', PATH, { key, body: Array.from({ length: 100_000 }, () => []) })
  expect([large.status, large.text]).toEqual([413, expect.stringContaining('256 KiB')])
})

test('a file larger than 16 MiB is refused with that limit', async () => {
  const [{ upload }, { key }] = [await start(), await testUser(db)]
  const { status, text } = await upload(key, '\n'.repeat(16 * 1024 * 1024 + 1))
  expect([status, text]).toEqual([413, expect.stringContaining('16 MiB')])
})

test('a user uploads one file at a time and all users two, also after an upload that was cut off', async () => {
  const { api, upload, began } = await start()
  const [one, other, third] = [await testUser(db), await testUser(db), await testUser(db)]
  const slow = [slowUpload(api.baseUrl, one.key), slowUpload(api.baseUrl, other.key)] as const
  await until('both uploads began', () => began.length === 2)

  for (const key of [one.key, third.key]) {
    const { status, headers, text } = await upload(key)
    expect([status, headers.get('retry-after')]).toEqual([429, '5'])
    expect(text).toContain('Another upload is running')
  }

  slow[0].cut()
  await expect(slow[0].answer).rejects.toThrow()
  await until('the other user may upload', async () => (await upload(third.key)).status === 200)
  await slow[1].end()
  expect(await (await slow[1].answer).json()).toEqual({ added: 1, already_known: 0, unreadable: 0 })
})

test('an upload that is cut off before its file is read keeps no slot', async () => {
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const { api, upload, began } = await start(UPLOADS, undefined, promise)
  const { key } = await testUser(db)
  const slow = slowUpload(api.baseUrl, key)
  await until('the upload began', () => began.length === 1)
  slow.cut()
  await expect(slow.answer).rejects.toThrow()
  await until('the server knows', async () => (await connectionsOf(api)) === 0)
  goOn()

  await until('the user may upload', async () => (await upload(key)).status === 200)
})

test('a user uploads 5 files, and then waits', async () => {
  const [{ upload }, { key }] = [await start({ ...UPLOADS, rate: 0.001 }), await testUser(db)]
  for (let nth = 0; nth < 5; nth++) expect((await upload(key)).status).toBe(200)
  const { status, headers, text } = await upload(key)
  expect([status, text]).toEqual([429, expect.stringContaining('Too many uploads')])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
})

test('a user has a bounded number of known places, and may forget them', async () => {
  const [{ api, upload }, { key }] = [await start(UPLOADS, 3), await testUser(db)]
  expect((await upload(key, '0x1:0x1\n0x1:0x2\n')).status).toBe(200)

  const refused = await upload(key, '0x1:0x3\n0x1:0x4\n')
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('at most 3')])

  await api.call('DELETE', PATH, { key })
  expect((await upload(key, '0x1:0x3\n0x1:0x4\n')).status).toBe(200)
})

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
