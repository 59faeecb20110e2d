import { randomUUID } from 'node:crypto'
import { parseEnv } from 'node:util'
import { status as Status } from '@grpc/grpc-js'
import { readAgentConfig } from '@placefleet/agent/config'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { createIdentities } from '@placefleet/coordinator/fleet/identities'
import type { TaskDocument } from '@placefleet/coordinator/tasks/documents'
import type { RegisterRequest, RegisterResponse } from '@placefleet/proto/fleet'
import { PROTOCOL } from '@placefleet/shared/protocol'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { claimTask } from '../../harness/agents/task-call.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { until } from '../../harness/until.ts'
import { runOpsHere } from '../operator/commands/run-ops.ts'

const description = (agent_id: string): RegisterRequest => ({
  agent_id,
  name: 'what it calls itself',
  version: '0.1.0',
  protocol: PROTOCOL,
  host: 'host-1',
  slots: 4,
  busy: 0,
  draining: false,
  resting: [],
  drifted: [],
  unknown_answers: [],
})

/** Registers like an agent, and records the commands. */
function registered(grpc: string, token: string, agent_id: string = randomUUID()) {
  const coordinator = connectCoordinator(grpc, token)
  onTestFinished(() => coordinator.close())
  const call = coordinator.register()
  const told: RegisterResponse[] = []
  let ended: number | undefined
  call.on('data', (response: RegisterResponse) => told.push(response))
  call.on('error', (error) => {
    ended = 'code' in error ? Number(error.code) : -1
  })
  call.write(description(agent_id))
  return { agent_id, told, ended: () => ended }
}

/**
 * Two coordinators without a shared token, and the operator's command line. The tests name their agents differently.
 */
const world = await startWorld(afterAll)
const { db } = world
const SETTINGS = { AGENT_TOKEN: '', MAX_CONCURRENT_JOBS_FREE: '100' }
const [one, two] = [await addCoordinator(world, SETTINGS), await addCoordinator(world, SETTINGS)]
const tasks = db.collection<TaskDocument>('tasks')
const enrol = (name: string) => createIdentities(db).enrol(name)

async function ops(...args: string[]): Promise<unknown> {
  const { code, out, err } = await runOpsHere([...args, '--json'], { MONGODB_URL: world.mongoUrl })
  if (code !== 0) throw new Error(err)
  return JSON.parse(out)
}

/** Returns the agents of these names in the list of the command line. */
async function listed(...names: string[]): Promise<unknown[]> {
  const agents = (await ops('agents', 'list')) as { name: string }[]
  return agents.filter(({ name }) => names.includes(name))
}

/** Returns a released task of a new job, which is cancelled with the test: without agents the queue holds few tasks. */
async function releasedTask(): Promise<string> {
  const job_id = await one.client.create({ keywords: ['one'] })
  onTestFinished(async () => void (await one.client.call('POST', `/api/v1/jobs/${job_id}/cancel`)))
  const task = await until('the task is released', async () => {
    return await tasks.findOne({ job_id, state: 'released' })
  })
  return task._id
}

/** An enrolled agent that is registered on both coordinators, and holds a task on one of them. */
async function workingAgent(name: string, grpc: string) {
  const task_id = await releasedTask()
  const token = await enrol(name)
  const agents = [registered(one.grpc, token), registered(two.grpc, token)]
  const call = claimTask(grpc, { task_id }, token)
  await call.next()
  await until('both are registered', () => agents.every(({ told }) => told.length === 1))
  return { token, agents, task_id, call }
}

