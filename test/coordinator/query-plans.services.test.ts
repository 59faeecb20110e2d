import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger, TRANSACTION_TYPES } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { indexes } from '@placefleet/coordinator/indexes'
import { countEndedJobs } from '@placefleet/coordinator/jobs/counts'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createReadPass } from '@placefleet/coordinator/jobs/progress'
import { jobActivity, latestJobs } from '@placefleet/coordinator/jobs/reports'
import { jobsWithResults, pageOfUser } from '@placefleet/coordinator/jobs/user-jobs'
import { searchOf } from '@placefleet/coordinator/known-places/compared-fields'
import { forgetKeys } from '@placefleet/coordinator/known-places/documents'
import { createKnownPlaces } from '@placefleet/coordinator/known-places/store'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { presentResult } from '@placefleet/coordinator/results/present'
import { readBehind, readJobPage, tierCounts } from '@placefleet/coordinator/results/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import { WEB_PRESENCE_TIERS } from '@placefleet/shared/web-presence/tiers'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { sampleJob } from '../harness/coordinator/sample-job.ts'
import { explainedDatabase } from '../harness/servers/explained-database.ts'
import { volume } from '../harness/volume.ts'

const BATCH = 10_000

/** Jobs of one download. */
const DOWNLOADED = volume(2_500, 100_000)

const { db, commandsOf, planOf, readBy } = await explainedDatabase()
await ensureIndexes(db, indexes)

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

test('a pass over a job reads no more than its own tasks, however many places are listed', async () => {
  const user_id = randomUUID()
  const [job, other] = [sampleJob(user_id), sampleJob(user_id)]
  await jobsOf(db).insertMany([job, other])
  for (const { _id: job_id } of [job, other]) {
    const ordinals = Array.from({ length: 200 }, (_, ordinal) => ordinal)
    await insertTasks(
      db,
      ordinals.map((ordinal) => ({ job_id, user_id, kind: 'collect' as const, ordinal })),
    )
  }
  await tasksOf(db).updateMany({ job_id: job._id, ordinal: { $lt: 3 } }, { $set: { state: 'released' } })
  const listed = Array.from({ length: 1_000 }, (_, n) => ({ place_key: `0x${n}:0x1` }))
  await createReferences(db).add(job._id, listed)
  const readPass = createReadPass(db)

  expect(await readPass(job._id, false)).toMatchObject({
    tasks: { total: 200, released: 3, waiting: { collect: 197 } },
    references: 1_000,
    unclaimed: [{}, {}, {}],
  })
  const [most = Infinity] = await readBy(() => readPass(job._id, false))
  expect(most).toBeLessThanOrEqual(200)
})

describe('lists of jobs', async () => {
  const user_id = randomUUID()
  const many = Array.from({ length: 200 }, () => sampleJob(user_id, { status: 'completed', ended_at: new Date() }))
  const failed = sampleJob(user_id, { status: 'failed', monitor: { id: 'one', at: new Date(), began_at: new Date() } })
  await jobsOf(db).insertMany([...many, failed])
  await countEndedJobs(db, user_id)
  const page = { page: 1, limit: 10, search: '' } as const
  const pages = (['created_at', 'updated_at', 'name', 'status'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ ...page, sort, order })),
  )

  test.each([
    ['an operator who asks for a status', () => latestJobs(db, { status: 'aborting', limit: 10 })],
    ['an operator who asks for a status of a user', () => latestJobs(db, { user_id, status: 'failed', limit: 10 })],
    [
      'the results of a monitor',
      () => all(jobsWithResults(db, user_id, { monitor_id: 'one', search: '', ended_until: new Date() })),
    ],
  ])('the list for $0 reads only the jobs that it shows', async (_, list) => {
    const read = await readBy(list)

    expect(read.length).toBeGreaterThan(0)
    for (const count of read) expect(count).toBeLessThanOrEqual(2)
  })

  test.each(pages)(
    'a page of jobs by $sort, $order, reads only the jobs of its status, or those that it shows',
    async (of) => {
      const ofStatus = await readBy(() => pageOfUser(db, user_id, { ...of, status: 'failed' }))
      expect(Math.max(...ofStatus)).toBeLessThanOrEqual(2)

      const shown = await readBy(() => pageOfUser(db, user_id, of))
      expect(Math.max(...shown)).toBeLessThanOrEqual(of.limit + 1 + JOB_STATUSES.length)
    },
  )

  test('key figures read none of the jobs that were counted', async () => {
    const read = await readBy(() => jobActivity(db, user_id, new Date('2099-01-01')))
    expect(Math.max(...read)).toBeLessThanOrEqual(1)
  })
})

