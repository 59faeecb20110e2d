import { createApiKey } from '@placefleet/coordinator/accounts/store'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { changeMonitor, deleteMonitor } from '@placefleet/coordinator/monitors/change'
import { watchedPlacesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { monitorsOf, runsOf } from '@placefleet/coordinator/monitors/documents'
import { presentRun } from '@placefleet/coordinator/monitors/present'
import { removeOldRecords } from '@placefleet/coordinator/monitors/removal'
import { runNow } from '@placefleet/coordinator/monitors/run-now'
import { occurrencesAfter } from '@placefleet/coordinator/monitors/schedule'
import { timingOf } from '@placefleet/coordinator/monitors/store'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { afterAll, expect, test } from 'vitest'
import { placeOf } from '../../harness/agents/scripted-collector.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { HOUR, startMonitorWorld } from './monitor-world.ts'

const world = await startMonitorWorld((end) => afterAll(end))
world.expectError('was not compared')
const { clock, pass, sweep, runs } = world
const deps = { ...world.coordinator, allowHosts: new Set<string>() }

/** The latest runs of a monitor: the state, and of skipped ones the reason. */
const states = async (monitor_id: string) =>
  (await runs.latest(monitor_id, 50)).map(({ state, reason }) => (state === 'skipped' ? reason?.split(':')[0] : state))

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
  expect(await states(monitor_id)).toEqual(['overlap', 'started'])

  await world.end(job?._id ?? '', 'completed')
  pass(HOUR)
  await sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(2)
  expect(await states(monitor_id)).toEqual(['started', 'overlap', 'completed'])
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
    const sent = await deliveriesOf(world.db).find({ user_id, event_type: 'monitor.paused' }, SCAN).toArray()
    for (const { webhook_id } of sent) expect(webhook_id).toBe(wanting)
    return sent.map(({ body }) => JSON.parse(body))
  }
}

test.each([
  ['the credits do not cover the likely least', 'insufficient_credits', 0.000001, undefined],
  ['its key has reached its limit', 'key_limit', undefined, { day: '0.000001' }],
])('a monitor is paused when %s, and says so', async (_, code, credits, limits) => {
  const user_id = await world.user(credits)
  const key = limits && (await createApiKey(world.db, user_id, { name: 'limited', limits })).document
  const monitor_id = await world.hourly(user_id, key ? { key_id: key._id } : {})
  const sent = await pauseWebhook(user_id)
  pass(HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual([code])
  const monitor = await world.find(user_id, monitor_id)
  expect(monitor).toMatchObject({ paused: true, pause_reason: expect.stringContaining(`${code}: `) })
  expect(monitor).not.toHaveProperty('due_at')
  const { pause_reason: reason, paused_at } = monitor
  const told = { monitor_id, monitor_name: 'm', reason, paused_at: paused_at?.toISOString() }
  expect(await sent()).toEqual([{ event_type: 'monitor.paused', ...told }])
  expect(await world.jobs(monitor_id)).toEqual([])
})

test('a pause that a crash kept from being told is told by the next sweep', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const sent = await pauseWebhook(user_id)
  await sweep()
  await world.monitors.pause(monitor_id, 'key_limit: too much')
  await sweep()
  expect(await sent()).toMatchObject([{ event_type: 'monitor.paused', monitor_id, reason: 'key_limit: too much' }])
  expect(await world.find(user_id, monitor_id)).not.toHaveProperty('due_at')
})

test('a pause is told once, whatever happens to its monitor later', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const sent = await pauseWebhook(user_id)
  await world.monitors.pause(monitor_id, 'key_limit: too much')
  await sweep()
  expect(await sent()).toHaveLength(1)

  await deliveriesOf(world.db).deleteMany({ user_id }, SCAN) // after 30 days
  const change = (request: object) => changeMonitor(deps, user_id, monitor_id, request)
  await change({ name: 'renamed' })
  await sweep()
  expect(await sent()).toEqual([])

  pass(1)
  for (const paused of [false, true, false]) await change({ paused })
  await world.monitors.pause(monitor_id, 'key_limit: again')
  await sweep()
  expect(new Set((await sent()).map(({ reason }) => reason))).toEqual(new Set(['key_limit: again']))
})

