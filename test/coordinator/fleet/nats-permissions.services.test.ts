import {
  AGENT_INBOXES,
  agentInbox,
  CONTROL_JOB_ENDED,
  natsServers,
  TASK_CONSUMER,
  TASK_STREAM,
  TASK_SUBJECTS,
  taskSubject,
} from '@placefleet/shared/nats'
import { AckPolicy, connect, type NatsConnection } from 'nats'
import { afterAll, expect, test } from 'vitest'
import { addCoordinator, startWorld, withOwnNats } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const world = await withOwnNats(await startWorld(afterAll))
const { client } = await addCoordinator(world)
const [agent, coordinator] = [
  await open(world.natsAgentUrl, agentInbox('alpha.1', 'an-id')),
  await open(world.natsUrl, '_INBOX'),
]
const manager = await coordinator.jetstreamManager()
const waiting = async () => (await manager.streams.info(TASK_STREAM)).state.messages
/** Puts the task of a new job into the queue, which is empty. */
async function addTask(): Promise<void> {
  await client.create({ keywords: ['one'] })
  await until('the task is in the queue', async () => (await waiting()) === 1)
}
await addTask()

async function open(url: string, inboxPrefix: string): Promise<NatsConnection> {
  const nats = await connect({ ...natsServers(url), inboxPrefix, timeout: 1_000 })
  afterAll(() => nats.close())
  return nats
}

/** Returns the server's refusal of a subscription; undefined if it accepts. */
async function refusalOf(nats: NatsConnection, subject: string): Promise<string | undefined> {
  const refused = new Promise<string | undefined>((resolve) => {
    nats.subscribe(subject, { callback: (error) => resolve(error?.code) })
  })
  await nats.flush() // the server answers in order: after this a refusal would have come
  return Promise.race([refused, Promise.resolve(undefined)])
}

test.each([
  TASK_SUBJECTS,
  'placefleet.>',
  CONTROL_JOB_ENDED,
  '$JS.>',
  '$SYS.>',
  '_INBOX.>',
  '>',
  `${AGENT_INBOXES}X.>`,
])('an agent may not listen to %s', async (subject) => {
  expect(await refusalOf(agent, subject)).toBe('PERMISSIONS_VIOLATION')
})

test('an agent listens to its own inbox', async () => {
  expect(await refusalOf(agent, `${agentInbox('alpha.1', 'an-id')}.x`)).toBeUndefined()
})

test('an agent may not publish tasks or orders', async () => {
  const heard: string[] = []
  coordinator.subscribe('placefleet.control.>', { callback: (_, message) => heard.push(message.subject) })
  await coordinator.flush()

  await expect(agent.jetstream().publish(taskSubject('one'), '{}')).rejects.toMatchObject({
    code: 'PERMISSIONS_VIOLATION',
  })
  agent.publish(CONTROL_JOB_ENDED, '{}')
  await agent.flush()
  await coordinator.flush()

  expect(heard).toEqual([])
  expect(await waiting()).toBe(1)
})

test('an agent may not administer the queue', async () => {
  const ofAgent = await agent.jetstreamManager({ checkAPI: false })
  const mine = { durable_name: 'mine', ack_policy: AckPolicy.Explicit }
  const attempts = [
    () => ofAgent.streams.info(TASK_STREAM),
    () => ofAgent.streams.purge(TASK_STREAM),
    () => ofAgent.streams.delete(TASK_STREAM),
    () => ofAgent.streams.getMessage(TASK_STREAM, { seq: 1 }),
    () => ofAgent.streams.deleteMessage(TASK_STREAM, 1),
    () => ofAgent.streams.add({ name: 'MINE', subjects: ['mine'] }),
    () => ofAgent.consumers.add(TASK_STREAM, mine),
    () => ofAgent.consumers.delete(TASK_STREAM, TASK_CONSUMER),
    () => ofAgent.getAccountInfo(),
  ]

  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'PERMISSIONS_VIOLATION' })
  expect(await waiting()).toBe(1)
})

test('an agent takes a task from the consumer and acknowledges it', async () => {
  const consumer = await agent.jetstream().consumers.get(TASK_STREAM, TASK_CONSUMER)

  const message = await consumer.next({ expires: 2_000 })

  expect(await message?.ackAck()).toBe(true)
  expect(await waiting()).toBe(0)
  await addTask() // for the other tests
})