test('a search reads the newest 10,000 jobs of a user, and no older one', async () => {
  const user_id = randomUUID()
  const named = (name: string, n: number) => ({
    ...sampleJob(user_id),
    name,
    created_at: new Date(n),
    updated_at: new Date(-n),
  })
  const many = Array.from({ length: 10_000 }, (_, n) => named(n % 5_000 === 0 ? `Needle ${n}` : 'Hay', n + 1))
  await jobsOf(db).insertMany([named('Needle too old', 0), ...many], { ordered: false })
  const page = { page: 1, limit: 1, search: 'needle', sort: 'updated_at', order: 'asc' } as const
  const found: unknown[] = []

  const read = await readBy(async () => {
    for (const number of [1, 2, 3]) found.push(await pageOfUser(db, user_id, { ...page, page: number }))
  })

  expect(found).toMatchObject([
    { jobs: [{ name: 'Needle 5000' }], total: 2 },
    { jobs: [{ name: 'Needle 0' }], total: 2 },
    { jobs: [], total: 2 },
  ])
  expect(Math.max(...read)).toBeLessThanOrEqual(10_000)
})

test('the jobs of a download are read a thousand at a time, in order, and only those that had ended when it began', async () => {
  const user_id = randomUUID()
  const began = new Date()
  const job = (n: number) => ({
    ...sampleJob(user_id, { status: 'completed', ended_at: began }),
    created_at: new Date(n / 3),
  })
  const ended = Array.from({ length: DOWNLOADED }, (_, n) => job(n))
  const later = { ...job(1), ended_at: new Date(began.getTime() + 1) }
  for (let done = 0; done < ended.length; done += BATCH) await jobsOf(db).insertMany(ended.slice(done, done + BATCH))
  await jobsOf(db).insertMany([later, sampleJob(user_id, { status: 'failed', ended_at: began })])
  const stream = jobsWithResults(db, user_id, { search: '', ended_until: began })
  const ids: string[] = []

  const [first, ...others] = await commandsOf(async () => {
    for await (const { _id } of stream) ids.push(_id)
  })

  const inOrder = ended.map(({ _id, created_at }) => `${created_at.toISOString()} ${_id}`).sort()
  expect(ids).toEqual(inOrder.map((key) => key.split(' ')[1]))
  expect(first).toMatchObject({ limit: 1_000 })
  expect(others).toHaveLength(Math.floor(DOWNLOADED / 1_000))
})

test('a count of known places with a bound reads no more of them', async () => {
  const user_id = randomUUID()
  const stored = { user_id, search: searchOf({ keywords: ['one'] }) }
  const places = Array.from({ length: 200 }, (_, n) => {
    return { ...stored, place_key: `0x1:0x${n}`, collected_at: n < 100 ? new Date(0) : new Date() }
  })
  await db.collection<object>('known_places').insertMany(places)
  const known = createKnownPlaces(db)

  for (const recheck_after of [undefined, 7]) {
    let count = 0
    const read = await readBy(async () => {
      count = await known.countOf(user_id, { keywords: ['one'] }, recheck_after, 20)
    })

    expect(count).toBe(20)
    expect(read).toEqual([expect.any(Number)])
    expect(read[0]).toBeLessThanOrEqual(21)
  }
})