test('a monitor is paused after three failures in a row; a cancelled run between them counts as neither', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const sent = await pauseWebhook(user_id)
  for (const status of ['failed', 'failed', 'completed', 'failed', 'failed', 'cancelled', 'failed'] as const) {
    expect((await world.find(user_id, monitor_id)).paused).toBeUndefined()
    pass(HOUR)
    await sweep()
    await world.end((await world.jobs(monitor_id)).at(-1)?._id ?? '', status)
  }
  expect(await world.find(user_id, monitor_id)).toMatchObject({ paused: true, pause_reason: /^failures/ })
  pass(HOUR)
  await sweep()
  expect(await world.jobs(monitor_id)).toHaveLength(7)
  expect(await sent()).toMatchObject([{ event_type: 'monitor.paused', monitor_id }])
})

/** A monitor whose run is due while its user has five jobs, the most of a free user. */
async function dueWhileBusy(change?: Parameters<typeof world.monitors.change>[2]) {
  const user_id = await world.user()
  const busy = await Promise.all([0, 1, 2, 3, 4].map(() => world.hourly(user_id)))
  pass(HOUR)
  await sweep()
  const monitor_id = await world.hourly(user_id)
  if (change) await world.monitors.change(user_id, monitor_id, change)
  pass(HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual(['due'])
  const endOneJob = async () => {
    await monitorsOf(world.db).updateMany({ _id: { $in: busy } }, { $unset: { due_at: '' } })
    await world.end((await world.jobs(busy[0] ?? ''))[0]?._id ?? '', 'completed')
  }
  return { monitor_id, endOneJob }
}

test('a job that cannot be created for now is tried again, until the next run is due', async () => {
  const { monitor_id, endOneJob } = await dueWhileBusy()
  await endOneJob()
  pass(31_000)
  await sweep()
  expect(await states(monitor_id)).toEqual(['started'])
})

test('a job that could not be created until the next run is due is shown as skipped, and the next one is tried', async () => {
  const { monitor_id } = await dueWhileBusy()
  pass(HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual(['due', 'concurrent_job_limit'])
  expect(await runs.active(monitor_id)).toMatchObject({ state: 'due', at: clock.now })
})

test('the last run before the end of a monitor is tried again until its job can be created', async () => {
  const ends_at = new Date(clock.now.getTime() + 2.5 * HOUR)
  const { monitor_id, endOneJob } = await dueWhileBusy({ set: { ends_at } })
  await endOneJob()
  pass(2 * HOUR)
  await sweep()
  expect(await states(monitor_id)).toEqual(['started'])
})

test('a run whose end is told again late stays as it ended', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  pass(HOUR)
  await sweep()
  const [job] = await world.jobs(monitor_id)
  await world.end(job?._id ?? '', 'failed')
  const [ended] = await runs.latest(monitor_id, 1)
  pass(60_000)
  await world.end(job?._id ?? '', 'failed')
  expect(await runs.latest(monitor_id, 1)).toEqual([ended])
  expect(await world.find(user_id, monitor_id)).toMatchObject({ failures: 1 })
})

test('an occurrence that a jitter delays follows a run by hand that began before it', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const monitor = await changeMonitor(deps, user_id, monitor_id, { jitter_seconds: 900 })
  const due = occurrencesAfter(timingOf(monitor), clock.now, 1)[0]?.due_at ?? expect.fail('no occurrence')
  pass(due.getTime() - clock.now.getTime() - 1)
  await runNow(world.coordinator, user_id, monitor_id)
  const [byHand] = await world.jobs(monitor_id)
  await world.end(byHand?._id ?? '', 'completed')
  pass(1)
  await sweep()

  const [late] = (await world.jobs(monitor_id)).filter(({ _id }) => _id !== byHand?._id)
  expect(late?.monitor?.at.getTime()).toBeLessThan(byHand?.monitor?.at.getTime() ?? 0)
  expect(late?.monitor?.began_at).toEqual(due)
  await world.end(late?._id ?? '', 'failed')
  expect(await world.find(user_id, monitor_id)).toMatchObject({ failures: 1, counted_at: due })
})

