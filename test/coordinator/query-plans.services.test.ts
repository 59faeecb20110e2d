import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger, TRANSACTION_TYPES } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { createCheckouts, createEventStore } from '@placefleet/coordinator/billing/purchases/stripe/store'
import { indexes } from '@placefleet/coordinator/indexes'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createReadPass } from '@placefleet/coordinator/jobs/read-pass'
import { existingJobs, jobActivity, jobBacklog, latestJobs, recentJobs } from '@placefleet/coordinator/jobs/reports'
import { createJobStore } from '@placefleet/coordinator/jobs/store'
import { searchOf } from '@placefleet/coordinator/known-places/compared-fields'
import { knownPlacesBy, knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { droppedKeys, forgetKeys } from '@placefleet/coordinator/known-places/keys'
import { createKnownPlaces } from '@placefleet/coordinator/known-places/store'
import { removeExpired } from '@placefleet/coordinator/mongo/expiry'
import { removeAll } from '@placefleet/coordinator/mongo/in-batches'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import {
  changesPage,
  countChanges,
  missingPlaces,
  removeChangesUntil,
  removeWatch,
} from '@placefleet/coordinator/monitors/changes/store'
import { createRunStore } from '@placefleet/coordinator/monitors/run-store'
import { createMonitorStore } from '@placefleet/coordinator/monitors/store'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { presentResult } from '@placefleet/coordinator/results/present'
import { readAllOfUser, readBehind, readJobPage, tierCounts } from '@placefleet/coordinator/results/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createLeases } from '@placefleet/coordinator/tasks/lease'
import { tasksOfJob } from '@placefleet/coordinator/tasks/of-job'
import { deadTasks, runningTasks, taskBacklog } from '@placefleet/coordinator/tasks/overview'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { blockedUntil } from '@placefleet/coordinator/tasks/snooze'
import {
  cancelTasks,
  forgetEndedTasks,
  insertTasks,
  renewOverdue,
  taskCounts,
  taskFailures,
  taskSummary,
  waitingJobs,
} from '@placefleet/coordinator/tasks/store'
import { createDeliveryQueue, updateQueueOfPending } from '@placefleet/coordinator/webhooks/deliveries/store'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import { WEB_PRESENCE_TIERS } from '@placefleet/shared/web-presence/tiers'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { sampleJob } from '../harness/coordinator/sample-job.ts'
import { explainedDatabase } from '../harness/servers/explained-database.ts'
import { volume } from '../harness/volume.ts'

/** Enough for the planner to weigh indexes; in the run of many, more than the embedded engine once could plan for. */
const JOBS = volume(500, 100_000)
const BATCH = 10_000

/** Jobs of one download. */
const DOWNLOADED = volume(2_500, 100_000)

const STORED = { place_key: 'one', web_presence: 'none', place: { title: 'One' }, created_at: new Date() }

const { db, commandsOf, planOf, readBy } = await explainedDatabase()
await ensureIndexes(db, indexes)

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Ended jobs of one user, a place and a failed task of each. */
async function fill(user_id: string): Promise<string> {
  const ended = { status: 'completed', ended_at: new Date() } as const
  for (let done = 0; done < JOBS; done += BATCH) {
    const jobs = Array.from({ length: Math.min(BATCH, JOBS - done) }, () => sampleJob(user_id, ended))
    await jobsOf(db).insertMany(jobs, { ordered: false })
    const places = jobs.map(({ _id: job_id }, n) => ({ _id: done + n, user_id, job_id, position: 1, ...STORED }))
    await db.collection<{ _id: number }>('results').insertMany(places, { ordered: false })
    const over = { kind: 'collect', ordinal: 0, state: 'failed', ended_at: new Date() }
    const tasks = jobs.map(({ _id: job_id }) => ({ _id: randomUUID(), user_id, job_id, ...over }))
    await db.collection<{ _id: string }>('tasks').insertMany(tasks, { ordered: false })
  }
  const running = sampleJob(user_id, { status: 'running', deadline_at: new Date() })
  await jobsOf(db).insertOne(running)
  return running._id
}

/** The queries of the product over what grows with history. */
async function queryEverything(user_id: string, job_id: string): Promise<void> {
  const jobs = createJobStore(db)
  const page = { page: 1, limit: 10, search: '' }
  for (const sort of ['created_at', 'updated_at', 'name', 'status'] as const) {
    for (const order of ['asc', 'desc'] as const) await jobs.page(user_id, { ...page, sort, order })
  }
  await jobs.page(user_id, { ...page, sort: 'name', order: 'asc', page: Math.ceil(JOBS / 25), limit: 25 })
  await jobs.page(user_id, { ...page, sort: 'created_at', order: 'desc', search: 'nothing' })
  for (const status of ['failed', undefined] as const) {
    await jobs.page(user_id, { ...page, sort: 'name', order: 'asc', search: 'nothing', status })
  }
  for (const monitor_id of [job_id, undefined]) {
    await all(jobs.withResults(user_id, { search: 'nothing', monitor_id, ended_until: new Date() }))
  }
  await jobs.findByKey(user_id, 'key')
  await jobs.takenSlots(user_id)
  await jobs.findSome(user_id, [job_id])
  await jobs.hidden(user_id)
  await jobs.activeQueue.take()
  await jobs.endedQueue.take()
  await jobs.abortTimedOut(job_id)
  await jobs.olderThan(1, 10)
  await jobs.showProgress(job_id, {})
  await jobActivity(db, user_id)
  await recentJobs(db, user_id, 5)
  await latestJobs(db, { limit: 10 })
  await latestJobs(db, { status: 'running', limit: 10 })
  await latestJobs(db, { user_id, limit: 10 })
  await jobBacklog(db)
  await taskSummary(db, job_id)
  await taskCounts(db, job_id)
  await createReadPass(db)(job_id, false)
  await createReadPass(db)(job_id, true)
  await waitingJobs(db, user_id)
  await renewOverdue(db, 1)
  await blockedUntil(db, job_id)
  await taskFailures(db, job_id)
  await cancelTasks(db, job_id)
  await forgetEndedTasks(db)
  await tasksOfJob(db, job_id, { limit: 10 })
  await removeExpired(db, indexes)
  await createLeases(db).expire()
  await createLeases(db).giveBackOf('agent')
  await taskBacklog(db)
  await runningTasks(db)
  await deadTasks(db, { limit: 10 })
  await deadTasks(db, { job_id, limit: 10 })
  const references = createReferences(db)
  await references.count(job_id)
  await references.ofTask(job_id, 0, 10)
  const results = createResultAppender(db)
  await results.keys(job_id)
  await results.keys(job_id, ['one'])
  await results.seal(job_id)
  const monitors = createMonitorStore(db)
  await monitors.list(user_id)
  await monitors.keyIds(user_id)
  await monitors.find(user_id, job_id)
  await monitors.queue.take()
  await monitors.findNow(user_id, job_id)
  await monitors.pause(job_id, 'reason')
  await monitors.hide(user_id, job_id)
  await monitors.remove(job_id)
  const runs = createRunStore(db)
  await runs.queue.take()
  await runs.active(job_id)
  await runs.latest(job_id, 10)
  await runs.ofKey(user_id, 'key')
  await runs.old(1, 10)
  await runs.removeOf(job_id)
  for (const order of ['asc', 'desc'] as const) {
    await changesPage(db, job_id, { after: 0, before: 100, order, limit: 10 })
    await changesPage(db, job_id, { after: 0, since: new Date(), order, limit: 10 })
  }
  await missingPlaces(db, job_id, 2, 10)
  await countChanges(db, job_id, new Date())
  await removeChangesUntil(db, job_id, new Date())
  await removeWatch(db, job_id)
  const known = createKnownPlaces(db)
  await known.noteDropped(job_id, ['0x1:0x2'])
  await known.record({ user_id, job_id, data: { keywords: ['one'], lat: '', lon: '', radius: 0 } })
  await known.among(user_id, ['0x1:0x2'], 7)
  await all(droppedKeys(db, job_id))
  await forgetKeys(db, user_id, ['0x1:0x2'])
  await known.forgetDropped(job_id)
  await known.countOf(user_id, { keywords: ['one'] }, 7)
  await known.page(user_id, '', 10)
  await removeAll(
    knownPlacesOf(db),
    { user_id },
    { index: knownPlacesBy.user_seen, sort: { last_seen_at: 1 }, most: 1 },
  )
  await known.forget(user_id)
  const job = { user_id, job_id }
  await readJobPage(db, job, { tiers: WEB_PRESENCE_TIERS, page: 1, limit: 50 }, presentResult)
  await readJobPage(db, job, { tiers: ['none'], page: 1, limit: 50 }, presentResult)
  await tierCounts(db, job_id)
  await readBehind(db, job, 1, 50)
  const queue = createDeliveryQueue(db)
  await queue.takeFairly({ total: 10, of: () => 1, full: [] })
  await queue.takeFairly({ total: 10, of: () => 1, full: ['one'] })
  await queue.nextInMs()
  await queue.dropWaiting({ _id: 'one', user_id })
  await queue.postponeWaiting({ user_id }, new Date(), 'account:one')
  await queue.postponeWaiting({ queue: 'one' }, new Date(), 'address:one')
  await updateQueueOfPending(db, { _id: 'one', user_id }, 'https://one/')
  const checkouts = createCheckouts(db)
  await checkouts.takeDue()
  const events = createEventStore(db)
  await events.takeDue()
  await events.takeReading()
  const ledger = mongoLedgerStore(db)
  await ledger.last(user_id)
  await ledger.about(user_id, job_id)
  await all(ledger.entries(user_id))
  await all(ledger.entriesByReference(user_id))
  await ledger.entriesAbout(user_id, [job_id])
  await existingJobs(db, user_id, [job_id])
  await ledger.spending(user_id, 'key', new Date())
  await ledger.chargedByDay(user_id, '2026-03-01')
  await ledger.history(user_id, { types: TRANSACTION_TYPES, skip: 50, limit: 50 })
  await ledger.history(user_id, { types: ['consumption'], skip: 0, limit: 50 })
}

test('no query of the product scans a collection or fails in the embedded engine, however many jobs were', async () => {
  const user_id = randomUUID()
  const job_id = await fill(user_id)

  const commands = await commandsOf(async () => {
    await queryEverything(user_id, job_id)
    await readAllOfUser(db, user_id, { limit: 50, offset: 100, hiddenJobs: [] }, presentResult)
  })

  expect(commands.length).toBeGreaterThan(50)
  for (const command of commands) expect(await planOf(command), JSON.stringify(command)).not.toContain('COLLSCAN')
}, 120_000)

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
  const jobs = createJobStore(db)
  await jobs.count(user_id)
  const page = { page: 1, limit: 10, search: '' } as const
  const pages = (['created_at', 'updated_at', 'name', 'status'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ ...page, sort, order })),
  )

  test.each([
    ['an operator who asks for a status', () => latestJobs(db, { status: 'aborting', limit: 10 })],
    ['an operator who asks for a status of a user', () => latestJobs(db, { user_id, status: 'failed', limit: 10 })],
    [
      'the results of a monitor',
      () => all(jobs.withResults(user_id, { monitor_id: 'one', search: '', ended_until: new Date() })),
    ],
  ])('the list for $0 reads only the jobs that it shows', async (_, list) => {
    const read = await readBy(list)

    expect(read.length).toBeGreaterThan(0)
    for (const count of read) expect(count).toBeLessThanOrEqual(2)
  })

  test.each(pages)(
    'a page of jobs by $sort, $order, reads only the jobs of its status, or those that it shows',
    async (of) => {
      const ofStatus = await readBy(() => jobs.page(user_id, { ...of, status: 'failed' }))
      expect(Math.max(...ofStatus)).toBeLessThanOrEqual(2)

      const shown = await readBy(() => jobs.page(user_id, of))
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
  const jobs = createJobStore(db)
  const page = { page: 1, limit: 1, search: 'needle', sort: 'updated_at', order: 'asc' } as const
  const found: unknown[] = []

  const read = await readBy(async () => {
    for (const number of [1, 2, 3]) found.push(await jobs.page(user_id, { ...page, page: number }))
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
  const stream = createJobStore(db).withResults(user_id, { search: '', ended_until: began })
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

test('a removal of many documents takes a thousand in each write, and leaves those of others', async () => {
  const [user_id, other] = [randomUUID(), randomUUID()]
  const places = (count: number, owner: object) =>
    Array.from({ length: count }, (_, n) => ({ ...owner, place_key: `${n}` }))
  await db
    .collection<object>('known_places')
    .insertMany([...places(2_001, { user_id }), ...places(1, { user_id: other })])
  await db.collection<object>('watched_places').insertMany(places(1_001, { monitor_id: user_id }))

  const commands = await commandsOf(async () => {
    await createKnownPlaces(db).forget(user_id)
    await removeWatch(db, user_id)
  })

  const removed = commands.flatMap(({ deletes = [] }) => deletes).map(({ q }: Document) => q._id?.$in.length)
  expect(removed).toEqual([1_000, 1_000, 1, 1_000, 1])
  expect(await createKnownPlaces(db).page(user_id, '', 10)).toEqual([])
  expect(await createKnownPlaces(db).page(other, '', 10)).toHaveLength(1)
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

test('the deliveries to other hosts are found without a scan of the backlog of a slow one', async () => {
  const pending = (queue: string) => ({ _id: randomUUID(), queue, status: 'pending', due_at: new Date(0) })
  const backlog = Array.from({ length: 10_000 }, () => pending('slow'))
  await db.collection<{ _id: string }>('webhook_deliveries').insertMany([...backlog, pending('other')])
  const queue = createDeliveryQueue(db)
  const taken: string[] = []

  // Eight deliveries to the slow host are in flight, then nothing is known yet.
  for (const full of [['slow'], []]) {
    const read = await readBy(async () => {
      const held = await queue.takeFairly({ total: 5, of: (name) => (name === 'slow' ? 0 : 8), full })
      taken.push(...held.map((delivery) => delivery.queue))
    })
    expect(Math.max(...read)).toBeLessThanOrEqual(full.length > 0 ? 4 : 10)
  }

  expect(taken).toEqual(['other'])
})

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

  const commands = await commandsOf(() => queryEverything(randomUUID(), randomUUID()))

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
