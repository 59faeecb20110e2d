import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { createKnownPlaces } from '@placefleet/coordinator/known-places/store'
import { eraseInBatches } from '@placefleet/coordinator/mongo/erasure'
import { changesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { recordChanges } from '@placefleet/coordinator/monitors/changes/record'
import { presentChange } from '@placefleet/coordinator/monitors/changes/schema'
import { changesPage, missingPlaces, watchedPlaceErasure } from '@placefleet/coordinator/monitors/changes/store'
import { removeOldRecords } from '@placefleet/coordinator/monitors/removal'
import type { Place } from '@placefleet/shared/place'
import { type Db, MongoClient } from 'mongodb'
import { afterAll, expect, inject, test } from 'vitest'
import { keyOf, placeOf } from '../../../harness/agents/scripted-collector.ts'
import { sampleJob } from '../../../harness/coordinator/sample-job.ts'
import { steppingDb, WRITES } from '../../../harness/servers/stepping-database.ts'
import { volume } from '../../../harness/volume.ts'
import { Crash } from '../../billing/memory-ledger.ts'
import { dyingBefore } from '../../operations/steps.ts'
import { HOUR, startMonitorWorld } from '../monitor-world.ts'

const world = await startMonitorWorld((end) => afterAll(end))
const { db, clock } = world

/** The places of a large city. */
const KNOWN = volume(3_000, 100_000)

type Found = Partial<Place> & { n: number }
type Ended = Parameters<typeof recordChanges>[1]

const town = (count: number): Found[] => Array.from({ length: count }, (_, n) => ({ n }))

/** Returns a monitor of a user, and a run of it that found these places. */
async function watch() {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  let position = 0
  const ended = async (found: Found[], more: Partial<JobDocument> = {}, delayMs = 0): Promise<Ended> => {
    world.pass(HOUR)
    const probes = await missingPlaces(db, monitor_id, 2, 50)
    const at = new Date(clock.now.getTime() - delayMs)
    const monitor = { id: monitor_id, at, began_at: clock.now, ...(probes.length > 0 && { probes }) }
    const job = { ...sampleJob(user_id, { status: 'completed' }), ...more, monitor }
    const stored = found.map(({ n, ...fields }) => {
      const { place_key, ...place } = { ...placeOf(n), ...fields }
      position += 1
      return { _id: position + Date.now() * 1_000, user_id, job_id: job._id, position, place_key, place }
    })
    if (stored.length > 0) await db.collection<{ _id: number }>('results').insertMany(stored)
    await jobsOf(db).insertOne(job)
    await createKnownPlaces(db).record({ user_id, job_id: job._id, data: job.data })
    return job
  }
  const run = async (found: Found[], more: Partial<JobDocument> = {}) => recordChanges(db, await ended(found, more))
  const reported = async () => {
    const found = await changesOf(db).find({ monitor_id }).sort({ sequence: 1 }).toArray()
    return found.map((change) => ({ sequence: change.sequence, type: change.type, place_key: change.place_key }))
  }
  return { user_id, monitor_id, ended, run, reported }
}

test('a change says where its place is, to about 11 metres', async () => {
  const { monitor_id, run } = await watch()
  const place = { n: 0, latitude: 52.123456, longitude: 13.4 }
  await run([place])
  await run([{ ...place, phone: '2' }])
  const there = { type: 'changed', latitude: 52.1235, longitude: 13.4 }
  expect(await changesOf(db).findOne({ monitor_id })).toMatchObject(there)
})

test('a monitor reports new, changed, gone and back, each once, when it is sure', async () => {
  const { user_id, monitor_id, run, reported } = await watch()
  for (let day = 0; day < 6; day++) await run(town(20))
  expect(await reported()).toEqual([])

  await run([...town(19), { n: 19, phone: '1' }, { n: 20 }])
  expect((await reported()).map(({ type, place_key }) => [type, place_key])).toEqual([
    ['changed', keyOf(19)],
    ['new', keyOf(20)],
  ])

  const rest = [...town(19), { n: 19, phone: '1' }]
  for (let day = 0; day < 8 && (await missingPlaces(db, monitor_id, 2, 50)).length === 0; day++) await run(rest)
  expect(await missingPlaces(db, monitor_id, 2, 50)).toEqual([{ place_key: keyOf(20), title: 'Place 20' }])
  await run(rest, { outcomes: { ...sampleJob('').outcomes, blocked: 1 } })
  expect(await reported()).toHaveLength(2) // a blocked look proves nothing
  await run(rest)
  expect((await reported()).at(-1)).toEqual({ sequence: 3, type: 'gone', place_key: keyOf(20) })
  expect(await knownPlacesOf(db).countDocuments({ user_id, place_key: keyOf(20) })).toBe(0)

  await run([...rest, { n: 20 }])
  expect((await reported()).at(-1)).toEqual({ sequence: 4, type: 'back', place_key: keyOf(20) })
  await run([...rest, { n: 20, closed: 'permanently' }])
  expect((await reported()).at(-1)).toEqual({ sequence: 5, type: 'gone', place_key: keyOf(20) })
})

test('a run that began late reports what it found, also after a run by hand in its delay', async () => {
  const { ended, run, reported } = await watch()
  for (let day = 0; day < 3; day++) await run(town(20))
  await run(town(20)) // by hand
  await recordChanges(db, await ended(town(21), {}, HOUR + 1)) // its time is before that of the run by hand
  expect(await reported()).toEqual([{ sequence: 1, type: 'new', place_key: keyOf(20) }])
})

test('an erased change keeps its number, so that a client that reads on misses none', async () => {
  const { monitor_id, run } = await watch()
  const key = placeOf(0xe5a5e).place_key
  const read = async (after: number) =>
    (await changesPage(db, monitor_id, { after, order: 'asc', limit: 10 })).map(presentChange)
  for (let day = 0; day < 4; day++) await run(town(20))
  await run([...town(20), { n: 20 }, { n: 0xe5a5e, title: 'Ada' }])
  expect((await read(0)).map(({ sequence }) => sequence)).toEqual([1, 2])

  for (const step of watchedPlaceErasure(db, key)) await eraseInBatches(db, step)
  await run([...town(21), { n: 21 }])

  expect((await read(2)).map(({ sequence, type, place_key }) => [sequence, type, place_key])).toEqual([
    [3, 'new', keyOf(21)],
  ])
  const [erased] = (await read(0)).filter(({ place_key }) => place_key.startsWith('erased:'))
  expect(erased).toMatchObject({ sequence: expect.any(Number), type: 'new' })
  expect(JSON.stringify(erased)).not.toContain('Ada')
})

test('a run that was blocked, cut short or failed makes no place missing', async () => {
  const { monitor_id, run, reported } = await watch()
  for (let day = 0; day < 4; day++) await run(town(10))
  for (let day = 0; day < 12; day++) {
    for (const cut of ['blocked', 'consent', 'limited', 'timeout'] as const)
      await run(town(2), { outcomes: { ...sampleJob('').outcomes, [cut]: 1 } })
    await run(town(2), { partial: true })
    await run([], { status: 'failed' })
  }
  expect(await missingPlaces(db, monitor_id, 2, 50)).toEqual([])
  expect(await reported()).toEqual([])
})

test('a run whose job was deleted before the comparison makes no place missing', async () => {
  const { monitor_id, ended, run, reported } = await watch()
  for (let day = 0; day < 4; day++) await run(town(10))
  for (let day = 0; day < 12; day++) {
    const job = await ended([])
    await jobsOf(db).updateOne({ _id: job._id }, { $set: { phase: 'deleting' } })
    await recordChanges(db, job)
  }
  expect(await missingPlaces(db, monitor_id, 2, 50)).toEqual([])
  expect(await reported()).toEqual([])
})

test('a place that is gone for one user stays known to the others', async () => {
  const [one, other] = [await watch(), await watch()]
  for (const { run } of [one, other]) await run(town(2))
  await one.run([{ n: 0 }, { n: 1, closed: 'permanently' }])
  expect(await one.reported()).toEqual([{ sequence: 1, type: 'gone', place_key: keyOf(1) }])
  const knowing = await knownPlacesOf(db)
    .find({ place_key: keyOf(1), user_id: { $in: [one.user_id, other.user_id] } })
    .toArray()
  expect(knowing.map(({ user_id }) => user_id)).toEqual([other.user_id])
})

test.each([1, 2, 3])('a process may die before its write number %i, and each change is recorded once', async (nth) => {
  const { ended, run, reported } = await watch()
  for (let day = 0; day < 5; day++) await run(town(20))
  const job = await ended([...town(18), { n: 18, phone: '1' }, { n: 19, phone: '2' }, { n: 20 }])
  await expect(recordChanges(steppingDb(db, WRITES, dyingBefore(nth)), job)).rejects.toThrow(Crash)
  for (let again = 0; again < 2; again++) await recordChanges(db, job)
  expect((await reported()).map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'changed'],
    [2, 'changed'],
    [3, 'new'],
  ])
})

