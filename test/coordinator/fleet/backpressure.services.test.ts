import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientDuplexStream } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import type { RunTaskRequest, RunTaskResponse } from '@placefleet/proto/fleet'
import { encodePlace } from '@placefleet/shared/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { placeOf } from '../../harness/agents/scripted-collector.ts'
import { startCoordinatorProcess } from '../../harness/coordinator/processes.ts'
import { AGENT_TOKEN, startWorld, type World } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'

const AGENTS = volume(4, 50)
/** Events of about 1 MB that the coordinator stores before the flood ends. */
const EVENTS = volume(20, 1_000)
const SLOW_MS = 20

/**
 * The most unacknowledged events outside the agents. Each stream has one in the coordinator and a few in buffers of the
 * connection. A coordinator that reads ahead has 16 more per stream.
 */
const MAX_UNACKNOWLEDGED = 8 * AGENTS

/** Returns a MongoDB that answers late: the URL of a proxy to the world's. */
async function slowMongo(world: World): Promise<string> {
  const socketPath = decodeURIComponent(new URL(world.mongoUrl).host)
  const server = createServer((incoming) => {
    const outgoing = connect(socketPath)
    outgoing.pipe(incoming)
    incoming.on('data', (chunk) => void sleep(SLOW_MS).then(() => outgoing.writable && outgoing.write(chunk)))
    incoming.on('error', () => outgoing.destroy()).on('close', () => outgoing.destroy())
    outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy())
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return world.mongoUrl.replace(/\/\/[^/]+/, `//127.0.0.1:${address.port}`)
}

/** The same ten places with a hundred reviews each, about 1 MB, again and again: never more than the job takes. */
const review = (n: number) => ({ id: `review ${n}`, text: 'x'.repeat(900), images: [] })
const places = Array.from({ length: 10 }, (_, n) =>
  encodePlace({ ...placeOf(n), user_reviews: Array.from({ length: 100 }, (__, index) => review(index)) }),
)

type Call = ClientDuplexStream<RunTaskRequest, RunTaskResponse>

/**
 * Claims a task and keeps it. `start` sends events as fast as the stream takes them. `unacknowledged` counts the events
 * that have left the agent and are not acknowledged.
 */
async function claimed(call: Call, task_id: string, signal: AbortSignal) {
  const counts = { sent: 0, acknowledged: 0 }
  const assigned = Promise.withResolvers<void>()
  call.on('data', ({ message }: RunTaskResponse) => {
    if (message?.$case === 'assignment') assigned.resolve()
    if (message?.$case === 'acknowledgement') counts.acknowledged = Number(message.value.sequence)
  })
  call.on('error', () => assigned.resolve())
  call.write({
    message: { $case: 'claim', value: { task_id, agent_id: crypto.randomUUID(), resume_attempt: undefined } },
  })
  await assigned.promise
  const heartbeat = setInterval(() => call.write({ message: { $case: 'heartbeat', value: {} } }), 5_000)
  const start = async () => {
    clearInterval(heartbeat)
    await flood(call, counts, signal)
  }
  return { start, counts, unacknowledged: () => counts.sent - call.writableLength - counts.acknowledged }
}

async function flood(call: Call, counts: { sent: number }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !call.destroyed) {
    const event = { sequence: BigInt(++counts.sent), content: { $case: 'places', value: { places } } } as const
    if (!call.write({ message: { $case: 'event', value: event } })) {
      await once(call, 'drain', { signal }).catch(() => undefined)
    }
  }
}

test(`a coordinator on a slow database accepts at most ${MAX_UNACKNOWLEDGED} events at once from ${AGENTS} flooding agents`, async () => {
  const world = await startWorld()
  const coordinator = await startCoordinatorProcess(world, {
    MONGODB_URL: await slowMongo(world),
    MAX_CONCURRENT_JOBS_FREE: String(AGENTS),
  })
  const tasks = world.db.collection<{ _id: string; state: string; attempt: number }>('tasks')
  for (let job = 0; job < AGENTS; job++) {
    await coordinator.client.create({ keywords: ['one'], fast_mode: true, max_results: 500, max_time: 600 })
  }
  const connection = connectCoordinator(coordinator.grpc, AGENT_TOKEN)
  const over = new AbortController()
  const taken = new Set<string>()
  const agents: Awaited<ReturnType<typeof claimed>>[] = []
  while (agents.length < AGENTS) {
    const task = await until('a task is released', async () => {
      return await tasks.findOne({ state: 'released', _id: { $nin: [...taken] } })
    })
    taken.add(task._id)
    agents.push(await claimed(connection.openTaskStream(), task._id, over.signal))
  }
  const floods = agents.map((agent) => agent.start())
  let most = 0
  const areStored = () => {
    most = Math.max(most, total(agents.map((agent) => agent.unacknowledged())))
    return total(agents.map(({ counts }) => counts.acknowledged)) >= EVENTS
  }
  await until('the events are stored', areStored, 200_000) // a gigabyte, beside other tests
  expect((await coordinator.client.call('GET', '/health')).status).toBe(200)
  over.abort()
  await Promise.all(floods)
  connection.close()

  expect(most).toBeLessThanOrEqual(MAX_UNACKNOWLEDGED)
}, 240_000)

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