test('an agent is accepted only with the token of its enrolment', async () => {
  const task_id = await releasedTask()
  const token = await enrol('alpha')

  const otherEnd = token.endsWith('x') ? 'y' : 'x'
  for (const wrong of [
    'a long token for all tests',
    `${token.slice(0, -1)}${otherEnd}`,
    token.slice(0, -6),
    'agt_',
    '',
  ]) {
    const call = claimTask(one.grpc, { task_id }, wrong)
    expect(await call.next()).toEqual({ $case: 'ended', code: Status.UNAUTHENTICATED })
  }
  expect(await claimTask(two.grpc, { task_id }, token).next()).toMatchObject({ $case: 'assignment' })
  expect(JSON.stringify(await db.collection('enrolled_agents').find().toArray())).not.toContain(token)
})

test('a name has one token; a revoked name may be enrolled again, and its old token stays invalid', async () => {
  const first = (await ops('agents', 'enrol', 'beta')) as { token: string }
  await expect(ops('agents', 'enrol', 'beta')).rejects.toThrow('is enrolled')
  await expect(ops('agents', 'enrol', 'no/slash')).rejects.toThrow('<name>')
  await expect(ops('agents', 'drain', 'unknown')).rejects.toThrow('No agent unknown is enrolled')

  await ops('agents', 'revoke', 'beta')
  const second = (await ops('agents', 'enrol', 'beta')) as { token: string }

  const agents = [registered(one.grpc, first.token), registered(one.grpc, second.token)]
  await until('the old token is refused', () => agents[0]?.ended() === Status.UNAUTHENTICATED)
  await until('the new one is taken', () => agents[1]?.told.length === 1)
  await ops('agents', 'revoke', 'beta')
  const late = registered(one.grpc, second.token)
  await until('a revoked token is refused', () => late.ended() === Status.UNAUTHENTICATED)
})

test('an agent cannot act on the task of another agent, even with its id and attempt', async () => {
  const task_id = await releasedTask()
  const [owner, thief] = [await enrol('owner'), await enrol('thief')]
  const call = claimTask(one.grpc, { task_id }, owner)
  await call.next()
  const stolen = { task_id, agent_id: call.agent_id, resume_attempt: 1 }

  const theft = await claimTask(two.grpc, stolen, thief).next()
  const rightful = registered(one.grpc, owner, call.agent_id)
  const impostor = registered(one.grpc, thief, call.agent_id)

  expect(theft).toMatchObject({ $case: 'refusal', value: { reason: 'stale' } })
  expect(await tasks.findOne({ _id: task_id })).toMatchObject({ agent_id: `owner/${call.agent_id}`, attempt: 1 })
  await until('both are registered', () => rightful.told.length === 1 && impostor.told.length === 1)
  expect(await listed('owner', 'thief')).toMatchObject([{ name: 'owner' }, { name: 'thief' }])
  expect(await claimTask(two.grpc, stolen, owner).next()).toMatchObject({ $case: 'assignment' })
})

test('a drained agent stops claiming on every coordinator, keeps its tasks, and can be resumed', async () => {
  const free = await releasedTask()
  const { token, agents, call } = await workingAgent('gamma', one.grpc)

  await ops('agents', 'drain', 'gamma')

  await until('both are told', () => agents.every(({ told }) => told.at(-1)?.drain === true))
  const refused = await claimTask(two.grpc, { task_id: free }, token).next()
  expect(refused).toMatchObject({ $case: 'refusal', value: { reason: 'draining' } })
  call.event(1n, { $case: 'handed_back', value: {} })
  expect(await call.next()).toMatchObject({ $case: 'acknowledgement' })
  expect(await listed('gamma')).toMatchObject([{ state: 'draining' }, { state: 'draining' }])

  await ops('agents', 'resume', 'gamma')

  await until('both are told', () => agents.every(({ told }) => told.at(-1)?.drain === false))
  expect(await claimTask(two.grpc, { task_id: free }, token).next()).toMatchObject({ $case: 'assignment' })
})