/** The documents of these collections that a process holds at most: those that it has read and not compared yet. */
async function mostHeld(collections: readonly string[], compare: (observed: Db) => Promise<void>) {
  const observer = await new MongoClient(inject('mongoUrl'), { monitorCommands: true, ignoreUndefined: true }).connect()
  let [held, most] = [0, 0]
  observer.on('commandSucceeded', ({ reply }) => {
    const cursor = Object(reply).cursor
    if (!collections.includes(String(cursor?.ns).split('.')[1] ?? '')) return
    held += (cursor.firstBatch ?? cursor.nextBatch).length
    most = Math.max(most, held)
  })
  observer.on('commandStarted', ({ command }) => {
    if (command.update === 'watched_places') held -= collections.length * command.updates.length
  })
  try {
    await compare(observer.db(db.databaseName))
  } finally {
    await observer.close()
  }
  return most
}

test('a run is compared a part at a time, however many places its monitor knows', async () => {
  const { ended, run, reported } = await watch()
  await run(town(KNOWN))
  const job = await ended(Array.from({ length: KNOWN }, (_, n) => ({ n, phone: '1' })))

  const most = await mostHeld(['watched_places', 'results'], (observed) => recordChanges(observed, job))

  // Both cursors have a batch ahead, and the comparison holds one of each.
  expect(most).toBeLessThanOrEqual(5 * 500)
  const changed = await reported()
  expect(changed.map(({ sequence }) => sequence)).toEqual(Array.from({ length: KNOWN }, (_, n) => n + 1))
  expect(new Set(changed.map(({ place_key }) => place_key)).size).toBe(KNOWN)
})

