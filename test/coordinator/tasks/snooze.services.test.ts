import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { snoozeTask } from '@placefleet/coordinator/fleet/snooze'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { holdLease, momentNow } from '@placefleet/coordinator/tasks/held-lease'
import { createLeases } from '@placefleet/coordinator/tasks/lease'
import { blockedUntil, isBlocked, isRefused } from '@placefleet/coordinator/tasks/snooze'
import { findTask, insertTasks } from '@placefleet/coordinator/tasks/store'
import { createLogger } from '@placefleet/shared/log'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { knownAgent } from '../../harness/agents/known-agent.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const { db } = await testDatabase()
const tasks = tasksOf(db)
const leases = createLeases(db)

const HOUR = 3_600
const UNTROUBLED = { resting: [], drifted: [] }

async function runningTask(job_id: string, exit: string) {
  await insertTasks(db, [{ job_id, user_id: 'user', kind: 'discover', ordinal: 0, keyword: 'bakery' }])
  const found = await tasks.findOneAndUpdate({ job_id }, { $set: { state: 'released' } })
  const task_id = found?._id ?? expect.fail('no task')
  return { task_id, lease: (await claim(task_id, exit)) ?? lost() }
}

async function claim(task_id: string, exit: string, agent_id = `agent on ${exit}`) {
  const holder = { agent_id, stream: `stream of ${exit}` }
  const task = await leases.claim(task_id, { ...holder, exit })
  return task && { ...holder, task_id, attempt: task.attempt }
}

const lost = () => {
  throw new Error('the task could not be claimed')
}

test('a task that the map site refuses waits until an exit has rested, and spends no attempt', async () => {
  const { task_id, lease } = await runningTask('alone', 'one')
  const snooze = { seconds: HOUR, claimant: 'one', others: [] }
  expect(await leases.snooze(lease, snooze, { blocked: 2 })).toBe(true)
  const task = await findTask(db, task_id)
  expect(task).toMatchObject({ state: 'waiting', failures: 0, outcomes: { blocked: 2 } })
  const waitMs = (task?.not_before?.getTime() ?? 0) - Date.now()
  expect(Math.abs(waitMs - HOUR * 1_000)).toBeLessThan(60_000)
  expect(await blockedUntil(db, 'alone')).toEqual({ until: task?.not_before, reason: 'blocked' })
})

test.each([
  { reasons: ['unknown'], waits: 'unknown' },
  { reasons: ['unknown', 'unknown'], waits: 'unknown' },
  { reasons: ['blocked'], waits: 'blocked' },
  { reasons: ['unknown', 'blocked'], waits: 'blocked' },
  { reasons: [undefined, 'unknown'], waits: 'blocked' },
] as const)('a job whose exits rest for $reasons waits because of "$waits"', async ({ reasons, waits }) => {
  const job_id = `job of ${reasons.join()}`
  const { task_id, lease } = await runningTask(job_id, 'exit 0')
  for (const [nth, reason] of reasons.entries()) {
    if (nth > 0) await tasks.updateOne({ _id: task_id }, { $set: { state: 'released' }, $unset: { not_before: '' } })
    const held = nth === 0 ? lease : await claim(task_id, `exit ${nth}`)
    const others = reasons.map((_, other) => `exit ${other}`)
    const snooze = { seconds: HOUR, claimant: `exit ${nth}`, others, ...(reason && { reason }) }
    await leases.snooze(held ?? lost(), snooze, {})
  }
  expect(await blockedUntil(db, job_id)).toMatchObject({ reason: waits })
})

test('an agent on another exit may take the task at once, and the refused one may not', async () => {
  const { task_id, lease } = await runningTask('two exits', 'one')
  await leases.snooze(lease, { seconds: HOUR, claimant: 'one', others: ['two'] }, {})
  expect((await findTask(db, task_id))?.not_before).toBeUndefined()
  expect(await blockedUntil(db, 'two exits')).toBeUndefined()
  await tasks.updateOne({ _id: task_id }, { $set: { state: 'released' } })
  expect(await claim(task_id, 'one')).toBeUndefined()
  expect(await claim(task_id, 'two')).toMatchObject({ attempt: 2 })
})

test.each([
  [
    'that used its own address may run at once on another exit',
    false,
    expect.not.objectContaining({ not_before: expect.anything() }),
  ],
  [
    'that used proxies waits, for other agents would use the same',
    true,
    expect.objectContaining({ not_before: expect.any(Date) }),
  ],
])('a refused task $0', async (name, proxied, expected) => {
  const agents = createAgentRegistry(db)
  const agent = { name: 'x', version: '1', protocol: 1, slots: 4, busy: 0, draining: false, host: 'h' }
  const exits = ['one', 'two'].map((exit) => knownAgent(exit))
  for (const known of exits)
    await agents.record(known.exit.name, { ...agent, ...UNTROUBLED, agent_id: known.exit.name }, known, 'r')
  const { task_id, lease } = await runningTask(name, exits[0]?.exit.id ?? '')
  const counts = { counted: {}, visits: noWebsiteVisits() }
  const deps = { log: createLogger('test', 'silent'), leases, agents }
  const snoozed = { seconds: HOUR, wants_browser: false }

  const held = holdLease(leases, lease, momentNow())
  const task = { held, exit: 'exit of one', proxied, job: sampleJob('user') }

  expect(await snoozeTask(deps, task, snoozed, counts)).toBe(true)

  expect(await findTask(db, task_id)).toEqual(expected)
})

