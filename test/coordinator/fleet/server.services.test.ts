import { randomBytes, randomUUID } from 'node:crypto'
import { ServerCredentials } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { readConfig } from '@placefleet/coordinator/config'
import { exitsOf } from '@placefleet/coordinator/exits/documents'
import { createExitOfCall } from '@placefleet/coordinator/fleet/agent-exit'
import { createAgentAuthentication } from '@placefleet/coordinator/fleet/call'
import { createRunningJobs } from '@placefleet/coordinator/fleet/running-jobs'
import { serveFleet } from '@placefleet/coordinator/fleet/server'
import { MOST_UNDECIDED } from '@placefleet/coordinator/fleet/take-turns'
import { createJobEngine } from '@placefleet/coordinator/jobs/engine'
import { createReadPass } from '@placefleet/coordinator/jobs/progress'
import { findJob, insertJob } from '@placefleet/coordinator/jobs/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { TIMINGS } from '@placefleet/coordinator/timings'
import type { RunTaskResponse, TakeTurnsRequest, TakeTurnsResponse, TaskEvent } from '@placefleet/proto/fleet'
import { natsServers } from '@placefleet/shared/nats'
import { encodePlace } from '@placefleet/shared/protocol'
import { type Document, MongoClient } from 'mongodb'
import { connect } from 'nats'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { knownAgent } from '../../harness/agents/known-agent.ts'
import { keyOf, placeOf } from '../../harness/agents/scripted-collector.ts'
import { claimTask, type TaskCall } from '../../harness/agents/task-call.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { createParts, type Parts } from '../../harness/coordinator/parts.ts'
import { finishedEvent, placesEvent } from '../../harness/coordinator/released-task.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { AGENT_TOKEN, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)
const client = await new MongoClient(world.mongoUrl, { monitorCommands: true, ignoreUndefined: true }).connect()
const db = client.db(world.db.databaseName, { writeConcern: { w: 1, journal: true } })
const nats = await connect(natsServers(world.natsUrl))
afterAll(async () => {
  await nats.close()
  await client.close()
})
const timings = { ...TIMINGS, exitTurnsMs: FAST.exitTurnsMs }
const services = await createParts({ config: readConfig(coordinatorEnv(world)), log: world.log, db, nats, timings })
const grpc = await serve(afterAll)

/**
 * Serves a fleet whose work in the background never begins: passes over jobs, and the charge for a start. So every
 * counted command belongs to the answer, and an answer that waits for the background never comes.
 */
async function serve(whenOver: (end: () => Promise<void>) => void, replaced: Partial<Parts> = {}): Promise<string> {
  const parts = { ...services, ...replaced }
  const never = () => new Promise<never>(() => undefined)
  const nothing = () => undefined
  const engine = createJobEngine({
    ...parts,
    readPass: createReadPass(parts.db),
    holds: { ...parts.holds, chargeStart: never },
    agents: parts.taskAgents.list,
    pendingHours: 24,
    announceEnd: nothing,
    planAudit: never,
    followEnd: nothing,
  })
  const deps = {
    ...parts,
    engine: { ...engine, taskClaimed: nothing, taskEnded: nothing, placesListed: nothing },
    runningJobs: createRunningJobs((job_id) => findJob(parts.db, job_id), engine),
    version: '1',
    admit: createAgentAuthentication(parts.identities, AGENT_TOKEN),
    exitOfCall: createExitOfCall(parts.exitIds, []),
  }
  const listen = { host: '127.0.0.1', port: 0, credentials: ServerCredentials.createInsecure() }
  const { port, close } = await serveFleet(deps, listen)
  whenOver(close)
  return `127.0.0.1:${port}`
}

/** Returns the commands to the database during `work` that name one of these ids. */
async function commandsAbout(ids: string[], work: () => Promise<unknown>): Promise<Document[]> {
  const sent: Document[] = []
  const onSent = ({ command }: { command: Document }) => {
    if (ids.some((id) => JSON.stringify(command).includes(id))) sent.push(command)
  }
  client.on('commandStarted', onSent)
  await work()
  client.off('commandStarted', onSent)
  return sent
}

/** Creates a pending job with released tasks: two searches, and two of ten places each. */
async function createJob() {
  const job = sampleJob(randomUUID(), { held: 1_000_000_000 })
  const { _id: job_id, user_id } = job
  await insertJob(services.db, job)
  const kinds = ['discover', 'discover', 'collect', 'collect'] as const
  await insertTasks(
    db,
    kinds.map((kind, n) => ({ job_id, user_id, kind, ordinal: n % 2, keyword: 'cafe' })),
  )
  await tasksOf(db).updateMany({ job_id }, { $set: { state: 'released' } })
  // Through another cache: the coordinator under test did not list these places.
  await createReferences(db).add(
    job_id,
    Array.from({ length: 20 }, (_, n) => ({ place_key: keyOf(n), title: `Place ${n}` })),
  )
  const tasks = await tasksOf(db).find({ job_id }).sort({ kind: -1, ordinal: 1 }).toArray()
  const [search = '', otherSearch = '', collect = '', otherCollect = ''] = tasks.map(({ _id }) => _id)
  return { job_id, search, otherSearch, collect, otherCollect }
}