test('a run whose comparison a crash cut short is judged by what was known before it', async () => {
  const { monitor_id, ended, run, reported } = await watch()
  for (let day = 0; day < 3; day++) await run(town(600))
  const last = 0xffffe // the last one in the order of the keys
  const job = await ended([...town(600).slice(1), { n: last }])
  // Dies when it reports the last place, after most of the others were saved.
  const dying = steppingDb(db, ['insertMany'], () => Promise.reject(new Crash()))

  await expect(recordChanges(dying, job)).rejects.toThrow(Crash)
  await recordChanges(db, job)

  expect(await reported()).toEqual([{ sequence: 1, type: 'new', place_key: keyOf(last) }])
  expect(await missingPlaces(db, monitor_id, 2, 50)).toEqual([]) // one miss counts once
  const monitor = await world.find(job.user_id, monitor_id)
  expect(monitor?.misses).toEqual({ known: 601, share: 1.5 / 601, product: (0.5 / 601) ** 2 * (1.5 / 601) })
})

test('after a crash in the first run, a place is not new any earlier', async () => {
  const { ended, run, reported } = await watch()
  const job = await ended(town(600))
  const dying = steppingDb(db, ['bulkWrite'], dyingBefore(2))
  await expect(recordChanges(dying, job)).rejects.toThrow(Crash)
  await recordChanges(db, job)
  await run(town(600))
  await run(town(601))
  expect(await reported()).toEqual([])
  await run(town(602))
  expect(await reported()).toEqual([{ sequence: 1, type: 'new', place_key: keyOf(601) }])
})

test('old runs and changes are removed, but never the last change: the next number follows from it', async () => {
  const { user_id, monitor_id, ended, reported } = await watch()
  const run = async (found: Found[]) => world.coordinator.recordRunEnd(await ended(found))
  for (let nth = 0; nth < 3; nth++) await run(town(5))
  await run([{ n: 0, phone: '1' }, { n: 1, phone: '1' }, ...town(5).slice(2)])
  expect(await reported()).toHaveLength(2)
  await removeOldRecords({ db, runs: world.runs }, 9)

  expect(await reported()).toMatchObject([{ sequence: 2 }])
  expect(await world.runs.latest(monitor_id, 10)).toEqual([])
  expect(await world.find(user_id, monitor_id)).toMatchObject({ _id: monitor_id })
})
