import { backUp } from '@placefleet/coordinator/backup/backup'
import { restore } from '@placefleet/coordinator/backup/restore'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { monitorsOf, runsOf } from '@placefleet/coordinator/monitors/documents'
import { seriesOf } from '@placefleet/coordinator/monitors/series/documents'
import { indexes } from '@placefleet/coordinator/services'
import type { Collection, Db } from 'mongodb'
import { afterAll, expect, test } from 'vitest'
import { temporaryDir } from '../../../harness/temporary-dir.ts'
import { volume } from '../../../harness/volume.ts'
import { HOUR } from '../monitor-world.ts'
import { CELLS, keysIn, startSeriesWorld } from './series-world.ts'

/** 200 in the run of many. */
const BACKUPS = volume(1, 200)

/** How many reads of a backup come before those of tasks and places. The series progresses before one of them. */
const FIRST_READS = 16

const LOOK_AGAIN_MS = 61_000
const WEEK = 7 * 24 * HOUR

type World = Awaited<ReturnType<typeof startSeriesWorld>>

const [source, target] = [
  await startSeriesWorld((end) => afterAll(end)),
  await startSeriesWorld((end) => afterAll(end)),
]

/** Ends a job as the engine does: it is billed, its monitor is told, and it is closed. */
async function close({ db, coordinator }: World, job: JobDocument): Promise<void> {
  const { _id: job_id, user_id, name, total_cost: total = 0 } = job
  await coordinator.holds.settle({ user_id, job_id, job_name: name, total })
  await coordinator.recordRunEnd(job)
  await jobsOf(db).updateOne({ _id: job_id }, { $set: { phase: 'ended' } })
}

const openJobs = ({ db }: World) =>
  jobsOf(db)
    .find({ listed: true, phase: { $ne: 'ended' } })
    .toArray()

/** Does the next of three steps: coordinators look at monitors, agents work, jobs end. */
async function doStep(world: World, step: number): Promise<void> {
  if (step % 3 === 0) {
    world.pass(LOOK_AGAIN_MS)
    return world.sweep()
  }
  for (const job of await openJobs(world)) {
    if (step % 3 === 1 && job.status === 'pending') await world.work(job)
    if (step % 3 === 2 && job.status === 'completed') await close(world, job)
  }
}

/** Does steps until nothing is left to do. */
async function settleDown(world: World, monitor_id: string): Promise<void> {
  for (let step = 0; step < 120; step++) {
    await doStep(world, step)
    const isIdle = (await world.runs.active(monitor_id)) === undefined
    if (step > 2 && isIdle && (await openJobs(world)).length === 0) return
  }
  expect.fail('the series did not end')
}

/** Returns a database that takes a step each time that a query begins to read a collection. */
function busyDb(db: Db, onRead: () => Promise<void>): Db {
  const busy = (collection: Collection) =>
    new Proxy(collection, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name)
        if (typeof member !== 'function') return member
        if (name !== 'find') return member.bind(of)
        return async function* read(...given: unknown[]) {
          await onRead()
          yield* member.apply(of, given)
        }
      },
    })
  return new Proxy(db, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name)
      if (name === 'collection') return (called: string) => busy(of.collection(called))
      return typeof member === 'function' ? member.bind(of) : member
    },
  })
}

async function empty({ db }: World): Promise<void> {
  for (const { name } of await db.listCollections().toArray()) await db.collection(name).deleteMany({})
}

/** Expects that all series have ended, and that those that ended well stored each place of the area once. */
async function expectWholeSeries({ db, results, runs: all }: World, monitor_id: string): Promise<void> {
  const runs = await all.latest(monitor_id, 10)
  expect(runs.map(({ state }) => state)).not.toContain('started')
  for (const series of await seriesOf(db).find({ monitor_id }).toArray()) {
    expect(series).toMatchObject({ ended: 'exhausted' })
    const stored = await results.find({ job_id: { $in: series.jobs } }).toArray()
    expect(stored.map(({ place_key }) => place_key).toSorted()).toEqual(
      CELLS.flatMap((_, cell) => keysIn(cell)).toSorted(),
    )
  }
}

test('a series that a backup caught at any moment ends after the restore, and stores each place once', async () => {
  let seed = 9
  const dice = (sides: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % sides
  }
  for (let nth = 0; nth < BACKUPS; nth++) {
    const dir = temporaryDir()
    const monitor_id = await source.exhausting(await source.user())
    source.pass(WEEK)
    let step = 0
    for (const before = dice(15); step < before; step++) await doStep(source, step)
    const [busyRead, steps, late] = [dice(FIRST_READS), 1 + dice(20), dice(2)]

    let reads = 0
    const progress = async () => {
      if (reads++ !== busyRead) return
      for (const end = step + steps; step < end; step++) await doStep(source, step)
    }
    await backUp(busyDb(source.db, progress), dir)
    await restore(target.db, dir, indexes)
    target.clock.now = new Date(source.clock.now.getTime() + late * 2 * 24 * HOUR)

    await settleDown(target, monitor_id)
    await expectWholeSeries(target, monitor_id)
    for (const world of [source, target]) await empty(world)
  }
}, 600_000)

/** Leaves a monitor as it was, while its series progresses. */
async function keepMonitor(monitor_id: string): Promise<void> {
  const before = (await monitorsOf(target.db).findOne({ _id: monitor_id })) ?? expect.fail('the monitor is gone')
  for (let step = 4; step < 10; step++) await doStep(target, step)
  await monitorsOf(target.db).replaceOne({ _id: monitor_id }, before)
}

test('a restored monitor goes on when its job or series is missing, when its series is ahead, or when it knows of no run', async () => {
  const restored = [
    { steps: 4, change: (monitor_id: string) => jobsOf(target.db).deleteMany({ 'monitor.id': monitor_id }) },
    { steps: 3, change: (monitor_id: string) => seriesOf(target.db).deleteMany({ monitor_id }) },
    { steps: 4, change: keepMonitor },
    { steps: 4, change: (monitor_id: string) => runsOf(target.db).deleteMany({ monitor_id }) },
  ]
  for (const { steps, change } of restored) {
    const monitor_id = await target.exhausting(await target.user())
    target.pass(WEEK)
    for (let step = 0; step < steps; step++) await doStep(target, step)
    await change(monitor_id)

    await settleDown(target, monitor_id)

    const [run] = await target.runs.latest(monitor_id, 1)
    expect(run).toMatchObject({ state: 'completed', series: { ended: 'exhausted' } })
    await empty(target)
  }
})
