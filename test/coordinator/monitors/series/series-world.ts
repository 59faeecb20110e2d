import { cellKey, cellsOf } from '@placefleet/coordinator/coverage/documents'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { type MonitorDocument, monitorsOf } from '@placefleet/coordinator/monitors/documents'
import { seriesOf } from '@placefleet/coordinator/monitors/series/documents'
import { referencesOf, type TaskDocument, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { quarters } from '@placefleet/shared/cell'
import { CreateJobRequest } from '@placefleet/shared/job'
import { expect } from 'vitest'
import { HOUR, startMonitorWorld } from '../monitor-world.ts'

/** After this long another coordinator looks at a monitor. */
const LOOK_AGAIN_MS = 61_000
/** The most places of a job. */
const CAP = 5
/** The places of each cell. */
const PLACES_A_CELL = 6
/** The cells of the area. */
export const CELLS = quarters({ south: 52, north: 52.1, west: 13, east: 13.2 })

type World = Awaited<ReturnType<typeof startMonitorWorld>>

/** Runs a step of a coordinator, which may die on the way. */
export type Attempt = (step: (by: World['coordinator']) => Promise<void>) => Promise<void>

type Stored = { _id: string; job_id: string; position: number; place_key: string; place: object }

/** Returns the places of a cell. */
export const keysIn = (cell: number) => Array.from({ length: PLACES_A_CELL }, (_, n) => `0x${cell}:0x${n}`)

/** Coordinators without agents whose monitors exhaust an area. The world searches and collects like agents. */
export async function startSeriesWorld(whenOver: (end: () => Promise<void>) => void) {
  const world = await startMonitorWorld(whenOver)
  const { db } = world
  const results = db.collection<Stored>('results')
  const work = (job: JobDocument) => workOn(world, job)
  return { ...world, results, work, exhausting: creator(world), runSeries: runner(world, work) }
}

/** Returns the function that creates a monitor that exhausts its area, and is due in a week. */
const creator =
  (world: World) =>
  async (user_id: string, max_cost?: string): Promise<string> => {
    const monitor_id = await world.hourly(user_id)
    const area = { lat: '52.05', lon: '13.1', radius: 7_000, max_results: CAP }
    const { proxies: _, ...job } = CreateJobRequest.parse({ name: 'j', keywords: ['bakery'], language: 'en', ...area })
    const change: Partial<MonitorDocument> = {
      job,
      exhaust: true,
      schedule: { every: '7d' },
      ...(max_cost !== undefined && { max_cost }),
    }
    await monitorsOf(world.db).updateOne({ _id: monitor_id }, { $set: change })
    return monitor_id
  }

/** Searches and collects for a job as agents do, and ends it. A second call returns the ended job. */
async function workOn(world: World, job: JobDocument): Promise<JobDocument> {
  const { _id: job_id, held, prices } = job
  const { db } = world
  await searchFor(world, job)
  const listed = await referencesOf(db).find({ job_id }).sort({ position: 1 }).toArray()
  const affordable = Math.floor((held - prices.job_start) / prices.place_scraped)
  const stored = listed.slice(0, Math.min(CAP, affordable))
  for (const [index, { place_key }] of stored.entries()) {
    const _id = `${job_id} ${place_key}`
    await db
      .collection<Stored>('results')
      .updateOne(
        { _id },
        { $set: { job_id, position: index + 1, place_key, place: { title: place_key } } },
        { upsert: true },
      )
  }
  const ended = {
    phase: 'closing' as const,
    end: 'completed' as const,
    status: 'completed' as const,
    ended_at: new Date(),
    totals: { places: stored.length, reviews: 0, images: 0 },
    total_cost: prices.job_start + stored.length * prices.place_scraped,
    ...(affordable < Math.min(CAP, listed.length) && { spent: true as const }),
  }
  await tasksOf(db).updateMany(
    { job_id, state: 'waiting' },
    { $set: { state: collected(stored.length, listed.length) } },
  )
  const update = { $set: ended, $unset: { slot: '' as const } }
  return (await jobsOf(db).findOneAndUpdate({ _id: job_id }, update, { returnDocument: 'after' })) ?? job
}

async function searchFor({ db, coordinator }: World, { _id: job_id, monitor }: JobDocument): Promise<void> {
  const series_id = `${monitor?.id} ${monitor?.at.toISOString()}`
  for (const { parts } of await tasksOf(db).find({ job_id, kind: 'discover' }).toArray()) {
    const asked = new Set([...(parts?.cells ?? []), ...(parts?.again ?? [])].map(cellKey))
    for (const [nth, bounds] of CELLS.entries()) {
      if (asked.size > 0 && !asked.has(cellKey(bounds))) continue
      const _id = `${job_id} bakery ${cellKey(bounds)}`
      const search = { job_id, keyword: 'bakery', bounds, state: 'searched' as const, places: PLACES_A_CELL }
      await cellsOf(db).updateOne({ _id }, { $set: { ...search, looks: { 0: keysIn(nth) } } }, { upsert: true })
      const settled = await coordinator.series.settledAmong(series_id, keysIn(nth))
      const fresh = keysIn(nth).filter((key) => !settled.has(key))
      await createReferences(db).add(
        job_id,
        fresh.map((place_key) => ({ place_key })),
      )
    }
  }
}

/** A task counts as done when all of its places were collected. */
const collected = (stored: number, listed: number): TaskDocument['state'] => (stored === listed ? 'done' : 'cancelled')

/** Returns the function that runs a monitor until its series has ended. */
const runner =
  (world: World, work: (job: JobDocument) => Promise<JobDocument>) => async (monitor_id: string, attempt: Attempt) => {
    const { db } = world
    world.pass(7 * 24 * HOUR)
    for (let step = 0; step < 40; step++) {
      await attempt((by) => world.sweep(by))
      await world.giveUpCreations()
      world.pass(LOOK_AGAIN_MS)
      await world.sweep()
      for (const job of await jobsOf(db)
        .find({ 'monitor.id': monitor_id, listed: true, phase: { $ne: 'ended' } })
        .toArray()) {
        const ended = job.status === 'pending' ? await work(job) : job
        await attempt((by) => by.recordRunEnd(ended))
        await world.coordinator.recordRunEnd(ended)
        await jobsOf(db).updateOne({ _id: job._id }, { $set: { phase: 'ended' } })
      }
      const series = await seriesOf(db).findOne({ monitor_id }, { sort: { at: -1 } })
      if (series?.ended && !(await world.runs.active(monitor_id))) return series
    }
    return expect.fail('the series did not end')
  }
