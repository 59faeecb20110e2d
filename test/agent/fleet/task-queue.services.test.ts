import { createTaskQueue } from '@placefleet/agent/fleet/task-queue'
import { createTaskNotifier } from '@placefleet/coordinator/tasks/notifier'
import { natsServers, TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { connect, nanos } from 'nats'
import { expect, test } from 'vitest'
import { startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

test('a task that reaches an agent after it has stopped waiting is offered to another at once', async () => {
  const { life, log, natsUrl } = await startWorld()
  const nats = life.own('nats client', await connect(natsServers(natsUrl)), (one) => one.close())
  const notifier = await createTaskNotifier(nats, log)
  expect(await notifier.waiting()).toBe(0)
  const { consumers } = await nats.jetstreamManager()
  // The queue offers a task again by itself only long after this test.
  await consumers.update(TASK_STREAM, TASK_CONSUMER, { ack_wait: nanos(3_600_000) })
  const stop = new AbortController()
  const stopped = createTaskQueue(nats, log).next(stop.signal)
  await until('the agent waits', async () => (await consumers.info(TASK_STREAM, TASK_CONSUMER)).num_waiting === 1)

  stop.abort()
  expect(await stopped).toBeUndefined()
  const task_id = crypto.randomUUID()
  await notifier.notify({ _id: task_id })

  const offered = await createTaskQueue(nats, log).next(AbortSignal.timeout(20_000))
  expect(offered).toMatchObject({ task_id })
  offered?.answered()
})
