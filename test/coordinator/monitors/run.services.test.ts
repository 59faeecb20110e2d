import { runNow } from '@placefleet/coordinator/monitors/change'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { afterAll, expect, test } from 'vitest'
import { HOUR, startMonitorWorld } from './monitor-world.ts'

const world = await startMonitorWorld((end) => afterAll(end))
const { clock, pass, sweep, monitors } = world

const states = async (monitor_id: string) => (await monitors.latestRuns(monitor_id, 50)).map(({ state }) => state)

test('each due time creates one job; a due time while a job runs is listed as skipped', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  await sweep()
  expect(await world.jobs(monitor_id)).toEqual([])

  pass(HOUR)
  await Promise.all([sweep(), sweep()])
  const [job] = await world.jobs(monitor_id)
  expect(job).toMatchObject({ user_id, monitor: { id: monitor_id, at: clock.now }, listed: true })

  pass(HOUR)
  await sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(1)
  expect(await states(monitor_id)).toEqual(['skipped_overlap', 'started'])
  expect((await world.find(user_id, monitor_id)).last_run).toMatchObject({ state: 'skipped_overlap' })

  await world.end(job?._id ?? '', 'completed')
  pass(HOUR)
  await sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(2)
  expect(await states(monitor_id)).toEqual(['started', 'skipped_overlap', 'completed'])
})

test('after an outage the last missed run is caught up, and the others are shown as missed', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  pass(4.5 * HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual(['started', 'missed', 'missed', 'missed'])
  expect(await world.jobs(monitor_id)).toHaveLength(1)
})

/** A webhook of a user that wants to know of pauses, and the payloads that it was sent. */
async function pauseWebhook(user_id: string) {
  const now = new Date()
  const webhook = {
    user_id,
    name: 'w',
    url: 'https://example.com/',
    sealed_secret: '',
    health_state: 'healthy' as const,
  }
  const counts = { consecutive_failures: 0, created_at: now, updated_at: now, slot: 1 }
  const [wanting, usual] = [crypto.randomUUID(), crypto.randomUUID()]
  await webhooksOf(world.db).insertMany([
    { ...webhook, ...counts, _id: wanting, event_types: ['monitor.paused'] },
    { ...webhook, ...counts, _id: usual, slot: 2 },
  ])
  return async () => {
    const sent = await deliveriesOf(world.db).find({ user_id, event_type: 'monitor.paused' }).toArray()
    for (const { webhook_id } of sent) expect(webhook_id).toBe(wanting)
    return sent.map(({ body }) => JSON.parse(body))
  }
}

test('a monitor is paused when the credits do not cover the likely least, and says so', async () => {
  const user_id = await world.user(0.000001)
  const monitor_id = await world.hourly(user_id)
  const sent = await pauseWebhook(user_id)
  pass(HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual(['skipped_credits'])
  const monitor = await world.find(user_id, monitor_id)
  expect(monitor).toMatchObject({ paused: true, pause_reason: expect.stringContaining('insufficient_credits') })
  expect(monitor).not.toHaveProperty('due_at')
  const reason = monitor.pause_reason
  expect(await sent()).toEqual([
    {
      event_type: 'monitor.paused',
      monitor_id,
      monitor_name: 'm',
      reason,
      paused_at: monitor.paused_at?.toISOString(),
    },
  ])
  expect(await world.jobs(monitor_id)).toEqual([])
})

test('a monitor is paused after three failures in a row', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const sent = await pauseWebhook(user_id)
  for (const status of ['failed', 'failed', 'completed', 'failed', 'failed', 'failed'] as const) {
    expect((await world.find(user_id, monitor_id)).paused).toBeUndefined()
    pass(HOUR)
    await sweep()
    await world.end((await world.jobs(monitor_id)).at(-1)?._id ?? '', status)
  }
  expect(await world.find(user_id, monitor_id)).toMatchObject({ paused: true, pause_reason: /^failures/ })
  pass(HOUR)
  await sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(6)
  expect(await sent()).toMatchObject([{ event_type: 'monitor.paused', monitor_id }])
})

test('a job that cannot be created for now is tried again, until the next run is due', async () => {
  const user_id = await world.user()
  const others = [0, 1, 2, 3, 4].map(() => world.hourly(user_id))
  const busy = await Promise.all(others)
  pass(HOUR)
  await sweep() // five jobs, the most of a free user
  const monitor_id = await world.hourly(user_id)
  pass(HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual([])

  await world.end((await world.jobs(busy[0] ?? ''))[0]?._id ?? '', 'completed')
  await monitors.change(user_id, busy[0] ?? '', { $unset: { due_at: '' } })
  pass(31_000)
  await sweep()
  expect(await states(monitor_id)).toEqual(['started'])
})

test('a job that could not be created until the next run is due is shown as skipped, and the next one is tried', async () => {
  const user_id = await world.user()
  for (let nth = 0; nth < 5; nth++) await world.hourly(user_id)
  pass(HOUR)
  await sweep() // five jobs, the most of a free user
  const monitor_id = await world.hourly(user_id)
  pass(HOUR)
  await sweep()
  pass(HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual(['skipped_limit'])

  await sweep()
  expect(await world.find(user_id, monitor_id)).toMatchObject({ starting: { at: clock.now } })
})

test('a run that has ended is not shown as started when the note of its start is written again', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const at = clock.now
  await monitors.recordEnd(monitor_id, { at, state: 'completed', job_id: 'job' })
  const unrecorded = [{ at, state: 'started', job_id: 'job' } as const]
  await monitors.recordRuns({ ...(await world.find(user_id, monitor_id)), unrecorded })
  expect(await states(monitor_id)).toEqual(['completed'])
})

test('a monitor runs at once when asked to, unless it runs', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const deps = { ...world.coordinator, allowHosts: new Set<string>() }
  const job_id = await runNow(deps, user_id, monitor_id)
  expect((await world.jobs(monitor_id)).map(({ _id }) => _id)).toEqual([job_id])
  expect(await states(monitor_id)).toEqual(['started'])
  await expect(runNow(deps, user_id, monitor_id)).rejects.toMatchObject({ code: 'conflict' })
  await expect(runNow(deps, crypto.randomUUID(), monitor_id)).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  ['between two jobs of a series', (at: Date) => ({ continuing: { at, number: 2 } })],
  ['while the job of a due run is created', (at: Date) => ({ starting: { at } })],
])('a monitor cannot be run %s', async (_, between) => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  await monitors.change(user_id, monitor_id, { $set: between(clock.now) })
  const deps = { ...world.coordinator, allowHosts: new Set<string>() }
  await expect(runNow(deps, user_id, monitor_id)).rejects.toMatchObject({ code: 'conflict' })
  expect(await world.jobs(monitor_id)).toEqual([])
})
