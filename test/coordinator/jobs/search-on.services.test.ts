import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { monitorsOf } from '@placefleet/coordinator/monitors/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { CreateJobRequest } from '@placefleet/shared/job'
import { afterAll, expect, test } from 'vitest'
import { workOn } from '../../harness/coordinator/work-on.ts'
import { HOUR } from '../monitors/monitor-world.ts'
import { AREA, PLACES, runTask, startAreaWorld } from './area-world.ts'

const world = await startAreaWorld((end) => afterAll(end))
const { db, coordinator, create, released, runJob } = world

const keysOf = (job_id: string) => resultsOf(db).distinct('place_key', { job_id, place_key: { $exists: true } })
const searchesOf = (job_id: string) => tasksOf(db).find({ job_id, kind: 'discover' }).sort({ ordinal: 1 }).toArray()

test('a job stores each place of its area once, and ends exhausted', async () => {
  const job = await runJob(await create())
  const { job_start, place_scraped } = job.prices
  expect(job).toMatchObject({ status: 'completed', totals: { places: PLACES.length } })
  expect(job).not.toHaveProperty('partial')
  expect(job.estimate).toMatchObject({ low: PLACES.length })
  expect(job.total_cost).toBe(job_start + PLACES.length * place_scraped)
  expect(await resultsOf(db).countDocuments({ job_id: job._id, place_key: { $exists: true } })).toBe(PLACES.length)
  expect((await keysOf(job._id)).toSorted()).toEqual(PLACES.map(({ place_key }) => place_key).toSorted())
})

test('after three failed searches the map site counts as blocked, and the job ends with what it has', async () => {
  const job_id = await create()
  const failing = async () => {
    const searches = { job_id, kind: 'discover', state: 'released', ordinal: { $gt: 0 } } as const
    const failure = { code: 'blocked', message: 'the site refused' } as const
    await tasksOf(db).updateMany(searches, { $set: { state: 'failed', failure } })
  }
  const job = await runJob(job_id, failing)
  expect(job).toMatchObject({ status: 'completed', partial: true, partial_reason: 'blocked' })
  expect(await searchesOf(job_id)).toHaveLength(4)
  expect(job).not.toHaveProperty('estimate')
})

/** What a monitor keeps of its first whole run of 45 places. */
const AFTER_FIRST_RUN = { known: 45, share: 1, product: 1 }

test('a run of a monitor with exhaust is one job, and what it missed counts only when it was exhausted', async () => {
  const monitor_id = await world.hourly(await world.user())
  const { proxies: _, ...job } = CreateJobRequest.parse({
    name: 'j',
    keywords: ['bakery'],
    language: 'en',
    exhaust: true,
    max_cost: '0.9',
    ...AREA,
  })
  await monitorsOf(db).updateOne({ _id: monitor_id }, { $set: { job } })
  const run = async () => {
    world.pass(HOUR)
    await world.sweep()
    return (await world.jobs(monitor_id)).at(-1)?._id ?? expect.fail('no job')
  }
  await runJob(await run())
  expect(await world.runs.latest(monitor_id, 2)).toMatchObject([{ state: 'completed', figures: { places: 45 } }])
  expect(await monitorsOf(db).findOne({ _id: monitor_id })).toMatchObject({ misses: AFTER_FIRST_RUN })

  const late = await run()
  await coordinator.engine.reconcile(late)
  for (const task of await released(late)) await runTask(coordinator, task)
  await jobsOf(db).updateOne({ _id: late }, { $set: { deadline_at: new Date(0) } })
  await workOn(db, coordinator, late)
  expect((await world.runs.latest(monitor_id, 2)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  expect(await monitorsOf(db).findOne({ _id: monitor_id })).toMatchObject({ misses: AFTER_FIRST_RUN })
})
