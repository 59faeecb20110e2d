import { cellKey, cellsOf } from '@placefleet/coordinator/coverage/documents'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { type MonitorDocument, monitorsOf } from '@placefleet/coordinator/monitors/documents'
import { seriesOf, seriesPlacesOf } from '@placefleet/coordinator/monitors/series/documents'
import { referencesOf, type TaskDocument, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { quarters } from '@placefleet/shared/cell'
import { CreateJobRequest } from '@placefleet/shared/job'
import { afterAll, expect, test } from 'vitest'
import { volume } from '../../../harness/volume.ts'
import { crashingDb, WRITES } from '../../billing/crashing-db.ts'
import { Crash } from '../../billing/memory-ledger.ts'
import { HOUR, startMonitorWorld } from '../monitor-world.ts'

/** 100 in the run of many. */
const ROUNDS = volume(3, 100)

const LOOK_AGAIN_MS = 61_000
const CAP = 5
const PLACES_A_CELL = 6
const CELLS = quarters({ south: 52, north: 52.1, west: 13, east: 13.2 })

const world = await startMonitorWorld((end) => afterAll(end))
const { db } = world
type Stored = { _id: string; job_id: string; position: number; place_key: string; place: object }
const results = db.collection<Stored>('results')

/** Creates a monitor that exhausts its area, and is due in an hour. */
async function exhausting(user_id: string, max_cost?: string): Promise<string> {
  const monitor_id = await world.hourly(user_id)
  const area = { lat: '52.05', lon: '13.1', radius: 7_000, max_results: CAP }
  const { proxies: _, ...job } = CreateJobRequest.parse({ name: 'j', keywords: ['bakery'], language: 'en', ...area })
  const change: Partial<MonitorDocument> = {
    job,
    exhaust: true,
    schedule: { every: '7d' },
    ...(max_cost !== undefined && { max_cost }),
  }
  const due_at = new Date(world.clock.now.getTime() + 7 * 24 * HOUR)
  await monitorsOf(db).updateOne({ _id: monitor_id }, { $set: { ...change, due_at } })
  return monitor_id
}

const keysIn = (cell: number) => Array.from({ length: PLACES_A_CELL }, (_, n) => `0x${cell}:0x${n}`)

/** Searches and collects for a job as agents do, and ends it. A second call returns the ended job. */
async function work(job: JobDocument): Promise<JobDocument> {
  const { _id: job_id, monitor, held, prices } = job
  const series_id = `${monitor?.id} ${monitor?.at.toISOString()}`
  for (const { parts } of await tasksOf(db).find({ job_id, kind: 'discover' }).toArray()) {
    const asked = new Set([...(parts?.cells ?? []), ...(parts?.again ?? [])].map(cellKey))
    for (const [nth, bounds] of CELLS.entries()) {
      if (asked.size > 0 && !asked.has(cellKey(bounds))) continue
      const _id = `${job_id} bakery ${cellKey(bounds)}`
      const search = { job_id, keyword: 'bakery', bounds, state: 'searched' as const, places: PLACES_A_CELL }
      await cellsOf(db).updateOne({ _id }, { $set: { ...search, looks: { 0: keysIn(nth) } } }, { upsert: true })
      const settled = await world.coordinator.series.settledAmong(series_id, keysIn(nth))
      const fresh = keysIn(nth).filter((key) => !settled.has(key))
      await createReferences(db).add(
        job_id,
        fresh.map((place_key) => ({ place_key })),
      )
    }
  }
  const listed = await referencesOf(db).find({ job_id }).sort({ position: 1 }).toArray()
  const affordable = Math.floor((held - prices.job_start) / prices.place_scraped)
  const stored = listed.slice(0, Math.min(CAP, affordable))
  for (const [index, { place_key }] of stored.entries()) {
    const _id = `${job_id} ${place_key}`
    await results.updateOne(
      { _id },
      { $set: { job_id, position: index + 1, place_key, place: { title: place_key } } },
      { upsert: true },
    )
  }
  const ended = {
    status: 'completed' as const,
    ended_at: new Date(),
    totals: { places: stored.length, reviews: 0, images: 0 },
    total_cost: prices.job_start + stored.length * prices.place_scraped,
    ...(affordable < Math.min(CAP, listed.length) && { spent: true }),
  }
  await tasksOf(db).updateMany(
    { job_id, state: 'waiting' },
    { $set: { state: collected(stored.length, listed.length) } },
  )
  const update = { $set: ended, $unset: { slot: '' as const } }
  return (await jobsOf(db).findOneAndUpdate({ _id: job_id }, update, { returnDocument: 'after' })) ?? job
}

/** A task counts as done when all of its places were collected. */
const collected = (stored: number, listed: number): TaskDocument['state'] => (stored === listed ? 'done' : 'cancelled')

/** Runs the monitor until its series has ended. `attempt` runs a step, which may die on the way. */
async function runSeries(
  monitor_id: string,
  attempt: (step: (by: typeof world.coordinator) => Promise<void>) => Promise<void>,
) {
  world.pass(7 * 24 * HOUR)
  for (let step = 0; step < 40; step++) {
    await attempt((by) => world.sweep(by))
    await world.giveUpCreations()
    world.pass(LOOK_AGAIN_MS)
    await world.sweep()
    for (const job of await jobsOf(db)
      .find({ 'monitor.id': monitor_id, listed: true, closed_at: { $exists: false } })
      .toArray()) {
      const ended = job.status === 'pending' ? await work(job) : job
      await attempt((by) => by.recordRunEnd(ended))
      await world.coordinator.recordRunEnd(ended)
      await jobsOf(db).updateOne({ _id: job._id }, { $set: { closed_at: new Date() } })
    }
    const series = await seriesOf(db).findOne({ monitor_id }, { sort: { at: -1 } })
    const monitor = await monitorsOf(db).findOne({ _id: monitor_id })
    if (series?.ended && !monitor?.running) return series
  }
  return expect.fail('the series did not end')
}

const alive = (step: (by: typeof world.coordinator) => Promise<void>) => step(world.coordinator)

test('a series whose coordinators die at any write stores each place once and ends exhausted', async () => {
  let seed = 1
  const dice = (sides: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % sides
  }
  const dying = async (step: (by: typeof world.coordinator) => Promise<void>) => {
    const calls = 1 + dice(12)
    const by = await world.coordinatorOver(crashingDb(db, { calls, written: calls % 2 === 0 }, WRITES))
    await step(by).catch((error) => {
      if (!(error instanceof Crash)) throw error
    })
  }
  for (let round = 0; round < ROUNDS; round++) {
    const monitor_id = await exhausting(await world.user())

    const series = await runSeries(monitor_id, dying)

    const jobs = await jobsOf(db)
      .find({ 'monitor.id': monitor_id, listed: true })
      .sort({ 'monitor.number': 1 })
      .toArray()
    expect(jobs.map(({ monitor }) => monitor?.number)).toEqual(jobs.map((_, index) => index + 1))
    const stored = await results.find({ job_id: { $in: jobs.map(({ _id }) => _id) } }).toArray()
    expect(stored.map(({ place_key }) => place_key).toSorted()).toEqual(
      CELLS.flatMap((_, cell) => keysIn(cell)).toSorted(),
    )
    const spent = jobs.reduce((sum, job) => sum + (job.total_cost ?? 0), 0)
    expect(series).toMatchObject({ ended: 'exhausted', jobs: jobs.map(({ _id }) => _id), found: stored.length, spent })
    const [run, ...others] = await world.monitors.latestRuns(monitor_id, 10)
    expect(run).toMatchObject({
      state: 'completed',
      job_id: jobs.at(-1)?._id,
      series: { ended: 'exhausted', found: 24 },
    })
    expect(others).toEqual([])
    const monitor = await monitorsOf(db).findOne({ _id: monitor_id })
    expect(monitor).toMatchObject({ compared_at: series.at, whole_runs: 1, failures: 0 })
    expect(monitor).not.toHaveProperty('continuing')
    expect(await seriesPlacesOf(db).countDocuments({ series_id: series._id })).toBe(0)
  }
}, 600_000)

test('a series never costs more than its max_cost', async () => {
  const { job_start, place_scraped } = { job_start: 7_000, place_scraped: 3_000 }
  for (const places of [1, 4, 5, 7, 11]) {
    const max = 3 * job_start + places * place_scraped - 1
    const monitor_id = await exhausting(await world.user(), (max / 1_000_000).toFixed(6))

    const series = await runSeries(monitor_id, alive)

    expect(series).toMatchObject({ ended: 'max_cost' })
    expect(series.spent).toBeLessThanOrEqual(max)
    expect(series.spent).toBeGreaterThan(max - job_start - place_scraped)
    const [run] = await world.monitors.latestRuns(monitor_id, 1)
    expect(run).toMatchObject({ state: 'completed', series: { ended: 'max_cost', spent: series.spent } })
  }
})

test('the next series begins with the cells of the former one', async () => {
  const monitor_id = await exhausting(await world.user())
  await runSeries(monitor_id, alive)
  const first = await runSeries(monitor_id, alive)
  const [job] = await jobsOf(db)
    .find({ 'monitor.id': monitor_id, 'monitor.at': first.at, 'monitor.number': 1 })
    .toArray()
  const [search] = await tasksOf(db)
    .find({ job_id: job?._id ?? '', kind: 'discover' })
    .toArray()
  expect(search?.parts?.cells.map(cellKey).toSorted()).toEqual(CELLS.map(cellKey).toSorted())
})

test('a series ends with its job when the user cancels it, and the monitor goes on with its next run', async () => {
  const monitor_id = await exhausting(await world.user())
  world.pass(7 * 24 * HOUR)
  await world.sweep()
  const [job] = await world.jobs(monitor_id)
  const cancelled = {
    ...(await work(job ?? expect.fail('no job'))),
    status: 'cancelled' as const,
    cancel_reason: 'user' as const,
  }
  await world.coordinator.recordRunEnd(cancelled)
  expect((await world.monitors.latestRuns(monitor_id, 1))[0]).toMatchObject({
    state: 'cancelled',
    series: { ended: 'cancelled' },
  })
  world.pass(7 * 24 * HOUR)
  await world.sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(2)
})

test('a pause lets the running series end, and begins no other', async () => {
  const user_id = await world.user()
  const monitor_id = await exhausting(user_id)
  world.pass(7 * 24 * HOUR)
  await world.sweep()
  await world.monitors.change(user_id, monitor_id, {
    $set: { paused: true, pause_reason: 'x' },
    $unset: { starting: '' },
  })
  const [job] = await world.jobs(monitor_id)
  await world.coordinator.recordRunEnd(await work(job ?? expect.fail('no job')))
  await world.sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(2)
})