test('a monitor cannot be run while the job of a due run is created', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const [monitor, at] = [await world.find(user_id, monitor_id), new Date(clock.now.getTime() - 1)]
  await runs.begin(monitor, { at, due_at: at }, at)
  await expect(runNow(world.coordinator, user_id, monitor_id)).rejects.toMatchObject({ code: 'run_in_progress' })
  expect(await world.jobs(monitor_id)).toEqual([])
})

test('a run by hand that is refused leaves nothing', async () => {
  const user_id = await world.user(0.000001)
  const monitor_id = await world.hourly(user_id)
  const refused = runNow(world.coordinator, user_id, monitor_id, 'key')
  await expect(refused).rejects.toMatchObject({ code: 'insufficient_credits' })
  expect(await states(monitor_id)).toEqual([])
  expect(await world.find(user_id, monitor_id)).not.toHaveProperty('paused')
})

test('a repeated Idempotency-Key gets the same run, within 24 hours and for the same monitor', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const run = (of = monitor_id) => runNow(world.coordinator, user_id, of, 'key')
  const { job_id } = await run()
  await world.end(job_id, 'completed')
  expect(await run()).toEqual({ job_id, replayed: true })
  await expect(run(await world.hourly(user_id))).rejects.toMatchObject({
    code: 'idempotency_key_in_use_with_different_body',
  })
  expect(await world.jobs(monitor_id)).toHaveLength(1)
  await monitorsOf(world.db).updateMany({ user_id }, { $unset: { due_at: '' } }, SCAN)
  pass(25 * HOUR)
  expect(await run()).toMatchObject({ replayed: false })
  expect(await world.jobs(monitor_id)).toHaveLength(2)
})

test('requests with one Idempotency-Key at once begin one run, of one monitor or of two', async () => {
  const user_id = await world.user()
  const [one, other] = [await world.hourly(user_id), await world.hourly(user_id)]
  const asked = [one, one, one, other, other].map((of) => runNow(world.coordinator, user_id, of, 'same'))
  const jobs = (await Promise.allSettled(asked)).flatMap((answer) =>
    answer.status === 'fulfilled' ? [answer.value.job_id] : [],
  )
  expect(new Set(jobs).size).toBe(1)
  expect([...(await world.jobs(one)), ...(await world.jobs(other))].map(({ _id }) => _id)).toEqual([jobs[0]])
})

test('a due run of a monitor that was paused meanwhile gets no job', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const [monitor, at] = [await world.find(user_id, monitor_id), clock.now]
  await runs.begin(monitor, { at, due_at: at }, at)
  await world.monitors.change(user_id, monitor_id, { set: { paused: true, pause_reason: 'holidays' } })
  pass(61_000)
  await sweep()
  expect(await runs.latest(monitor_id, 1)).toMatchObject([{ state: 'skipped', reason: 'paused: holidays' }])
  expect(await world.jobs(monitor_id)).toEqual([])
})

test('a run shows what it found and cost', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const { job_id } = await runNow(world.coordinator, user_id, monitor_id)
  expect((await runs.latest(monitor_id, 1)).map(presentRun)).toMatchObject([
    { state: 'started', due_at: clock.now.toISOString(), places: 0, new: 0, cost: '0.000000' },
  ])
  const totals = { places: 3, reviews: 0, images: 0 }
  await jobsOf(world.db).updateOne({ _id: job_id }, { $set: { totals, total_cost: 16_000 } })
  await world.end(job_id, 'completed')
  expect((await runs.latest(monitor_id, 1)).map(presentRun)).toMatchObject([
    { state: 'completed', job_id, places: 3, new: 0, changed: 0, gone: 0, back: 0, cost: '0.016000' },
  ])
})

