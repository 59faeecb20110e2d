import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { setRole } from '@placefleet/coordinator/accounts/roles'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { CreatedJob } from '@placefleet/coordinator/jobs/schema'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { Job } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, askAll, JOB, requestsOfDatabase } from '../api/api-world.ts'
import { expectSoundLedger } from '../api/ledger-check.ts'
import { addAgent } from '../harness/agents/agent.ts'
import { TASK_SIZE } from '../harness/agents/collect-job.ts'
import { keyOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import type { CallOptions } from '../harness/coordinator/call-api.ts'
import { addUser, type Caller } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld, type TestCoordinator, type World } from '../harness/coordinator/world.ts'
import { type ReplicaSet, startReplicaSet } from '../harness/servers/replica-set/replica-set.ts'
import { until } from '../harness/until.ts'
import { runOpsHere } from './operator/commands/run-ops.ts'

let world: World
let set: ReplicaSet
let coordinator: TestCoordinator
let caller: Caller

beforeAll(async () => {
  world = await startWorld(afterAll)
  set = await startReplicaSet()
  world.life.own('replica set', set, ({ close }) => close())
  const mongoUrl = set.url(world.db.databaseName)
  coordinator = await addCoordinator({ ...world, mongoUrl })
  caller = await addUser(world.db)
})

/** A majority without the member that dies. */
beforeEach(() => set.elect(0))

/** Repeats a request until the coordinator can serve it. A refusal is a 503 that says when to try again. */
async function served(method: string, path: string, options: CallOptions) {
  return until(`${method} ${path} is served`, async () => {
    const answer = await ask(coordinator.url, method, path, options)
    if (answer.status !== 503) return answer
    expect(Number(answer.headers.get('retry-after')), answer.text).toBeGreaterThan(0)
    return false
  })
}

test('until another primary is elected, requests are answered with 503, and health and the doctor name the part', async () => {
  set.elect(2)
  expect((await served('GET', '/api/v1/jobs', { key: caller.key })).status).toBe(200)
  set.kill(2)
  set.losePrimary()

  const answering = askAll(coordinator.url, caller.key, requestsOfDatabase())
  const examining = runOpsHere(['doctor', '--json'], { MONGODB_URL: set.url('any'), NATS_URL: world.natsUrl })
  const [live, health] = await Promise.all(['/livez', '/health'].map((path) => ask(coordinator.url, 'GET', path)))
  const answers = await answering
  const { code, out } = await examining

  for (const { status, headers, body } of answers) {
    expect([status, body]).toMatchObject([503, { code: 503, error: 'unavailable' }])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(live?.status).toBe(200)
  expect([health?.status, health?.body]).toMatchObject([503, { status: 'unavailable', db: 'down' }])
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    checks: [{ name: 'MongoDB', ok: false, detail: expect.stringContaining('rs0 has no primary') }, { name: 'NATS' }],
    advice: [expect.stringContaining('primary')],
  })

  set.elect(1)

  expect((await served('POST', '/api/v1/jobs', { key: caller.key, body: JOB })).status).toBe(201)
  await until('it is healthy', async () => (await ask(coordinator.url, 'GET', '/health')).status === 200)
})

/** Each collection that a running job writes to, and what a step-down does to a write. */
const STEP_DOWNS = ['results', 'tasks', 'jobs'].flatMap((collection) =>
  (['interrupted', 'unreplicated'] as const).map((caught) => ({ collection, caught })),
)

test('a job whose database steps down again and again collects and bills every place once', async () => {
  const { key } = await addUser(world.db)
  const gates = STEP_DOWNS.map(() => Promise.withResolvers<void>())
  const count = TASK_SIZE * gates.length
  const collector = scriptedCollector({
    find: () => Array.from({ length: count }, (_, n) => n),
    before: async (_, { place_key }) => gates[keys.indexOf(place_key) % gates.length]?.promise,
  })
  const keys = Array.from({ length: count }, (_, n) => keyOf(n))
  const agent = await addAgent(world, coordinator.grpc, collector)
  const { body } = await served('POST', '/api/v1/jobs', { key, body: { ...JOB, max_results: count } })
  const { id } = CreatedJob.parse(body)

  for (const [nth, { collection, caught }] of STEP_DOWNS.entries()) {
    const steppedDown = set.stepDownDuring(collection, caught)
    gates[nth]?.resolve()
    await steppedDown
    set.elect(nth % 2)
  }

  const ended = await until('the job has ended', async () => {
    const job = Job.parse((await served('GET', `/api/v1/jobs/${id}`, { key })).body)
    return isFinal(job.status) && job
  })
  expect(ended).toMatchObject({ status: 'completed', result_count: count })
  const stored = await resultsOf(world.db).distinct('place_key', { job_id: id })
  expect(stored.toSorted()).toEqual(keys.toSorted())
  await expectSoundLedger(world.db)
  await agent.drain()
})

test.each([
  ['jobs', 1, 'interrupted'],
  ['jobs', 1, 'unreplicated'],
  ['ledger', 1, 'interrupted'],
  ['ledger', 1, 'unreplicated'],
  ['tasks', 1, 'interrupted'],
  ['jobs', 2, 'unreplicated'],
] as const)(
  'a creation whose write to %s (%i) a step-down leaves %s can be repeated under its key',
  async (collection, nth, caught) => {
    const { user_id, key } = await addUser(world.db)
    const create = () => served('POST', '/api/v1/jobs', { key, body: JOB, headers: { 'idempotency-key': 'order-17' } })
    const steppedDown = set.stepDownDuring(collection, caught, nth)

    const created = create()
    await steppedDown
    set.elect(1)

    const { status, body } = await created
    expect([status, (await create()).body]).toEqual([201, body])
    const jobs = await jobsOf(world.db).find({ user_id }).toArray()
    expect(jobs.map(({ _id, listed }) => ({ id: _id, listed }))).toEqual([{ ...CreatedJob.parse(body), listed: true }])
    await expectSoundLedger(world.db)
  },
)

test('a user whose creation was applied before a step-down exists once, and its operator is told so', async () => {
  const operator = await addUser(world.db)
  await setRole(world.db, operator.user_id, 'operator')
  const email = 'new@example.com'
  const steppedDown = set.stepDownDuring('users', 'unreplicated')

  const created = served('POST', '/api/v1/admin/users', { key: operator.key, body: { email } })
  await steppedDown
  set.elect(1)

  expect(await created).toMatchObject({ status: 201, body: { email } })
  expect(await usersOf(world.db).countDocuments({ email })).toBe(1)
})