test.each([
  { seconds: 0, isTaken: false },
  { seconds: 0.001, isTaken: true },
  { seconds: 7 * 24 * HOUR, isTaken: true },
  { seconds: 7 * 24 * HOUR + 0.001, isTaken: false },
])('an agent may give a task back for $seconds s: $isTaken', async ({ seconds, isTaken }) => {
  const lease = { agent_id: 'agent', stream: 'stream', task_id: 'task', attempt: 1 }
  const task = { held: holdLease(leases, lease, momentNow()), exit: 'one', proxied: true, job: sampleJob('user') }
  const snooze = vi.fn(async () => true)
  const deps = { log: createLogger('test', 'silent'), leases: { ...leases, snooze }, agents: createAgentRegistry(db) }
  const counts = { counted: {}, visits: noWebsiteVisits() }
  await snoozeTask(deps, task, { seconds, wants_browser: false }, counts).catch(() => undefined)
  expect(snooze).toHaveBeenCalledTimes(isTaken ? 1 : 0)
})

test.each([
  ['ahead', 2 * HOUR],
  ['behind', -2 * HOUR],
])('a coordinator whose clock is %s tells a refused exit from a rested one', async (name, seconds) => {
  const resting = await runningTask(`resting, ${name}`, 'one')
  const rested = await runningTask(`rested, ${name}`, 'one')
  await leases.snooze(resting.lease, { seconds: HOUR, claimant: 'one', others: ['two'] }, {})
  await leases.snooze(rested.lease, { seconds: 0.001, claimant: 'one', others: ['two'] }, {})
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
  onTestFinished(() => void vi.useRealTimers())
  const isOneRefused = async (task_id: string) => isRefused((await findTask(db, task_id)) ?? lost(), ['one'])
  await until('one has rested', async () => !(await isOneRefused(rested.task_id)))
  expect(await isOneRefused(resting.task_id)).toBe(true)
})

test('a task that every exit was refused waits for the first that has rested', async () => {
  const { task_id, lease } = await runningTask('both refused', 'one')
  await leases.snooze(lease, { seconds: HOUR, claimant: 'one', others: ['two'] }, {})
  await tasks.updateOne({ _id: task_id }, { $set: { state: 'released' } })
  const second = await claim(task_id, 'two')
  await leases.snooze(second ?? lost(), { seconds: 3 * HOUR, claimant: 'two', others: ['one'] }, {})
  const waitMs = ((await findTask(db, task_id))?.not_before?.getTime() ?? 0) - Date.now()
  expect(Math.abs(waitMs - HOUR * 1_000)).toBeLessThan(60_000)
})

test('where the site wants a browser, another agent on the same exit may take the task at once', async () => {
  const { task_id, lease } = await runningTask('wants a browser', 'one')
  await leases.snooze(lease, { seconds: HOUR, claimant: lease.agent_id, others: ['with a browser'] }, {})
  expect((await findTask(db, task_id))?.not_before).toBeUndefined()
  await tasks.updateOne({ _id: task_id }, { $set: { state: 'released' } })
  expect(await claim(task_id, 'one')).toBeUndefined()
  expect(await claim(task_id, 'one', 'with a browser')).toMatchObject({ attempt: 2 })
})

test('a job is blocked while its only running task is a canary, until that makes progress', async () => {
  const { task_id, lease } = await runningTask('canary', 'one')
  expect(await isBlocked(db, 'canary')).toBe(false)
  await leases.snooze(lease, { seconds: 0.001, claimant: 'one', others: [] }, {})
  expect(await isBlocked(db, 'canary')).toBe(true)
  await tasks.updateOne({ _id: task_id }, { $set: { state: 'released' } })
  const canary = await claim(task_id, 'two')
  expect(await isBlocked(db, 'canary')).toBe(true)
  await db.client.bulkWrite([leases.acknowledgement(canary ?? lost(), 1, {})])
  expect(await isBlocked(db, 'canary')).toBe(false)
})

test('agents may claim again once their exit has rested', async () => {
  const { task_id, lease } = await runningTask('rested', 'one')
  await leases.snooze(lease, { seconds: 0.001, claimant: 'one', others: [] }, {})
  await tasks.updateOne({ _id: task_id }, { $set: { state: 'released' } })
  await expect.poll(() => claim(task_id, 'one')).toMatchObject({ attempt: 2 })
})