test('a revoked agent is refused by every coordinator at once, and its tasks go to others without a spent attempt', async () => {
  const other = await enrol('epsilon')
  const { token, agents, task_id, call } = await workingAgent('delta', two.grpc)

  await ops('agents', 'revoke', 'delta')

  await until('both are ended', () => agents.every(({ ended }) => ended() === Status.UNAUTHENTICATED))
  expect(await call.next()).toMatchObject({ $case: 'stop', value: { reason: 'revoked' } })
  expect(await call.next()).toEqual({ $case: 'ended', code: Status.UNAUTHENTICATED })
  const again = { task_id, agent_id: call.agent_id, resume_attempt: 1 }
  expect(await claimTask(one.grpc, again, token).next()).toMatchObject({ code: Status.UNAUTHENTICATED })
  await until('the task is released', () => tasks.findOne({ _id: task_id, state: 'released' }).then(Boolean))
  expect(await tasks.findOne({ _id: task_id })).toMatchObject({ failures: 0 })
  expect(await claimTask(one.grpc, { task_id }, other).next()).toMatchObject({ $case: 'assignment' })
})

test('after a revocation and a new enrolment of a name, only the process with the old token is refused', async () => {
  const { agents, task_id: held, call } = await workingAgent('eta', two.grpc)
  const taken = await releasedTask()

  await createIdentities(db).revoke('eta')
  const token = await enrol('eta')
  const successor = registered(two.grpc, token)
  const kept = claimTask(two.grpc, { task_id: taken, agent_id: successor.agent_id }, token)
  expect(await kept.next()).toMatchObject({ $case: 'assignment', value: { attempt: 1 } })

  await until('the old ones are ended', () => agents.every(({ ended }) => ended() === Status.UNAUTHENTICATED))
  expect(await call.next()).toMatchObject({ $case: 'stop', value: { reason: 'revoked' } })
  await until('what it held is released', () => tasks.findOne({ _id: held, state: 'released' }).then(Boolean))
  expect(await tasks.findOne({ _id: held })).toMatchObject({ failures: 0 })
  kept.event(1n, { $case: 'handed_back', value: {} })
  expect(await kept.next()).toMatchObject({ $case: 'acknowledgement' })
  expect(successor.ended()).toBeUndefined()
  await until('the old ones are gone', () =>
    db
      .collection('agents')
      .countDocuments({ name: 'eta', connected: true }, SCAN)
      .then((n) => n === 1),
  )
})

test('agents are listed with their tasks, speed and share of blocks', async () => {
  const task_id = await releasedTask()
  const token = await enrol('zeta')
  await enrol('never-seen')
  const { agent_id, told } = registered(one.grpc, token)
  await until('it is registered', () => told.length === 1)
  const call = claimTask(one.grpc, { task_id, agent_id }, token)
  await call.next()
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  const done = { _id: 'sample', agent_id: `zeta/${agent_id}`, at, stored: 50, ended: 80, blocked: 20 }
  await db.collection<typeof done>('agent_work').insertOne(done)

  expect(await listed('never-seen', 'zeta')).toMatchObject([
    { name: 'never-seen', state: 'enrolled', running: 0 },
    { name: 'zeta', state: 'connected', host: 'host-1', slots: 4, running: 1, places_per_minute: 10, block_rate: 0.25 },
  ])
})

test('agents enrol --env prints an environment file that an agent accepts', async () => {
  const { out } = await runOpsHere(['agents', 'enrol', 'shop-1', '--env'], { MONGODB_URL: world.mongoUrl })
  const settings = readAgentConfig(parseEnv(out))
  expect(settings).toMatchObject({ AGENT_NAME: 'shop-1', AGENT_TOKEN: expect.stringMatching(/^agt_/) })
})

test('the agents of a coordinator that closes are recorded as gone', async () => {
  const closing = await addCoordinator(world, SETTINGS)
  const { told } = registered(closing.grpc, await enrol('left behind'))
  await until('the coordinator answers', () => told.length > 0)

  await closing.close()

  expect(await listed('left behind')).toMatchObject([{ state: 'gone' }])
})