/** Records the description of an agent, as another coordinator does that the agent has registered with. */
async function createAgent(): Promise<string> {
  const agent_id = randomUUID()
  const fields = { name: 'a', version: '1', protocol: 1, host: 'h', slots: 4, busy: 0, draining: false }
  await services.agents.record(agent_id, { agent_id, ...fields, resting: [], drifted: [] }, knownAgent(), 'r')
  return agent_id
}

/** Claims a task. Returns its stream, and the commands between the claim and the assignment. */
async function claim(job_id: string, task_id: string, agent_id: string) {
  const calls: TaskCall[] = []
  const commands = await commandsAbout([job_id, task_id, agent_id], async () => {
    const call = claimTask(grpc, { task_id, agent_id })
    calls.push(call)
    expect(await call.next()).toMatchObject({ $case: 'assignment' })
  })
  const [call = expect.fail('no stream')] = calls
  return { call, count: commands.length }
}

const tenPlaces = (first: number) => placesEvent(...Array.from({ length: 10 }, (_, n) => first + n))

test('a claim takes at most three commands before its answer', async () => {
  const { job_id, search, otherSearch, collect, otherCollect } = await createJob()
  const agent_id = await createAgent()

  expect((await claim(job_id, search, agent_id)).count, 'the first one of a job').toBeLessThanOrEqual(3)
  expect((await claim(job_id, collect, agent_id)).count, 'of places to collect').toBeLessThanOrEqual(2)
  expect((await claim(job_id, otherSearch, agent_id)).count, 'of a search').toBe(1)

  const { call } = await claim(job_id, otherCollect, agent_id)
  call.event(1n, tenPlaces(10))
  await call.next()
  await tasksOf(db).updateOne({ _id: otherSearch }, { $set: { state: 'released' } })
  expect((await claim(job_id, otherSearch, agent_id)).count, 'of a search, beside stored places').toBeLessThanOrEqual(2)
})

test('an event of ten places takes one command, which stores and records them', async () => {
  const { job_id, collect } = await createJob()
  const agent_id = await createAgent()
  const { call } = await claim(job_id, collect, agent_id)
  call.event(1n, tenPlaces(0)) // the first one of the job also reads its chain, and shows its places
  await call.next()

  const commands = await commandsAbout([job_id, collect], async () => {
    call.event(2n, tenPlaces(10))
    expect(await call.next()).toMatchObject({ $case: 'acknowledgement', value: { sequence: 2n } })
  })
  expect(commands).toHaveLength(1)
})

test('the last places of a task and its end take one command', async () => {
  const { job_id, collect, otherCollect } = await createJob()
  const agent_id = await createAgent()
  const before = await claim(job_id, collect, agent_id)
  before.call.event(1n, tenPlaces(0))
  await before.call.next()
  const { call } = await claim(job_id, otherCollect, agent_id)
  const commands = await commandsAbout([job_id, otherCollect], async () => {
    call.event(1n, tenPlaces(10), finishedEvent)
    while ((await call.next())?.$case === 'acknowledgement');
  })
  expect(commands).toHaveLength(1)
  expect(await tasksOf(db).findOne({ _id: otherCollect })).toMatchObject({ state: 'done', outcomes: { ok: 10 } })
})

test('a heartbeat takes one command, which does not wait for the journal', async () => {
  const { collect } = await createJob()
  const holder = { agent_id: randomUUID(), stream: randomUUID() }
  const { attempt } = (await services.leases.claim(collect, holder)) ?? expect.fail('the task is taken')

  const commands = await commandsAbout([collect], () => services.leases.renew({ ...holder, task_id: collect, attempt }))

  expect(commands).toMatchObject([{ writeConcern: { w: 1, j: false } }])
})

test('an agent that floods its stream has few events in the coordinator, until these are stored', async () => {
  const stored = Promise.withResolvers<void>()
  const append: Parts['results']['append'] = async (...args) => {
    await stored.promise
    return services.results.append(...args)
  }
  const slow = await serve(onTestFinished, { results: { ...services.results, append } })
  const { search } = await createJob()
  const coordinator = connectCoordinator(slow, AGENT_TOKEN)
  onTestFinished(() => coordinator.close())
  const stream = coordinator.openTaskStream()
  let [acknowledged, sent] = [0n, 0]
  stream
    .on('error', () => undefined) // the server is closed in the end
    .on('data', ({ message }: RunTaskResponse) => {
      if (message?.$case === 'acknowledgement') acknowledged = message.value.sequence
    })
  const claim = { task_id: search, agent_id: randomUUID(), resume_attempt: undefined }
  stream.write({ message: { $case: 'claim', value: claim } })
  const text = 'x'.repeat(100_000)
  const user_reviews = Array.from({ length: 10 }, (_, id) => ({ id: String(id), text }))
  const places = [encodePlace({ ...placeOf(1), user_reviews })]
  const content: TaskEvent['content'] = { $case: 'places', value: { places } }
  for (; sent < 15; sent++) {
    const value = { sequence: BigInt(sent + 1), content }
    stream.write({ message: { $case: 'event', value } })
  }
  let [left, checks] = [0, 0]
  await until('no more events leave the agent', () => {
    const before = left
    left = sent - stream.writableLength
    checks = left > 0 && left === before ? checks + 1 : 0
    return checks === 20
  })
  expect(left).toBeLessThanOrEqual(8) // one is handled, and a few are in buffers of the connection
  stored.resolve()
  await until('further ones are read', () => acknowledged > BigInt(left))
})