test('the spending of the last days reads no older charge, and no document', async () => {
  const user_id = randomUUID()
  const store = mongoLedgerStore(db)
  const append = (day: number, change: { type: 'bonus' | 'consumption'; amount: number }) =>
    createLedger(store, { now: () => new Date(Date.UTC(2026, 2, day)) }).append(
      user_id,
      { reference_type: 'test', reference_id: String(day) },
      () => ({ ...change, description: 'test' }),
    )
  await append(0, { type: 'bonus', amount: 1_000 })
  for (let day = 1; day <= 20; day++) await append(day, { type: 'consumption', amount: -day })

  let charged = new Map<string, number>()
  const [command = {}] = await commandsOf(async () => {
    charged = await store.chargedByDay(user_id, '2026-03-19')
  })

  expect([...charged].sort()).toEqual([
    ['2026-03-19', 19],
    ['2026-03-20', 20],
  ])
  const plan = await planOf(command, 'executionStats')
  expect(plan).toContain('"totalDocsExamined":0')
  expect(Number(/"totalKeysExamined":(\d+)/.exec(plan)?.[1])).toBeLessThanOrEqual(3)
})

/** The queries of the product over the sharded collections. */
async function queryShards(user_id: string, job_id: string): Promise<void> {
  const results = createResultAppender(db)
  await results.keys(job_id)
  await results.keys(job_id, ['one'])
  await results.seal(job_id)
  const job = { user_id, job_id }
  await readJobPage(db, job, { tiers: WEB_PRESENCE_TIERS, page: 1, limit: 50 }, presentResult)
  await readJobPage(db, job, { tiers: ['none'], page: 1, limit: 50 }, presentResult)
  await tierCounts(db, job_id)
  await readBehind(db, job, 1, 50)
  const known = createKnownPlaces(db)
  await known.record({ ...job, data: { keywords: ['one'], lat: '', lon: '', radius: 0 } })
  await known.among(user_id, ['0x1:0x2'], 7)
  await forgetKeys(db, user_id, ['0x1:0x2'])
  await known.countOf(user_id, { keywords: ['one'] }, 7)
  await known.page(user_id, '', 10)
  await known.forget(user_id)
  const ledger = mongoLedgerStore(db)
  await ledger.last(user_id)
  await ledger.about(user_id, job_id)
  await all(ledger.entries(user_id))
  await all(ledger.entriesByReference(user_id))
  await ledger.entriesAbout(user_id, [job_id])
  await ledger.spending(user_id, 'key', new Date())
  await ledger.chargedByDay(user_id, '2026-03-01')
  await ledger.history(user_id, { types: TRANSACTION_TYPES, skip: 50, limit: 50 })
}

/** The shard keys that the page for operators tells to set, by collection. */
function shardKeys(): Map<string, string> {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'SHARDING.md'), 'utf8')
  const lines = page.matchAll(/^sh\.shardCollection\('placefleet\.(\w+)', \{ (\w+): 'hashed' \}\)$/gm)
  return new Map([...lines].map(([, name = '', key = '']) => [name, key]))
}

test('each unique index of a sharded collection begins with the shard key, and each query names it', async () => {
  const keys = shardKeys()
  expect([...keys.keys()]).toEqual(['results', 'known_places', 'ledger'])
  for (const { collection, key, unique } of indexes) {
    if (unique && keys.has(collection)) expect(Object.keys(key)[0]).toBe(keys.get(collection))
  }

  const commands = await commandsOf(() => queryShards(randomUUID(), randomUUID()))

  const filters = commands.flatMap((command) => {
    const key = keys.get(collectionOf(command))
    return key === undefined ? [] : filtersOf(command).map((filter) => ({ key, filter }))
  })
  expect(filters.length).toBeGreaterThan(15)
  for (const { key, filter } of filters) expect(filter).toHaveProperty(key, expect.any(String))
})

const collectionOf = (command: Document): string => String(command[Object.keys(command)[0] ?? ''])

function filtersOf({ filter, query, pipeline, updates, deletes }: Document): Document[] {
  const statements = [...(updates ?? []), ...(deletes ?? [])].map(({ q }: Document) => q)
  return [filter ?? query ?? pipeline?.[0].$match, ...statements].filter((found) => found !== undefined)
}
