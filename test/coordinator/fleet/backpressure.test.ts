import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientDuplexStream } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import type { RunTaskRequest, RunTaskResponse } from '@placefleet/proto/fleet'
import { placeToMessage } from '@placefleet/shared/place-message'
import { expect, onTestFinished, test } from 'vitest'
import { placeOf } from '../../harness/agents/scripted-collector.ts'
import { startCoordinatorProcess } from '../../harness/coordinator/processes.ts'
import { AGENT_TOKEN, startWorld, type World } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'

const AGENTS = volume(8, 50)
/** Events of about 1 MB that the coordinator stores before the flood ends. */
const EVENTS = volume(40, 1_000)
const SLOW_MS = 20

/** What agents that send as fast as they can may cost a coordinator whose database is slow. */
const MAX_GROWTH_MB = volume(250, 500)

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
const places = Array.from({ length: 10 }, (_, n) => ({
  ...placeToMessage(placeOf(n)),
  user_reviews: Array.from({ length: 100 }, (__, index) => review(index)),
}))

type Call = ClientDuplexStream<RunTaskRequest, RunTaskResponse>

/** Claims a task and keeps it. `start` sends events as fast as the stream takes them, and counts those acknowledged. */
async function claimed(call: Call, task_id: string, signal: AbortSignal) {
  const done = { acknowledged: 0 }
  const assigned = Promise.withResolvers<void>()
  call.on('data', ({ message }: RunTaskResponse) => {
    if (message?.$case === 'assignment') assigned.resolve()
    if (message?.$case === 'acknowledgement') done.acknowledged = Number(message.value.sequence)
  })
  call.on('error', () => assigned.resolve())
  call.write({
    message: { $case: 'claim', value: { task_id, agent_id: crypto.randomUUID(), resume_attempt: undefined } },
  })
  await assigned.promise
  const heartbeat = setInterval(() => call.write({ message: { $case: 'heartbeat', value: {} } }), 5_000)
  const start = async () => {
    clearInterval(heartbeat)
    await flood(call, signal)
  }
  return { start, done }
}

async function flood(call: Call, signal: AbortSignal): Promise<void> {
  for (let sequence = 1n; !signal.aborted && !call.destroyed; sequence++) {
    const event = { sequence, body: { $case: 'places', value: { places } } } as const
    if (!call.write({ message: { $case: 'event', value: event } })) {
      await once(call, 'drain', { signal }).catch(() => undefined)
    }
  }
}

test(`a flood from ${AGENTS} agents on a slow database stays within ${MAX_GROWTH_MB} MB`, async () => {
  const world = await startWorld()
  const coordinator = await startCoordinatorProcess(world, undefined, {
    MONGODB_URL: await slowMongo(world),
    MAX_CONCURRENT_JOBS_FREE: String(AGENTS),
  })
  const tasks = world.db.collection<{ _id: string; state: string; attempt: number }>('tasks')
  for (let job = 0; job < AGENTS; job++) {
    await coordinator.client.create({ keywords: ['one'], fast_mode: true, max_results: 500, max_time: 600 })
  }
  const connection = connectCoordinator(coordinator.grpc, AGENT_TOKEN)
  const over = new AbortController()
  const baseline = residentMb(coordinator.pid)
  const taken = new Set<string>()
  const agents: Awaited<ReturnType<typeof claimed>>[] = []
  while (agents.length < AGENTS) {
    const task = await until('a task is released', async () => {
      return (await tasks.findOne({ state: 'released', _id: { $nin: [...taken] } })) ?? undefined
    })
    taken.add(task._id)
    agents.push(await claimed(connection.openTaskStream(), task._id, over.signal))
  }
  const floods = agents.map((agent) => agent.start())
  let peak = 0
  await until('the events are stored', () => {
    peak = Math.max(peak, residentMb(coordinator.pid))
    return agents.reduce((sum, { done }) => sum + done.acknowledged, 0) >= EVENTS
  })
  expect((await coordinator.client.call('GET', '/health')).status).toBe(200)
  over.abort()
  await Promise.all(floods)
  connection.close()

  expect(peak - baseline).toBeLessThan(MAX_GROWTH_MB)
}, 180_000)

function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
