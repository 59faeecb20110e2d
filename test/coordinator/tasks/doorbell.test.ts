import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDoorbell } from '@placefleet/coordinator/tasks/doorbell'
import { startNats } from '@placefleet/deploy/embedded/nats'
import { createLogger } from '@placefleet/shared/log'
import { natsServers, TASK_STREAM } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../harness/until.ts'

const log = createLogger('test', 'silent')

/** A queue of the test's own that can be killed, a doorbell on it, and how many messages wait. */
async function startQueue() {
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-doorbell-'))
  const server = await startNats({ dataDir, env: {}, log })
  const options = { ...natsServers(server.url), maxReconnectAttempts: -1, reconnectTimeWait: 50 }
  const nats = await connect(options)
  onTestFinished(async () => {
    await nats.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
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
  return { doorbell: await createDoorbell(nats, log), kill, wipe, messages, waiting }
}

test('a ring in the very moment in which the queue is killed is heard once it is back', async () => {
  const { doorbell, kill, waiting } = await startQueue()
  await doorbell.ring('before', 1)

  kill()
  await doorbell.ring('meanwhile', 1)

  await waiting(2)
}, 30_000)

test('a ring while the queue comes back empty is heard, on a stream made anew', async () => {
  const { doorbell, wipe, waiting } = await startQueue()
  await doorbell.ring('before', 1)

  wipe()
  await doorbell.ring('meanwhile', 1)

  await waiting(1)
}, 30_000)

test('ringing twice for one release of a task leaves one message', async () => {
  const { doorbell, messages } = await startQueue()

  await doorbell.ring('one', 7)
  await doorbell.ring('one', 7)
  await doorbell.ring('one', 8)

  expect(await messages()).toBe(2)
})
