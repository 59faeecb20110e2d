import { auditedCellsOf, cellsOf } from '@placefleet/coordinator/coverage/documents'
import { indexes } from '@placefleet/coordinator/indexes'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { JobPhase } from '@placefleet/coordinator/jobs/phase'
import { droppedPlacesOf, knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { changesOf, watchedPlacesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { erase } from '@placefleet/coordinator/operator/erasure'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { referencesOf } from '@placefleet/coordinator/tasks/documents'
import { beforeEach, expect, test } from 'vitest'
import { resultDocument, storeResults } from '../../harness/coordinator/results.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { steppingDb } from '../../harness/servers/stepping-database.ts'
import { Crash } from '../billing/memory-ledger.ts'
import { dyingBefore } from '../operations/steps.ts'

const { db } = await testDatabase('new')
await ensureIndexes(db, indexes)

const KEY = '0xada:0xada'
const PLACE = { kind: 'place', id: KEY } as const

beforeEach(async () => {
  for (const { name } of await db.listCollections().toArray()) await db.collection(name).deleteMany()
})

/** A job in a phase whose searches listed the place. */
async function jobListing(phase: JobPhase) {
  const job = { ...sampleJob('user', { status: 'running' }), phase, due_at: new Date() }
  await jobsOf(db).insertOne(job)
  const reference = { place_key: KEY, title: 'Ada' }
  await referencesOf(db).insertOne({ _id: job._id, job_id: job._id, position: 1, place_key: KEY, reference })
  return job._id
}

const everything = async () => {
  const names = (await db.listCollections().toArray()).map(({ name }) => name)
  return JSON.stringify(await Promise.all(names.map((name) => db.collection(name).find().toArray())))
}

test('an erased place is nowhere in the database, and what counted it still counts', async () => {
  const job_id = await jobListing('ended')
  const now = new Date()
  const probes = [
    { place_key: KEY, title: 'Ada' },
    { place_key: '0x1:0x1', title: 'kept' },
  ]
  await jobsOf(db).updateOne({ _id: job_id }, { $set: { monitor: { id: 'm', at: now, began_at: now, probes } } })
  await storeResults(db, job_id, [{ ...resultDocument({ user_id: 'user', job_id }, { title: 'Ada' }), place_key: KEY }])
  const known = { user_id: 'user', first_seen_at: now, last_seen_at: now, collected_at: now }
  await knownPlacesOf(db).insertMany([KEY, '0x0:0xada', '0x1:0x1'].map((place_key) => ({ ...known, place_key })))
  await droppedPlacesOf(db).insertOne({ job_id, place_key: KEY })
  const watched = { monitor_id: 'm', place_key: KEY, since: now, run_at: now, state: 'present' as const }
  await watchedPlacesOf(db).insertOne({ ...watched, fields: { title: 'Ada' } })
  const change = { monitor_id: 'm', place_key: KEY, title: 'Ada', job_id, run_at: now, seen_at: now }
  await changesOf(db).insertOne({ ...change, sequence: 7, type: 'new' })
  const cell = { job_id, kind: 'search', keyword: 'k', state: 'searched', places: 2 } as const
  await cellsOf(db).insertOne({ ...cell, _id: job_id, looks: { 0: [KEY, '0x1:0x1'] } })
  const audit = { _id: `${job_id} audit`, job_id, kind: 'audit', before: [KEY, '0x1:0x1'], shifted: [KEY] } as const
  await auditedCellsOf(db).insertOne({ ...audit, before: [...audit.before], shifted: [...audit.shifted] })

  expect(await erase(db, PLACE)).toMatchObject({ places: 1 })

  expect(await everything()).not.toMatch(/Ada|0xada/)
  expect(await resultsOf(db).countDocuments({ job_id, place_key: /^erased:/ })).toBe(1)
  expect(await changesOf(db).findOne({ monitor_id: 'm' })).toMatchObject({ sequence: 7, type: 'new' })
  expect(await knownPlacesOf(db).distinct('place_key')).toEqual(['0x1:0x1'])
  expect((await jobsOf(db).findOne({ _id: job_id }))?.monitor?.probes).toEqual([
    { place_key: '0x1:0x1', title: 'kept' },
  ])
  expect(await cellsOf(db).findOne({ job_id, kind: 'search' })).toMatchObject({ looks: { 0: ['0x1:0x1'] } })
  expect(await auditedCellsOf(db).findOne({ job_id, kind: 'audit' })).toMatchObject({
    before: ['0x1:0x1'],
    shifted: [],
  })
})

test('an interrupted erasure goes on where it was, and no command looks at more than 1,000 documents', async () => {
  const many = Array.from({ length: 2_500 }, (_, nth) => ({
    ...resultDocument({ user_id: 'user', job_id: `job ${nth}` }),
    ...([3, 2_400].includes(nth) && { place_key: KEY }),
  }))
  await resultsOf(db).insertMany(many)
  const batchesOf = async (work: (seen: typeof db) => Promise<unknown>) => {
    let batches = 0
    await work(
      steppingDb(db, ['updateMany'], (call) => {
        batches++
        return call()
      }),
    )
    return batches
  }

  await expect(erase(steppingDb(db, ['updateOne'], dyingBefore(4)), PLACE)).rejects.toThrow(Crash)
  expect(await db.collection('erasures').countDocuments({ ended_at: { $exists: true } }, SCAN)).toBe(0)

  expect(await batchesOf((seen) => erase(seen, PLACE))).toBe(0)
  expect(await db.collection('erasures').find().toArray()).toMatchObject([{ places: 2 }])
  expect(await batchesOf((seen) => erase(seen, PLACE))).toBe(3)
  expect(await resultsOf(db).countDocuments({ place_key: KEY }, SCAN)).toBe(0)
})

test.each(['pending', 'running', 'aborting', 'ending', 'closing'] as const)(
  'while a job that lists the place is %s, the erasure is refused and names it, and nothing has changed',
  async (phase) => {
    const job_id = await jobListing(phase)
    await knownPlacesOf(db).insertOne(Object.assign({ place_key: KEY, user_id: 'user' }, times))
    await expect(erase(db, PLACE)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(job_id) })
    expect(await knownPlacesOf(db).countDocuments()).toBe(1)
    expect(await db.collection('erasures').countDocuments()).toBe(0)

    await jobsOf(db).updateOne({ _id: job_id }, { $set: { phase: 'ended' } })
    await erase(db, PLACE)
    expect(await everything()).not.toContain('0xada')
  },
)

const now = new Date()
const times = { first_seen_at: now, last_seen_at: now, collected_at: now }

test('a job that looks at the place for its monitor counts as one that lists it, and one that lists it meanwhile too', async () => {
  const probing = await jobListing('running')
  await referencesOf(db).deleteMany()
  const monitor = { id: 'm', at: now, began_at: now, probes: [{ place_key: KEY }] }
  await jobsOf(db).updateOne({ _id: probing }, { $set: { monitor } })
  await expect(erase(db, PLACE)).rejects.toMatchObject({ code: 'conflict' })
  await jobsOf(db).deleteMany()

  let isListed = false
  const during = steppingDb(db, ['insertOne'], async (call) => {
    const inserted = await call()
    if (!isListed) await jobListing('running')
    isListed = true
    return inserted
  })
  await expect(erase(during, PLACE)).rejects.toMatchObject({ code: 'conflict' })
  expect(await db.collection('erasures').countDocuments({ ended_at: { $exists: true } }, SCAN)).toBe(0)
  const [job] = await jobsOf(db).find().toArray()
  await storeResults(db, 'j', [{ ...resultDocument({ user_id: 'user', job_id: 'j' }), place_key: KEY }])
  await jobsOf(db).updateOne({ _id: job?._id ?? '' }, { $set: { phase: 'ended' } })
  await erase(db, PLACE)
  expect(await everything()).not.toContain(KEY)
})
