import { cellKey } from '@placefleet/coordinator/coverage/documents'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { monitorsOf } from '@placefleet/coordinator/monitors/documents'
import { seriesPlacesOf } from '@placefleet/coordinator/monitors/series/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { afterAll, expect, test } from 'vitest'
import { volume } from '../../../harness/volume.ts'
import { crashingDb, mayCrash, WRITES } from '../../billing/crashing-db.ts'
import { HOUR } from '../monitor-world.ts'
import { type Attempt, CELLS, keysIn, startSeriesWorld } from './series-world.ts'

/** 100 in the run of many. */
const ROUNDS = volume(1, 100)

const world = await startSeriesWorld((end) => afterAll(end))
const { db, results, exhausting, runSeries, work } = world

const alive: Attempt = (step) => step(world.coordinator)

test('a series whose coordinators die at any write stores each place once and ends exhausted', async () => {
  let seed = 1
  const dice = (sides: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % sides
  }
  let crashes = 0
  const dying: Attempt = async (step) => {
    const calls = 1 + dice(12)
    const onCrash = () => void crashes++
    await mayCrash(
      step(await world.coordinatorOver(crashingDb(db, { calls, written: calls % 2 === 0, onCrash }, WRITES))),
    )
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
    const [run, ...others] = await world.runs.latest(monitor_id, 10)
    expect(run).toMatchObject({
      state: 'completed',
      job_id: jobs.at(-1)?._id,
      series: { ended: 'exhausted', found: 24 },
    })
    expect(others).toEqual([])
    const monitor = await monitorsOf(db).findOne({ _id: monitor_id })
    expect(monitor).toMatchObject({ compared_at: series.at, whole_runs: 1, failures: 0 })
    expect(await seriesPlacesOf(db).countDocuments({ series_id: series._id })).toBe(0)
  }
  expect(crashes).toBeGreaterThanOrEqual(ROUNDS)
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
    const [run] = await world.runs.latest(monitor_id, 1)
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
  expect((await world.runs.latest(monitor_id, 1))[0]).toMatchObject({
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
    set: { paused: true, pause_reason: 'x' },
  })
  const [job] = await world.jobs(monitor_id)
  await world.coordinator.recordRunEnd(await work(job ?? expect.fail('no job')))
  await world.sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(2)
})
