import { randomUUID } from 'node:crypto'
import { agentState, createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { createIdentities } from '@placefleet/coordinator/fleet/identities'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { addSupportRequest } from '@placefleet/coordinator/support/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createLeases, MAX_FAILURES } from '@placefleet/coordinator/tasks/lease'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { beforeEach, expect, test } from 'vitest'
import { knownAgent } from '../../../harness/agents/known-agent.ts'
import { sampleJob } from '../../../harness/coordinator/sample-job.ts'
import { testUser } from '../../../harness/coordinator/users.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { until } from '../../../harness/until.ts'
import { opsOn } from './run-ops.ts'

const database = await testDatabase()
const { db } = database
const ops = opsOn(database)
const unindexed = await testDatabase()
const jobs = jobsOf(db)

// Each test lists everything that there is.
beforeEach(async () => {
  for (const collection of await db.collections()) await collection.deleteMany({})
})

const idsOf = (listed: unknown) => (listed as { id: string }[]).map(({ id }) => id)

test('jobs are listed newest first, of all users or one, of any status or one, without deleted ones', async () => {
  const { user_id } = await testUser(db, 'grace@example.com')
  const at = (day: number) => ({ created_at: new Date(Date.UTC(2026, 0, day)) })
  const old = sampleJob('somebody', at(1))
  const failed = sampleJob(user_id, { ...at(2), status: 'failed', failure_reason: 'blocked: 429' })
  const pending = sampleJob(user_id, at(3))
  const deleted = sampleJob(user_id, { ...at(4), listed: false, phase: 'deleting' })
  await jobs.insertMany([failed, pending, old, deleted])
  expect(idsOf(await ops.json('jobs', 'list'))).toEqual([pending._id, failed._id, old._id])
  expect(idsOf(await ops.json('jobs', 'list', '--limit', '1'))).toEqual([pending._id])
  expect(idsOf(await ops.json('jobs', 'list', '--user', 'grace@example.com'))).toEqual([pending._id, failed._id])
  expect(idsOf(await ops.json('jobs', 'list', '--status', 'failed'))).toEqual([failed._id])
  expect((await ops.run('jobs', 'list', '--status', 'lost')).code).toBe(2)
  expect(await ops.json('jobs', 'show', deleted._id)).toMatchObject({ phase: 'deleting' })
  expect((await ops.run('jobs', 'show', randomUUID())).code).toBe(1)
})

test('failed tasks are listed with the reason, and counted with their job', async () => {
  const { user_id } = await testUser(db, 'edsger@example.com')
  const job = sampleJob(user_id, { status: 'running', held: 250_000 })
  await jobs.insertOne(job)
  const leases = createLeases(db)
  const searches = ['one', 'two'].map((keyword, ordinal) => ({ keyword, ordinal, kind: 'discover' as const }))
  await insertTasks(
    db,
    searches.map((search) => ({ job_id: job._id, user_id, ...search })),
  )
  const dead = await tasksOf(db).findOne({ job_id: job._id, ordinal: 0 })
  const task_id = dead?._id ?? ''
  for (let attempt = 1; attempt <= MAX_FAILURES; attempt++) {
    await tasksOf(db).updateOne({ _id: task_id }, { $set: { state: 'released' } })
    const holder = { agent_id: 'agent-1', stream: 'stream-1' }
    await leases.claim(task_id, holder)
    await leases.fail({ ...holder, task_id, attempt }, { code: 'blocked', message: 'the site says no' }, {})
  }
  const reason = { agent_id: 'agent-1', result: 'failed', reason: 'blocked', message: 'the site says no' }
  const attempts = [1, 2, 3].map((number) => ({ number, ...reason }))
  const expected = [{ id: task_id, job_id: job._id, kind: 'discover', keyword: 'one', state: 'failed', attempts }]
  expect(await ops.json('tasks', 'dead')).toMatchObject(expected)
  expect(await ops.json('tasks', 'dead', '--job', job._id)).toMatchObject(expected)
  expect(await ops.json('tasks', 'dead', '--job', randomUUID())).toEqual([])
  expect(await ops.json('jobs', 'show', job._id)).toMatchObject({
    id: job._id,
    user_id,
    email: 'edsger@example.com',
    held: '0.250000',
    tasks: { total: 2, running: 0, ended: 1, failed: 1 },
  })
  const { out } = await ops.run('jobs', 'show', job._id)
  expect(out).toMatch(/tasks +2: 1 ended, 0 running, 1 failed/)
})

test('support requests are listed newest first, with the address and the whole message', async () => {
  const { user_id } = await testUser(db, 'barbara@example.com')
  await addSupportRequest(db, user_id, { category: 'bug', message: 'The first message' })
  const first = Date.now()
  await until('the next request is of a later millisecond', () => Date.now() > first)
  await addSupportRequest(db, user_id, { category: 'billing', subject: 'Invoice', message: 'Line 1\nLine 2\u001b[2J' })
  const latest = { email: 'barbara@example.com', category: 'billing', message: 'Line 1\nLine 2\u001b[2J' }
  expect(await ops.json('support', 'list', '--limit', '1')).toMatchObject([latest])
  const { out } = await ops.run('support', 'list')
  expect(out).toMatch(/^billing: Invoice\n.* from barbara@example.com\nLine 1\nLine 2.*\n\nbug\n/)
  expect(out).not.toContain('\u001b')
})

/** Records an agent, whose enrolment may have a name. */
async function recordAgent(id: string, name: string, enrolment?: string): Promise<void> {
  const agent = { version: '0.1.0', protocol: 1, host: 'host-1', slots: 4, busy: 3, draining: false }
  const told = { agent_id: id, name, ...agent, resting: [], drifted: [] }
  await createAgentRegistry(db).record(id, told, knownAgent('home', enrolment), 'r')
}

test('agents are listed with their work', async () => {
  const [here, gone] = [randomUUID(), randomUUID()]
  await recordAgent(here, 'here')
  await recordAgent(gone, 'gone')
  await createAgentRegistry(db).disconnected(gone, 'r')
  expect(await ops.json('agents', 'list')).toMatchObject([
    { id: gone, name: 'gone', state: 'gone' },
    { id: here, name: 'here', state: 'connected', slots: 4, busy: 3, host: 'host-1', version: '0.1.0' },
  ])
  const { out } = await ops.run('agents', 'list')
  expect(out).toMatch(/here .*connected .*0 of 4/)
})

test('an agent that was restarted is one row, two of one name that run are two, and a new enrolment counts alone', async () => {
  const identities = createIdentities(db)
  const run = async (name: string, enrolled: boolean, ends: boolean) => {
    const id = enrolled ? `${name}/${randomUUID()}` : randomUUID()
    await recordAgent(id, name, enrolled ? name : undefined)
    if (ends) await createAgentRegistry(db).disconnected(id, 'r')
    return id
  }
  const states = async (name: string) => {
    const listed = (await ops.json('agents', 'list')) as { name: string; id?: string; state: string }[]
    return listed.filter((one) => one.name === name).map(({ id, state }) => ({ id, state }))
  }
  await run('shop-3', false, true)
  const last = await run('shop-3', false, true)
  expect(await states('shop-3')).toEqual([{ id: last, state: 'gone' }])
  const [one, other] = [await run('shop-3', false, false), await run('shop-3', false, false)]
  const both = await states('shop-3')
  expect(both.map(({ state }) => state)).toEqual(['connected', 'connected'])
  expect(both.map(({ id }) => id).sort()).toEqual([one, other].sort())

  await identities.enrol('shop-2')
  await run('shop-2', true, true)
  const before = await run('shop-2', true, true)
  expect(await states('shop-2')).toEqual([{ id: before, state: 'gone' }])
  await identities.revoke('shop-2')
  expect(await states('shop-2')).toEqual([{ id: before, state: 'revoked' }])
  await identities.enrol('shop-2')
  expect(await states('shop-2')).toEqual([{ id: undefined, state: 'enrolled' }])
})

const NOW = new Date('2026-01-01T00:01:00Z')
const seen = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)

test.each([
  [{ connected: true, draining: false, last_seen_at: seen(30) }, 'connected'],
  [{ connected: true, draining: true, last_seen_at: seen(30) }, 'draining'],
  [{ connected: true, draining: true, last_seen_at: seen(31) }, 'silent'],
  [{ connected: false, draining: false, last_seen_at: seen(0) }, 'gone'],
])('an agent with %o is %s', (agent, state) => {
  expect(agentState(agent, NOW)).toBe(state)
})

test('a command needs no index that a coordinator may still build', async () => {
  const { user_id } = await testUser(unindexed.db, 'barbara@example.com')
  const job = sampleJob(user_id)
  await jobsOf(unindexed.db).insertOne(job)
  const run = opsOn(unindexed)

  expect(idsOf(await run.json('jobs', 'list'))).toEqual([job._id])
  expect(idsOf(await run.json('jobs', 'list', '--user', 'barbara@example.com'))).toEqual([job._id])
  expect(await run.json('jobs', 'show', job._id)).toMatchObject({ id: job._id })
})
