import { randomUUID } from 'node:crypto'
import { ServerCredentials } from '@grpc/grpc-js'
import { readConfig } from '@placefleet/coordinator/config'
import { createExitOfCall } from '@placefleet/coordinator/fleet/agent-exit'
import { createAgentAuthentication } from '@placefleet/coordinator/fleet/call'
import { createRunningJobs } from '@placefleet/coordinator/fleet/running-jobs'
import { serveFleet } from '@placefleet/coordinator/fleet/server'
import { createJobEngine } from '@placefleet/coordinator/jobs/engine'
import { createReadPass } from '@placefleet/coordinator/jobs/progress'
import { findJob, insertJob } from '@placefleet/coordinator/jobs/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createReferences } from '@placefleet/coordinator/tasks/plan'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { natsServers } from '@placefleet/shared/nats'
import { type Document, MongoClient } from 'mongodb'
import { connect } from 'nats'
import { afterAll, expect, test } from 'vitest'
import { knownAgent } from '../../harness/agents/known-agent.ts'
import { keyOf } from '../../harness/agents/scripted-collector.ts'
import { claimTask, type TaskCall } from '../../harness/agents/task-call.ts'
import { createParts, type Parts } from '../../harness/coordinator/parts.ts'
import { finishedEvent, placesEvent } from '../../harness/coordinator/released-task.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { AGENT_TOKEN, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const world = await startWorld((end) => void ends.push(end))
const client = await new MongoClient(world.mongoUrl, { monitorCommands: true, ignoreUndefined: true }).connect()
ends.push(() => client.close())
const db = client.db(world.db.databaseName, { writeConcern: { w: 1, journal: true } })
const nats = await connect(natsServers(world.natsUrl))
ends.push(() => nats.close())
const services = await createParts({ config: readConfig(coordinatorEnv(world)), log: world.log, db, nats })
const fleet = await serveFleet(fleetDeps(services), {
  host: '127.0.0.1',
  port: 0,
  credentials: ServerCredentials.createInsecure(),
})
ends.push(() => fleet.close())
const grpc = `127.0.0.1:${fleet.port}`

/**
 * The parts of a fleet server whose work in the background never begins: passes over jobs, and the charge for a start.
 * So every counted command belongs to the answer, and an answer that waits for the background never comes.
 */
function fleetDeps(parts: Parts) {
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
  return {
    ...parts,
    engine: { ...engine, taskClaimed: nothing, taskEnded: nothing, placesListed: nothing },
    runningJobs: createRunningJobs((job_id) => findJob(parts.db, job_id), engine),
    version: '1',
    admit: createAgentAuthentication(parts.identities, AGENT_TOKEN),
    exitOfCall: createExitOfCall(parts.exitIds, []),
  }
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