/** Opens a stream of turns. */
async function openTurns(replaced: Partial<Parts> = {}) {
  const coordinator = connectCoordinator(await serve(onTestFinished, replaced), AGENT_TOKEN)
  onTestFinished(() => coordinator.close())
  const stream = coordinator.takeTurns()
  const answers: TakeTurnsResponse[] = []
  const ended = Promise.withResolvers<{ details?: string }>()
  stream.on('data', (answer: TakeTurnsResponse) => answers.push(answer)).on('error', ended.resolve)
  return { send: (request: TakeTurnsRequest) => void stream.write(request), answers, ended: ended.promise }
}

const digestOf = (nth: number) => nth.toString(16).padStart(64, '0')

const asking = (proxy_digest: string, more: Partial<TakeTurnsRequest> = {}): TakeTurnsRequest => ({
  agent_id: ASKING,
  ask: 1,
  proxy_digest,
  waiting: 1,
  first_per_minute: 6_000,
  most_per_minute: 6_000,
  rest_seconds: 60,
  reports: [],
  canary_ended: false,
  ...more,
})
const ASKING = randomUUID()

test.each([
  [50, true],
  [51, false],
])('a message with $0 reports is taken: $1', async (count, isTaken) => {
  const effect = { verdict: 'whole', pace: 'same', rest: 'none', retry_after_ms: undefined, address: undefined }
  const reports = Array.from({ length: count }, () => ({ ...effect, count: 1_000_000, started_ms_ago: 0 }))
  const stream = await openTurns()
  stream.send(asking(digestOf(1), { reports }))
  if (isTaken) await until('the ask is answered', () => stream.answers.length === 1)
  else expect((await stream.ended).details).toContain('an invalid request for turns')
})

test.each([
  { most_per_minute: 600, turns: 2 },
  { most_per_minute: 599, turns: 2 },
  { most_per_minute: 1, turns: 2 },
])(
  'a pace is at least what it starts with: of 600 a minute and at most $most_per_minute',
  async ({ most_per_minute, turns }) => {
    const stream = await openTurns()
    stream.send(asking(randomBytes(32).toString('hex'), { waiting: 2, first_per_minute: 600, most_per_minute }))
    await until('the ask is answered', () => stream.answers.length === 1)
    expect(stream.answers[0]?.turns_in_ms).toHaveLength(turns)
  },
)

test('a stream is read on only while few of its asks wait for their decision', async () => {
  const decided = Promise.withResolvers<void>()
  let taken = 0
  const take: typeof services.exitGrants.take = async (exit, ask) => {
    taken += 1
    if (taken === MOST_UNDECIDED) setTimeout(decided.resolve, 500) // long enough for others to be read, were they read
    await decided.promise
    return services.exitGrants.take(exit, ask)
  }
  const atDecision = decided.promise.then(() => taken)
  const stream = await openTurns({ exitGrants: { ...services.exitGrants, take } })
  const asks = MOST_UNDECIDED + 20
  for (let nth = 0; nth < asks; nth++) stream.send(asking(digestOf(10_000 + nth), { ask: nth + 1 }))
  expect(await atDecision).toBe(MOST_UNDECIDED)
  await until('all are answered', () => stream.answers.length === asks)
})

test('an agent gets no turns of exits beyond those of its hour, and none of them is stored', async () => {
  const exitQuota: typeof services.exitQuota = (_agent, exit_id) => exit_id !== services.exitIds.proxy(digestOf(3)).id
  const stream = await openTurns({ exitQuota })
  stream.send(asking(digestOf(3), { ask: 1 }))
  stream.send(asking(digestOf(2), { ask: 2 }))
  await until('both are answered', () => stream.answers.length === 2)
  const [beyond, within] = stream.answers.toSorted((one, other) => one.ask - other.ask)
  expect(beyond).toMatchObject({ turns_in_ms: [], free: false, rest: undefined })
  expect(beyond?.ask_in_ms).toBeGreaterThan(50_000)
  expect(within?.turns_in_ms).toHaveLength(1)
  const ids = [2, 3].map((nth) => services.exitIds.proxy(digestOf(nth)).id)
  expect(await exitsOf(db).distinct('_id', { _id: { $in: ids } })).toEqual(ids.slice(0, 1))
})
