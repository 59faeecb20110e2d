import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createTaskNotifier } from '@placefleet/coordinator/tasks/notifier'
import { startNats } from '@placefleet/deploy/embedded/nats'
import { createLogger } from '@placefleet/shared/log'
import { natsServers, TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { connect, nanos } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { startWorld } from '../../harness/coordinator/world.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'

const log = createLogger('test', 'silent')

/** A queue of the test's own that can be killed, a notifier on it, and how many messages wait. */
async function startQueue() {
  const dataDir = temporaryDir()
  const server = await startNats({ dataDir, env: {}, log })
  const options = { ...natsServers(server.url), maxReconnectAttempts: -1, reconnectTimeWait: 50 }
  const nats = await connect(options)
  onTestFinished(async () => {
    await nats.close()
    await server.stop()
  })
  const kill = () => process.kill(server.pid ?? 0, 'SIGKILL')
  const wipe = () => {
    process.kill(server.pid ?? 0, 'SIGSTOP')
    rmSync(join(dataDir, 'nats', 'store'), { recursive: true, force: true })
    kill()
  }
  const messages = async () => {
    const manager = await nats.jetstreamManager({ checkAPI: false, timeout: 500 })
    return (await manager.streams.info(TASK_STREAM)).state.messages
  }
  const waiting = (count: number) =>
    until(`${count} messages wait`, () =>
      messages().then(
        (found) => found === count,
        () => false,
      ),
    )
  return { notifier: await createTaskNotifier(nats, log), kill, wipe, waiting }
}

test('a message that is sent while the queue is killed arrives after its restart', async () => {
  const { notifier, kill, waiting } = await startQueue()
  await notifier.notify({ _id: 'before' })

  kill()
  await notifier.notify({ _id: 'meanwhile' })

  await waiting(2)
}, 30_000)

test('a message that is sent while the queue restarts empty arrives on a new stream', async () => {
  const { notifier, wipe, waiting } = await startQueue()
  await notifier.notify({ _id: 'before' })

  wipe()
  await notifier.notify({ _id: 'meanwhile' })

  await waiting(1)
}, 30_000)

/** A notifier on a queue that no test kills, its connection, and how many messages wait. */
async function sharedQueue() {
  const { natsUrl } = await startWorld()
  const nats = await connect(natsServers(natsUrl))
  onTestFinished(() => nats.close())
  const notifier = await createTaskNotifier(nats, log)
  const { streams, consumers } = await nats.jetstreamManager()
  const messages = async () => (await streams.info(TASK_STREAM)).state.messages
  return { nats, notifier, streams, consumers, messages }
}

test('a task has one message, however often the fleet is notified of it, and another one when it was answered', async () => {
  const { nats, notifier, messages } = await sharedQueue()
  for (const _ of Array.from({ length: 5 })) await notifier.notify({ _id: 'one' })
  await notifier.notify({ _id: 'two' })
  expect(await messages()).toBe(2)

  const consumer = await nats.jetstream().consumers.get(TASK_STREAM, TASK_CONSUMER)
  await (await consumer.next())?.ackAck()
  expect(await messages()).toBe(1)
  await notifier.notify({ _id: 'one' })
  expect(await messages()).toBe(2)
})

test('the stream holds a bounded number of messages for a bounded time, and 20,000 agent slots can wait at once', async () => {
  const { notifier, streams, consumers } = await sharedQueue()
  await notifier.notify({ _id: 'one' })
  expect((await streams.info(TASK_STREAM)).config).toMatchObject({ max_msgs: 100_000, max_age: nanos(600_000) })
  expect((await consumers.info(TASK_STREAM, TASK_CONSUMER)).config.max_waiting).toBe(20_000)
})

test('more replicas than the NATS has servers are logged as the reason why no message is sent', async () => {
  const { nats } = await sharedQueue()
  const { log, lines } = capturedLog()
  const notifier = await createTaskNotifier(nats, log, { replicas: 3 })

  expect(await notifier.waiting()).toBeUndefined()

  expect(notifier.answers()).toBe(false)
  expect(lines.join()).toContain('replicas > 1 not supported')
})
