import { randomBytes, randomUUID } from 'node:crypto'
import { ServerCredentials } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { readConfig } from '@placefleet/coordinator/config'
import { exitsOf } from '@placefleet/coordinator/exits/documents'
import { createExitOfCall } from '@placefleet/coordinator/fleet/agent-exit'
import { createAgentAuthentication } from '@placefleet/coordinator/fleet/call'
import { createOpenStreams } from '@placefleet/coordinator/fleet/open-streams'
import { createRunningJobs } from '@placefleet/coordinator/fleet/running-jobs'
import { serveFleet } from '@placefleet/coordinator/fleet/server'
import { MOST_UNDECIDED } from '@placefleet/coordinator/fleet/take-turns'
import { createJobEngine } from '@placefleet/coordinator/jobs/engine'
import { createReadPass } from '@placefleet/coordinator/jobs/progress'
import { findJob, insertJob } from '@placefleet/coordinator/jobs/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { TIMINGS } from '@placefleet/coordinator/timings'
import type { RunTaskResponse, TakeTurnsRequest, TakeTurnsResponse, TaskEvent } from '@placefleet/proto/fleet'
import { natsServers } from '@placefleet/shared/nats'
import { encodePlace } from '@placefleet/shared/protocol'
import { connect } from 'nats'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { placeOf } from '../../harness/agents/scripted-collector.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { createParts, type Parts } from '../../harness/coordinator/parts.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { AGENT_TOKEN, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)
const { db } = world
const nats = await connect(natsServers(world.natsUrl))
afterAll(() => nats.close())
const timings = { ...TIMINGS, exitTurnsMs: FAST.exitTurnsMs }
const services = await createParts({ config: readConfig(coordinatorEnv(world)), log: world.log, db, nats, timings })

/**
 * Serves a fleet whose work in the background never begins: passes over jobs, and the charge for a start. So an answer
 * that waits for the background never comes.
 */
async function serve(replaced: Partial<Parts>): Promise<string> {
  const streams = createOpenStreams() // those of a server that has stopped stay stopped
  const parts = { ...services, streams, ...replaced }
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
  onTestFinished(close)
  return `127.0.0.1:${port}`
}

/** Creates a pending job with a released search. */
async function releasedSearch(): Promise<string> {
  const job = sampleJob(randomUUID(), { held: 1_000_000_000 })
  const { _id: job_id, user_id } = job
  await insertJob(db, job)
  await insertTasks(db, [{ job_id, user_id, kind: 'discover', ordinal: 0, keyword: 'cafe' }])
  const task = await tasksOf(db).findOneAndUpdate({ job_id }, { $set: { state: 'released' } })
  return task?._id ?? expect.fail('no task')
}

test('an agent that floods its stream has few events in the coordinator, until these are stored', async () => {
  const stored = Promise.withResolvers<void>()
  const append: Parts['results']['append'] = async (...args) => {
    await stored.promise
    return services.results.append(...args)
  }
  const slow = await serve({ results: { ...services.results, append } })
  const task_id = await releasedSearch()
  const coordinator = connectCoordinator(slow, AGENT_TOKEN)
  onTestFinished(() => coordinator.close())
  const stream = coordinator.openTaskStream()
  let [acknowledged, sent] = [0n, 0]
  stream
    .on('error', () => undefined) // the server is closed in the end
    .on('data', ({ message }: RunTaskResponse) => {
      if (message?.$case === 'acknowledgement') acknowledged = message.value.sequence
    })
  const claim = { task_id, agent_id: randomUUID(), resume_attempt: undefined }
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
  const coordinator = connectCoordinator(await serve(replaced), AGENT_TOKEN)
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
