import { afterAll, expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { crashingDb, mayCrash, WRITES } from '../billing/crashing-db.ts'
import { HOUR, startMonitorWorld } from './monitor-world.ts'

/** 500 in the run of many. */
const OCCURRENCES = volume(8, 500)

const LOOK_AGAIN_MS = 61_000

const world = await startMonitorWorld((end) => afterAll(end))
world.expectError('tried again')

test('two coordinators that die around due times run each occurrence once, or show that it was skipped', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  let crashes = 0
  const onCrash = () => void crashes++
  const crashing = (calls: number) => crashingDb(world.db, { calls, written: calls % 2 === 0, onCrash }, WRITES)
  let seed = 1
  const dice = (sides: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % sides
  }
  for (let occurrence = 1; occurrence <= OCCURRENCES; occurrence++) {
    world.pass(HOUR - dice(2) * LOOK_AGAIN_MS)
    for (const _ of [0, 1]) {
      const dying = await Promise.all([0, 1].map(() => world.coordinatorOver(crashing(1 + dice(14)))))
      await Promise.all(dying.map((one) => mayCrash(world.sweep(one))))
      await world.giveUpCreations()
      world.pass(LOOK_AGAIN_MS)
    }
    await world.sweep()
    for (const { _id, status } of await world.jobs(monitor_id)) {
      if (status === 'pending' && dice(4) > 0) await world.end(_id, 'completed', dice(2) > 0)
    }
  }
  world.pass(2 * LOOK_AGAIN_MS)
  await world.sweep()

  const monitor = await world.find(user_id, monitor_id)
  const runs = (await world.runs.latest(monitor_id, 1_000)).toReversed()
  const jobs = await world.jobs(monitor_id)
  const due = (monitor.watermark.getTime() - monitor.anchor.getTime()) / HOUR
  expect(runs.map(({ at }) => at.getTime())).toEqual(
    Array.from({ length: due }, (_, index) => monitor.anchor.getTime() + (index + 1) * HOUR),
  )
  const started = runs.filter(({ job_id }) => job_id !== undefined)
  expect(started.map(({ job_id }) => job_id)).toEqual(jobs.map(({ _id }) => _id))
  expect(new Set(jobs.map((job) => job.monitor?.at.getTime())).size).toBe(jobs.length)
  expect(due).toBeGreaterThanOrEqual(OCCURRENCES)
  expect(crashes).toBeGreaterThanOrEqual(OCCURRENCES / 2)
}, 600_000)
