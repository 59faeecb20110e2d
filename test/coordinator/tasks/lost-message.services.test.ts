import type { TaskDocument } from '@placefleet/coordinator/tasks/documents'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { natsServers, TASK_STREAM } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, test } from 'vitest'
import { FAST } from '../../harness/coordinator/fast.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

test('agents are notified again of a task with a lost message, even if the queue is never empty', async () => {
  const world = await startWorld()
  const { client } = await addCoordinator(world, {}, { timings: { ...TIMINGS, sweepMs: FAST.sweepMs } })
  await client.create({ keywords: ['one', 'two'] })
  const nats = world.life.own('nats client', await connect(natsServers(world.natsUrl)), (one) => one.close())
  const { streams } = await nats.jetstreamManager()
  const state = async () => (await streams.info(TASK_STREAM)).state
  await until('both tasks are in the queue', async () => (await state()).messages === 2)
  const { first_seq, last_seq } = await state()
  const lost = (await streams.getMessage(TASK_STREAM, { seq: first_seq })).json<{ task_id: string }>().task_id

  await streams.deleteMessage(TASK_STREAM, first_seq)
  const aged = { $set: { released_at: new Date(Date.now() - 120_000) } }
  await world.db.collection<TaskDocument>('tasks').updateOne({ _id: lost }, aged)

  const again = await until('another message is in the queue', async () => {
    const { last_seq: newest } = await state()
    return newest > last_seq && streams.getMessage(TASK_STREAM, { seq: newest })
  })
  expect(again.json()).toEqual({ task_id: lost })
})