test('a deleted monitor is gone at once, and removed once its job has ended', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const { job_id } = await runNow(world.coordinator, user_id, monitor_id)
  await deleteMonitor(deps, user_id, monitor_id)
  expect(await world.monitors.find(user_id, monitor_id)).toBeUndefined()
  expect(await world.monitors.list(user_id)).toEqual([])
  await expect(deleteMonitor(deps, user_id, monitor_id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(runNow(world.coordinator, user_id, monitor_id)).rejects.toMatchObject({ code: 'not_found' })

  pass(2 * HOUR)
  await sweep()
  expect(await world.jobs(monitor_id)).toMatchObject([{ _id: job_id, status: 'pending' }])
  await world.end(job_id, 'completed')
  expect(await watchedPlacesOf(world.db).countDocuments({ monitor_id })).toBe(0)
  pass(61_000)
  await sweep()
  expect(await world.monitors.findAny(monitor_id)).toBeUndefined()
  expect(await states(monitor_id)).toEqual([])

  await world.end(job_id, 'completed') // told again, it writes nothing
  expect(await states(monitor_id)).toEqual([])
})

test('a new schedule and the end of a pause count from now, by the clock of the database', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  await changeMonitor(deps, user_id, monitor_id, { paused: true })
  pass(10.2 * HOUR)
  await sweep()
  const resumed = await changeMonitor(deps, user_id, monitor_id, { paused: false })
  expect(resumed).toMatchObject({ watermark: clock.now, due_at: clock.now })
  expect(resumed).not.toHaveProperty('paused')
  await sweep()
  expect(await states(monitor_id)).toEqual([]) // the missed runs are not made up for
  const changed = await changeMonitor(deps, user_id, monitor_id, { schedule: { every: '2h' } })
  expect(changed).toMatchObject({ watermark: clock.now, anchor: clock.now })
  pass(2 * HOUR)
  await sweep()
  expect(await runs.latest(monitor_id, 5)).toMatchObject([{ state: 'started', at: clock.now }])
})

test('retention removes the runs that ended long ago, and keeps the others', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  const monitor = await world.find(user_id, monitor_id)
  const [old, active, recent] = [new Date(0), new Date(1), new Date()]
  await runs.skip(
    monitor,
    [old, recent].map((at) => ({ at, due_at: at })),
    'overlap: the test.',
  )
  await runs.begin(monitor, { at: active, due_at: active }, active)
  await removeOldRecords(world.coordinator, 30_000)
  expect(await states(monitor_id)).toHaveLength(3)
  await removeOldRecords(world.coordinator, 1_000)
  expect(await states(monitor_id)).toEqual(['overlap', 'due'])
})

test('of pauses and resumes sent together, none leaves a monitor that says it is active and never runs', async () => {
  const user_id = await world.user()
  const monitor_id = await world.hourly(user_id)
  for (let pair = 0; pair < 30; pair++) {
    const sent = [true, false].map((paused) => changeMonitor(deps, user_id, monitor_id, { paused }))
    await Promise.all([...sent, sweep()])
    await sweep()
    const { paused, due_at } = await world.find(user_id, monitor_id)
    expect([paused, due_at?.getTime()]).toEqual(paused ? [true, undefined] : [undefined, clock.now.getTime() + HOUR])
  }
})

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
  await world.db.collection<{ _id: number }>('results').insertOne(broken)
  await world.end(job_id, 'completed')
  const run = async () => (await runsOf(world.db).findOne({ monitor_id, job_id })) ?? expect.fail('no run')
  const mend = () => resultsOf(world.db).updateOne({ _id: broken._id }, { $set: { place } })
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
  await monitorsOf(world.db).updateOne({ _id: monitor_id }, { $unset: { due_at: '' } }) // no further runs
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
