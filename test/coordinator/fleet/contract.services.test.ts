import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { credentials, Metadata, status as Status } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { createStrangers } from '@placefleet/coordinator/fleet/connections'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { FleetServiceClient } from '@placefleet/proto/fleet'
import { noOutcomes } from '@placefleet/shared/outcome'
import { isCompatible, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { keyOf } from '../../harness/agents/scripted-collector.ts'
import { claimOn, claimTask, type TaskCall } from '../../harness/agents/task-call.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { finishedEvent, placesEvent, releasedTask } from '../../harness/coordinator/released-task.ts'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)
// Only the pause after a failed attempt is short: agents of these tests must reconnect within the other waits.
const timings = { ...TIMINGS, retryMs: FAST.retryMs }
const coordinator = await addCoordinator(world, { MAX_CONCURRENT_JOBS_FREE: '100' }, { timings })
const { grpc, client } = coordinator

/** Returns a released task of a job that is cancelled with the test: without agents the queue holds few tasks. */
async function released(request: Record<string, unknown> = {}) {
  const task = await releasedTask(world, coordinator, request)
  onTestFinished(async () => void (await client.call('POST', `/api/v1/jobs/${task.job_id}/cancel`)))
  return task
}

/** Returns such a task with the stream of the agent that has claimed it. */
async function claimed(request: Record<string, unknown> = {}) {
  const task = await released(request)
  const call = claimTask(grpc, { task_id: task.task_id })
  await call.next()
  return { ...task, call }
}

test('a claim is granted once, and a rival gets that the task is busy', async () => {
  const { task_id } = await released()

  const first = await claimTask(grpc, { task_id }).next()
  const second = await claimTask(grpc, { task_id }).next()

  expect(first).toMatchObject({ $case: 'assignment', value: { attempt: 1, acknowledged_sequence: 0n } })
  expect(second).toMatchObject({ $case: 'refusal', value: { reason: 'busy' } })
})

test('a claim hands out how many places its job still takes, and with only_new as many as its searches list', async () => {
  const wanted = async (task_id: string) => {
    const call = claimTask(grpc, { task_id })
    const message = await call.next()
    return { call, places: message?.$case === 'assignment' ? message.value.places_wanted : undefined }
  }
  const all = await released({ max_results: 5 })
  const { call, places } = await wanted(all.task_id)
  expect(places).toBe(5)
  call.event(1n, placesEvent(1, 2))
  await call.next()
  call.event(2n, { $case: 'handed_back', value: {} })
  await until('it is released', () => all.tasks.findOne({ _id: all.task_id, state: 'released' }).then(Boolean))
  expect((await wanted(all.task_id)).places).toBe(3)
  const onlyNew = await released({ max_results: 5, only_new: true })
  expect((await wanted(onlyNew.task_id)).places).toBe(10_000)
})

test('the next attempt of a task is told which of its places are stored', async () => {
  const { call: search, job_id, tasks } = await claimed({ fast_mode: false })
  const references = [1, 2, 3].map((n) => ({ place_key: keyOf(n), title: `Place ${n}` }))
  search.event(1n, { $case: 'references', value: { references } })
  await search.next()
  search.event(2n, finishedEvent)
  const claimCollection = async () => {
    const task = await until('it is released', () => tasks.findOne({ job_id, kind: 'collect', state: 'released' }))
    const call = claimTask(grpc, { task_id: task._id })
    return { call, assignment: await call.next() }
  }
  const first = await claimCollection()
  expect(first.assignment).toMatchObject({
    value: { attempt: 1, stored_place_keys: [], work: { value: { references } } },
  })
  first.call.event(1n, placesEvent(2))
  await first.call.next()
  first.call.event(2n, { $case: 'handed_back', value: {} })
  const { assignment } = await claimCollection()
  expect(assignment).toMatchObject({ value: { attempt: 2, stored_place_keys: [keyOf(2)] } })
})

test('a place is acknowledged once it is stored', async () => {
  const { call, job_id } = await claimed()

  call.event(1n, placesEvent(1, 2))

  expect(await call.next()).toMatchObject({ $case: 'acknowledgement', value: { sequence: 1n } })
  expect(await client.places(job_id)).toHaveLength(2)
})

test('a repeated event is acknowledged again and changes nothing', async () => {
  const { call, job_id } = await claimed()
  call.event(1n, placesEvent(1))
  await call.next()

  call.event(1n, placesEvent(1))
  expect(await call.next()).toMatchObject({ $case: 'acknowledgement', value: { sequence: 1n } })
  call.event(2n, finishedEvent)
  await call.next()

  expect(await client.ended(job_id)).toMatchObject({ result_count: 1, outcomes: { ok: 1, duplicate: 0 } })
})

test('an attempt continues on a new stream where it was', async () => {
  const { call: first, task_id, job_id } = await claimed()
  first.event(1n, placesEvent(1))
  await first.next()
  first.end()

  const again = claimTask(grpc, { task_id, agent_id: first.agent_id, resume_attempt: 1 })
  expect(await again.next()).toMatchObject({ $case: 'assignment', value: { attempt: 1, acknowledged_sequence: 1n } })
  again.event(2n, placesEvent(2))
  await again.next()
  again.event(3n, finishedEvent)
  await again.next()

  expect(await client.ended(job_id)).toMatchObject({ result_count: 2 })
})

test('an attempt with an expired lease stores nothing more and cannot be resumed', async () => {
  const { call: stale, task_id, job_id, tasks } = await claimed()
  await tasks.updateOne({ _id: task_id }, { $set: { lease_until: new Date(0) } })
  await until('the sweeper gives the task to others', () =>
    tasks.findOne({ _id: task_id, state: 'released' }).then(Boolean),
  )
  const next = claimTask(grpc, { task_id })
  expect(await next.next()).toMatchObject({ $case: 'assignment', value: { attempt: 2 } })

  stale.event(1n, placesEvent(1))
  expect(await stale.next()).toMatchObject({ $case: 'stop', value: { reason: 'lease_lost' } })
  const resumed = claimTask(grpc, { task_id, agent_id: stale.agent_id, resume_attempt: 1 })
  expect(await resumed.next()).toMatchObject({ $case: 'refusal', value: { reason: 'stale' } })

  expect(await client.places(job_id)).toEqual([])
})

test('an agent whose place fills its job is told that the job has ended, never that its lease is lost', async () => {
  const { call, job_id } = await claimed({ max_results: 1 })
  call.event(1n, placesEvent(1, 2))
  const heard: unknown[] = []
  for (let message = await call.next(); message?.$case !== 'ended'; message = await call.next()) {
    heard.push(message?.$case === 'stop' ? message.value.reason : message?.$case)
  }
  expect(new Set(heard)).toEqual(new Set(['job_ended']))
  expect(await client.ended(job_id)).toMatchObject({ status: 'completed', result_count: 1 })
})

/** Lets a task fail three times, and its first attempt do something before that. */
async function failThrice(
  { task_id, tasks }: Awaited<ReturnType<typeof released>>,
  outcomes: object = {},
  first: (call: TaskCall) => Promise<bigint> = async () => 1n,
) {
  for (let attempt = 1; attempt <= 3; attempt++) {
    await until('it is released', () => tasks.findOne({ _id: task_id, state: 'released' }).then(Boolean))
    const call = claimTask(grpc, { task_id })
    await call.next()
    const sequence = attempt === 1 ? await first(call) : 1n
    const message = 'the map site refused every way'
    const value = { code: 'blocked', message, outcomes: { ...noOutcomes(), ...outcomes } }
    call.event(sequence, { $case: 'failed', value })
    await call.next()
  }
}

test('a task fails after three attempts, and a job without places says why', async () => {
  const task = await released()
  await failThrice(task, { blocked: 2 })

  expect(await client.ended(task.job_id)).toMatchObject({
    status: 'failed',
    failure_reason: 'blocked: the map site refused every way',
    outcomes: { blocked: 2 },
  })
  expect((await client.call('GET', `/api/v1/jobs/${task.job_id}/results`)).status).toBe(402)
})

test('a job whose coordinator died right after it stored a place does not end as failed', async () => {
  const task = await released()
  const { job_id } = task
  await failThrice(task, {}, async (call) => {
    call.event(1n, placesEvent(1))
    await call.next()
    // As it stands when the process dies between the place and what is shown of it.
    await jobsOf(world.db).updateOne({ _id: job_id }, { $set: { 'totals.places': 0 } })
    return 2n
  })

  expect(await client.ended(job_id)).toMatchObject({ status: 'completed', partial: true, result_count: 1 })
  expect(await client.places(job_id)).toHaveLength(1)
})

test('once its job has ended an agent is stopped, and its places are not stored', async () => {
  const { call, task_id, job_id } = await claimed()

  await client.call('POST', `/api/v1/jobs/${job_id}/cancel`)
  expect(await call.next()).toMatchObject({ $case: 'stop' })
  // No agent is late for an hour: the job ends because this one stops.
  await jobsOf(world.db).updateOne({ _id: job_id }, { $set: { phase_at: new Date(Date.now() + 3_600_000) } })
  call.end()
  await client.ended(job_id)
  const late = claimTask(grpc, { task_id, agent_id: call.agent_id, resume_attempt: 1 })

  expect(await late.next()).toMatchObject({ $case: 'refusal', value: { reason: 'done' } })
  expect(await client.places(job_id)).toEqual([])
})

test.each([
  ['a gap in the sequence', 5n, [placesEvent(1)]],
  ['nothing', 1n, []],
  ['places of a task that it hands back', 1n, [placesEvent(1), { $case: 'handed_back', value: {} } as const]],
])('an event with %s ends the stream and not the coordinator', async (_, sequence, says) => {
  const { call } = await claimed()

  call.event(sequence, ...says)

  expect(await call.next()).toEqual({ $case: 'ended', code: Status.INVALID_ARGUMENT })
  expect((await client.call('GET', '/health')).status).toBe(200)
})

test('a call without the token is refused', async () => {
  const { task_id } = await released()

  const call = claimTask(grpc, { task_id }, 'another token')

  expect(await call.next()).toEqual({ $case: 'ended', code: Status.UNAUTHENTICATED })
})

test('a claim of a task that does not exist is refused', async () => {
  const call = claimTask(grpc, { task_id: crypto.randomUUID() })

  expect(await call.next()).toMatchObject({ $case: 'refusal', value: { reason: 'unknown' } })
})

test.each([
  ['whose task is no id', { task_id: 'no such task' }],
  ['whose claim is no id', { task_id: crypto.randomUUID(), claim_id: 'mine' }],
  ['whose agent is no id', { task_id: crypto.randomUUID(), agent_id: 'me' }],
])('a claim %s breaks the contract, and is not looked up', async (_, claim) => {
  const call = claimTask(grpc, claim)

  expect(await call.next()).toEqual({ $case: 'ended', code: Status.INVALID_ARGUMENT })
})

test.each([
  ['that is no claim', 'does not begin with a claim', { $case: 'heartbeat', value: {} }],
  [
    'that is larger than a claim needs to be',
    'too large',
    { $case: 'claim', value: { task_id: crypto.randomUUID(), agent_id: 'x'.repeat(5_000) } },
  ],
] as const)('a first message %s ends the stream', async (_, details, message) => {
  const coordinator = connectCoordinator(grpc, AGENT_TOKEN)
  onTestFinished(() => coordinator.close())
  const call = coordinator.openTaskStream()
  const ended = once(call.resume(), 'error')

  call.write({ message })

  const told = { code: Status.INVALID_ARGUMENT, details: expect.stringContaining(details) }
  expect((await ended)[0]).toMatchObject(told)
})

test('a released task of a job that is gone is not granted, and ends', async () => {
  const { task_id, tasks } = await released()
  const task = (await tasks.findOne({ _id: task_id })) ?? expect.fail('no task')
  const left = { ...task, _id: crypto.randomUUID(), job_id: crypto.randomUUID() }
  await tasks.insertOne(left)

  const call = claimTask(grpc, { task_id: left._id })

  expect(await call.next()).toMatchObject({ $case: 'refusal', value: { reason: 'done' } })
  expect(await tasks.findOne({ _id: left._id })).toMatchObject({ state: 'cancelled' })
})

test('a claim with a lost answer can be repeated and gets the same attempt', async () => {
  const { task_id } = await released()
  const claim_id = crypto.randomUUID()
  const lost = claimTask(grpc, { task_id, claim_id })
  await lost.next()

  const again = await claimTask(grpc, { task_id, claim_id, agent_id: lost.agent_id }).next()
  const another = await claimTask(grpc, { task_id, claim_id: crypto.randomUUID(), agent_id: lost.agent_id }).next()
  const stranger = await claimTask(grpc, { task_id, claim_id }).next()

  expect(again).toMatchObject({ $case: 'assignment', value: { attempt: 1 } })
  expect(another).toMatchObject({ $case: 'refusal', value: { reason: 'busy' } })
  expect(stranger).toMatchObject({ $case: 'refusal', value: { reason: 'busy' } })
})

test('a replaced stream cannot write any more', async () => {
  const two = await addCoordinator(world)
  const { call: old, task_id, tasks } = await claimed()
  const taken = claimTask(two.grpc, { task_id, agent_id: old.agent_id, resume_attempt: 1 })
  await taken.next()
  const before = await tasks.findOne({ _id: task_id })

  old.event(1n, placesEvent(1))

  expect(await old.next()).toMatchObject({ $case: 'stop', value: { reason: 'lease_lost' } })
  old.end()
  taken.event(1n, placesEvent(2))
  expect(await taken.next()).toMatchObject({ $case: 'acknowledgement' })
  const lease = await tasks.findOne({ _id: task_id })
  // The old stream's end cut nothing off.
  expect(lease?.lease_until?.getTime() ?? 0).toBeGreaterThanOrEqual(before?.lease_until?.getTime() ?? Infinity)
})

test('a task that is handed back without an event fails an attempt the third time', async () => {
  const { task_id, tasks } = await released()
  const failures: (number | undefined)[] = []
  for (const _ of ['first', 'second', 'third']) {
    await until('the task is released', () => tasks.findOne({ _id: task_id, state: 'released' }))
    const call = claimTask(grpc, { task_id })
    expect(await call.next()).toMatchObject({ $case: 'assignment' })
    call.event(1n, { $case: 'handed_back', value: {} })
    await call.next()
    failures.push((await tasks.findOne({ _id: task_id }))?.failures)
  }

  expect(failures).toEqual([0, 0, 1])
})

/** Returns a connection that sends this version of the contract, or none. */
function speaking(grpc: string, protocol: string | undefined) {
  const client = new FleetServiceClient(grpc, credentials.createInsecure())
  onTestFinished(() => client.close())
  const metadata = new Metadata({ waitForReady: true })
  metadata.set('authorization', `Bearer ${AGENT_TOKEN}`)
  if (protocol !== undefined) metadata.set(PROTOCOL_METADATA, protocol)
  return { openTaskStream: () => client.runTask(metadata) }
}

test('an agent one version ahead collects a task from its claim to its end', async () => {
  const { job_id, task_id } = await released()
  const call = claimOn(speaking(grpc, String(PROTOCOL + 1)), { task_id })

  expect(await call.next()).toMatchObject({ $case: 'assignment', value: { attempt: 1 } })
  call.event(1n, placesEvent(1, 2))
  expect(await call.next()).toMatchObject({ $case: 'acknowledgement', value: { sequence: 1n } })
  call.event(2n, finishedEvent)
  await call.next()

  expect(await client.ended(job_id)).toMatchObject({ status: 'completed', result_count: 2 })
})

test('a stopping coordinator sends its agents away, and they continue with another one', async () => {
  const leaving = await addCoordinator(world, { DRAIN_SECONDS: '1' })
  const { job_id, task_id, tasks } = await released()
  const call = claimTask(leaving.grpc, { task_id })
  await call.next()
  call.event(1n, placesEvent(1))
  await call.next()

  const drained = leaving.drain()
  expect(await call.next()).toEqual({ $case: 'stop', value: { reason: 'draining' } })
  expect(await call.next()).toEqual({ $case: 'ended', code: Status.UNAVAILABLE })
  const again = claimTask(grpc, { task_id, agent_id: call.agent_id, resume_attempt: 1 })
  expect(await again.next()).toMatchObject({ $case: 'assignment', value: { attempt: 1, acknowledged_sequence: 1n } })
  await drained
  await leaving.close()
  again.event(2n, finishedEvent)
  await again.next()

  expect(await client.ended(job_id)).toMatchObject({ status: 'completed', result_count: 1 })
  expect(await tasks.findOne({ _id: task_id })).toMatchObject({ attempt: 1, failures: 0 })
})

test('an agent without a version or more than one version apart is refused with what to do', async () => {
  const { task_id } = await released()

  for (const protocol of [String(PROTOCOL + 2), '0', 'new', '-1', undefined]) {
    const call = claimOn(speaking(grpc, protocol), { task_id })
    expect(await call.next()).toEqual({ $case: 'ended', code: Status.FAILED_PRECONDITION })
  }
  const next = claimOn(speaking(grpc, String(PROTOCOL + 1)), { task_id })
  expect(await next.next()).toMatchObject({ $case: 'assignment' })
})

test('versions one apart work together, from the first released one on', () => {
  const distances = [-2, -1, 0, 1, 2]
  expect(distances.filter((distance) => isCompatible(PROTOCOL + distance))).toEqual([0, 1])
})

/** Opens a connection that sends nothing, and notes whether it was closed. */
function silentConnection(port: number): { socket: Socket; isClosed(): boolean } {
  const socket = connect(port, '127.0.0.1')
  let closed = false
  socket
    .on('error', () => undefined)
    .on('close', () => {
      closed = true
    })
  onTestFinished(() => void socket.destroy())
  return { socket, isClosed: () => closed }
}

test('a host without a token holds fifty connections of the agent port, and agents connect when they are gone', async () => {
  const { task_id } = await released()
  const other = await addCoordinator(world)
  const port = Number(other.grpc.split(':').at(-1))
  const opened = Array.from({ length: 60 }, () => silentConnection(port))

  await until('those beyond fifty are closed', () => opened.filter(({ isClosed }) => isClosed()).length >= 10)
  expect(opened.filter(({ isClosed }) => !isClosed())).toHaveLength(50)

  for (const { socket } of opened) socket.destroy()
  expect(await claimTask(other.grpc, { task_id }).next()).toMatchObject({ $case: 'assignment' })
})

test('a connection stays once a call on it was accepted, and is closed otherwise', async () => {
  const strangers = createStrangers(50)
  const peers: string[] = []
  const server = createServer((socket) => {
    strangers.take(socket)
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    if (peers.push(peer) === 1) strangers.accepted(peer)
  })
  const { port } = await listenOnFreePort(server)
  const agent = silentConnection(port)
  await until('the first one is taken', () => peers.length === 1)
  const stranger = silentConnection(port)

  await once(stranger.socket, 'close')

  expect(agent.isClosed()).toBe(false)
})
