import { monitorsOf, runsOf } from '@placefleet/coordinator/monitors/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { afterAll, expect, test } from 'vitest'
import { placeOf } from '../../harness/agents/scripted-collector.ts'
import { HOUR, startMonitorWorld } from './monitor-world.ts'

const world = await startMonitorWorld((end) => afterAll(end))
world.expectError('was not compared')
const { clock, db, pass, sweep } = world

const MINUTE = 60_000

/** A monitor whose first run has ended, with a place that cannot be compared. */
async function withBrokenRun() {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  pass(HOUR)
  await sweep()
  const [job] = await world.jobs(monitor_id)
  const job_id = job?._id ?? expect.fail('no job')
  const { place_key, ...place } = placeOf(1)
  const broken = { _id: Date.now() * 1_000, user_id, job_id, position: 1, place_key }
  await db.collection<{ _id: number }>('results').insertOne(broken)
  await world.end(job_id, 'completed')
  const run = async () => (await runsOf(db).findOne({ monitor_id, job_id })) ?? expect.fail('no run')
  const mend = () => resultsOf(db).updateOne({ _id: broken._id }, { $set: { place } })
  return { user_id, monitor_id, ended_at: clock.now, run, mend }
}

test('a run that cannot be compared ends, its monitor goes on, and it is compared later', async () => {
  const { user_id, monitor_id, run, mend } = await withBrokenRun()
  expect(await run()).toMatchObject({ state: 'completed' })
  expect(await run()).not.toHaveProperty('active')
  expect((await world.find(user_id, monitor_id)).compared_at).toBeUndefined()

  await mend()
  pass(MINUTE)
  await sweep()
  expect(await run()).not.toHaveProperty('due_at')
  expect((await world.find(user_id, monitor_id)).compared_at).toEqual((await run()).began_at)

  pass(HOUR)
  await sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(2)
})

test('the comparison is tried again after a minute, then more and more rarely, for a day', async () => {
  const { monitor_id, ended_at, run } = await withBrokenRun()
  await monitorsOf(db).updateOne({ _id: monitor_id }, { $unset: { due_at: '' } }) // no further runs
  const tries: number[] = []
  for (;;) {
    const { due_at } = await run()
    if (!due_at) break
    tries.push((due_at.getTime() - ended_at.getTime()) / MINUTE)
    pass(due_at.getTime() - clock.now.getTime())
    await sweep()
  }
  expect(tries.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 124])
  expect(tries.at(-1)).toBeGreaterThan(24 * 60)
  expect(tries.length).toBeLessThan(40)
})
