import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { startAgent } from '@placefleet/agent/app'
import type { Task } from '@placefleet/agent/collect/task'
import { readAgentConfig } from '@placefleet/agent/config'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { runTask } from '@placefleet/agent/fleet/run-task'
import { connectQueue } from '@placefleet/agent/fleet/task-queue'
import { TIMINGS } from '@placefleet/agent/timings'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { natsServers, TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { keyOf, scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { capturedLog } from '../../harness/captured-log.ts'
import { AGENT_TOKEN, addCoordinator, startWorld, type World } from '../../harness/coordinator/world.ts'
import { startCuttableProxy } from '../../harness/network/cuttable-proxy.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { startSilentServer } from '../../harness/network/silent-server.ts'
import { until } from '../../harness/until.ts'

/** A tenth of the real waits. Connecting keeps its time, because a busy machine needs it. */
const FAST = { ...TIMINGS, claimWithinMs: 1_000, lastingOutageMs: 500 }

/** Starts the whole agent in this process. Returns its log. */
async function wholeAgent(world: World, grpc: string) {
  const { log, lines } = capturedLog()
  const life = createLifecycle(log)
  const addresses = { NATS_URL: world.natsAgentUrl, COORDINATOR_GRPC: grpc }
  const config = readAgentConfig({ ...addresses, AGENT_TOKEN, COLLECT_RUNG: 'http' })
  const agent = await startAgent(config, log, life, FAST)
  world.life.own('agent', life, async (owned) => {
    await agent.drain()
    await owned.close()
  })
  return { logged: (text: string) => lines.some((line) => line.includes(text)) }
}

/** Returns the messages of the queue: waiting ones, and those that an agent has taken. */
async function queueOf(world: World) {
  const nats = await connect(natsServers(world.natsUrl))
  onTestFinished(() => nats.close())
  const manager = await nats.jetstreamManager()
  return async () => {
    const { num_pending, num_ack_pending, delivered } = await manager.consumers.info(TASK_STREAM, TASK_CONSUMER)
    return { waiting: num_pending, taken: num_ack_pending, deliveries: delivered.consumer_seq }
  }
}

test('an agent that cannot reach its coordinator leaves the tasks to others, and says why', async () => {
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world)
  const nowhere = `127.0.0.1:${await freePort()}`
  const lost = await wholeAgent(world, nowhere)
  const queue = await queueOf(world)
  const job_id = await client.create({ keywords: ['one'] })

  await until('it says so', () => lost.logged(`the coordinator at ${nowhere} does not answer`))

  expect(lost.logged('ECONNREFUSED')).toBe(true)
  // The queue is created with its first message.
  await until('the task waits', async () => (await queue().catch(() => undefined))?.waiting === 1)
  expect(await queue()).toEqual({ waiting: 1, taken: 0, deliveries: 0 })
  await addAgent(world, grpc, scriptedCollector({ find: () => [1, 2, 3] }))
  expect(await client.ended(job_id)).toMatchObject({ status: 'completed' })
})

test('an agent without a coordinator takes no tasks until it reconnects', async () => {
  const world = await startWorld()
  const own = await addCoordinator(world)
  const other = await addCoordinator(world)
  const agent = await wholeAgent(world, own.grpc)
  await until('it is registered', () => agent.logged('registered with a coordinator'))

  await own.close()
  await until('it says so', () => agent.logged(`the coordinator at ${own.grpc} does not answer`))
  const job_id = await other.client.create({ keywords: ['one'] })
  const good = await addAgent(world, other.grpc, scriptedCollector({ find: () => [1, 2, 3] }))
  expect(await other.client.ended(job_id)).toMatchObject({ status: 'completed' })
  expect(agent.logged('could not be claimed')).toBe(false)

  await good.drain()
  await addCoordinator(world, own.ports)
  const queue = await queueOf(world)
  const { deliveries } = await queue()
  await other.client.create({ keywords: ['one'] })
  await until('the task is taken', async () => (await queue()).deliveries > deliveries)
})

test('a task with an unanswered claim is returned long before a running task would be', async () => {
  const { log, lines } = capturedLog()
  const coordinator = connectCoordinator(await startSilentServer(), AGENT_TOKEN)
  onTestFinished(() => coordinator.close())
  const collector = scriptedCollector({ find: () => [] })
  const runner = {
    log,
    coordinator,
    collector,
    agent_id: randomUUID(),
    timings: FAST,
    draining: new AbortController().signal,
  }
  let answered = false

  await runTask(runner, randomUUID(), () => {
    answered = true
  })

  expect(answered).toBe(false)
  expect(lines.join('')).toContain('could not claim a task')
})

test('a running task without a coordinator stops when its lease ends, and delivers what it has later', async () => {
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world)
  const proxy = await startCuttableProxy(grpc)
  const [host, port] = proxy.address.split(':')
  const attempts: Task[] = []
  let stopped: unknown
  const collector = scriptedCollector({
    find: () => [1, 2, 3],
    async before(task, { place_key }, signal) {
      if (!attempts.includes(task)) attempts.push(task)
      if (attempts.length > 1 || place_key !== keyOf(2)) return
      proxy.close() // the first place is not delivered yet
      if (!signal.aborted) await once(signal, 'abort')
      stopped = signal.reason
      await startCuttableProxy(grpc, Number(port))
    },
  })
  await addAgent(world, `${host}:${port}`, collector, 4, { ...TIMINGS, stopWithinMs: 500 })

  const job_id = await client.create({ keywords: ['one'] })
  expect(await client.ended(job_id)).toMatchObject({ status: 'completed' })

  expect(stopped).toMatchObject({ message: 'the lease of the task has ended' })
  expect(attempts.map(({ stored_place_keys }) => stored_place_keys)).toEqual([[], [keyOf(1)]])
})

test('an agent whose NATS does not answer says why, and continues once it does', async () => {
  const world = await startWorld()
  const { log, lines } = capturedLog()
  const { username, password, host } = new URL(world.natsAgentUrl)
  const port = await freePort()
  const url = `nats://${username}:${password}@127.0.0.1:${port}`
  const connecting = connectQueue({ url, name: 'test', inboxPrefix: '_INBOX_AGENTS.test' }, log, FAST)

  await until('it says so', () => lines.some((line) => line.includes(`the NATS at nats://127.0.0.1:${port}`)))
  expect(lines.join('')).toContain('the connection was refused')
  expect(lines.join('')).not.toContain(password)
  const proxy = await startCuttableProxy(host, port)
  const nats = await connecting
  onTestFinished(() => nats.close())

  lines.length = 0
  proxy.close()
  await until('it says so again', () => lines.some((line) => line.includes('does not answer')))
})
