import { randomBytes, randomUUID } from 'node:crypto'
import { ServerCredentials } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { readConfig } from '@placefleet/coordinator/config'
import { exitsOf } from '@placefleet/coordinator/exits/documents'
import { createExitOfCall } from '@placefleet/coordinator/fleet/agent-exit'
import { createAgentAuthentication } from '@placefleet/coordinator/fleet/call'
import { serveFleet } from '@placefleet/coordinator/fleet/server'
import { MOST_UNDECIDED } from '@placefleet/coordinator/fleet/take-turns'
import type { TakeTurnsRequest, TakeTurnsResponse } from '@placefleet/proto/fleet'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createParts } from '../../harness/coordinator/parts.ts'
import { AGENT_TOKEN, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)
const nats = await connect(natsServers(world.natsUrl))
afterAll(() => nats.close())
const config = readConfig(coordinatorEnv(world))
const { db, log } = world
const services = await createParts({ config, log, db, nats })

/** Serves the fleet with another part, and opens a stream of turns. */
async function openStream(parts: Partial<typeof services> = {}) {
  const admit = createAgentAuthentication(services.identities, AGENT_TOKEN)
  const exitOfCall = createExitOfCall(services.exitIds, [])
  const listen = { host: '127.0.0.1', port: 0, credentials: ServerCredentials.createInsecure() }
  const fleet = await serveFleet({ ...services, version: '1', admit, exitOfCall, ...parts }, listen)
  const coordinator = connectCoordinator(`127.0.0.1:${fleet.port}`, AGENT_TOKEN)
  onTestFinished(async () => {
    coordinator.close()
    await fleet.close()
  })
  const stream = coordinator.takeTurns()
  const answers: TakeTurnsResponse[] = []
  const ended = Promise.withResolvers<{ details?: string }>()
  stream.on('data', (answer: TakeTurnsResponse) => answers.push(answer)).on('error', ended.resolve)
  return { send: (request: TakeTurnsRequest) => void stream.write(request), answers, ended: ended.promise }
}

const agent_id = randomUUID()
const digestOf = (nth: number) => nth.toString(16).padStart(64, '0')

const asking = (proxy_digest: string, more: Partial<TakeTurnsRequest> = {}): TakeTurnsRequest => ({
  agent_id,
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

test.each([
  [50, true],
  [51, false],
])('a message with $0 reports is taken: $1', async (count, isTaken) => {
  const effect = { verdict: 'whole', pace: 'same', rest: 'none', retry_after_ms: undefined, address: undefined }
  const reports = Array.from({ length: count }, () => ({ ...effect, count: 1_000_000, started_ms_ago: 0 }))
  const stream = await openStream()
  stream.send(asking(digestOf(1), { reports }))
  if (isTaken) await until('the ask is answered', () => stream.answers.length === 1)
  else expect((await stream.ended).details).toContain('an invalid request for turns')
})

test.each([
  { most_per_minute: 60, turns: 2 },
  { most_per_minute: 59, turns: 2 },
  { most_per_minute: 1, turns: 2 },
])(
  'a pace is at least what it starts with: of 60 a minute and at most $most_per_minute',
  async ({ most_per_minute, turns }) => {
    const stream = await openStream()
    stream.send(asking(randomBytes(32).toString('hex'), { waiting: 2, first_per_minute: 60, most_per_minute }))
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
  const stream = await openStream({ exitGrants: { ...services.exitGrants, take } })
  const asks = MOST_UNDECIDED + 20
  for (let nth = 0; nth < asks; nth++) stream.send(asking(digestOf(10_000 + nth), { ask: nth + 1 }))
  expect(await atDecision).toBe(MOST_UNDECIDED)
  await until('all are answered', () => stream.answers.length === asks)
})

test('an agent gets no turns of exits beyond those of its hour, and none of them is stored', async () => {
  const exitQuota: typeof services.exitQuota = (_agent, exit_id) => exit_id !== services.exitIds.proxy(digestOf(3)).id
  const stream = await openStream({ exitQuota })
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
