import { randomUUID } from 'node:crypto'
import { type DispatchDeps, startDispatch } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { createDeliveryLimits } from '@placefleet/coordinator/webhooks/deliveries/hourly-limits'
import { recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { retryFailed } from '@placefleet/coordinator/webhooks/deliveries/store'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { expect, onTestFinished, test } from 'vitest'
import {
  deliveryWorld,
  endedJob,
  readDelivery,
  recordOne,
  registerWebhook,
} from '../../../harness/coordinator/deliveries.ts'
import { createAuthority } from '../../../harness/network/certificates.ts'
import { RECEIVER_NAMES, type Respond, startReceiver } from '../../../harness/network/receiver.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { SCAN } from '../../../harness/servers/scan.ts'
import { until } from '../../../harness/until.ts'
import { volume } from '../../../harness/volume.ts'

const { db } = await testDatabase()
const { secrets, parts } = await deliveryWorld(db)
const authority = await createAuthority()
const identity = await authority.issue(RECEIVER_NAMES)
const deliveries = deliveriesOf(db)

async function receiver(respond?: Respond) {
  const started = await startReceiver(identity, respond)
  onTestFinished(started.close)
  return started
}

function dispatching(hosts: string[], changes: Partial<DispatchDeps> = {}) {
  const egress = { ...parts().egress, allow: parseAllowHosts(hosts.join(',')) }
  const dispatch = startDispatch(parts({ egress, ca: authority.ca, ...changes }))
  onTestFinished(() => dispatch.stop())
  return dispatch
}

const pending = (user_id: string) => deliveries.countDocuments({ user_id, status: 'pending' }, SCAN)

test('one delivery is recorded for each active webhook, even if the end of the job is repeated', async () => {
  const user_id = randomUUID()
  const [one, two, off, gone] = await Promise.all(
    [1, 2, 3, 4].map((number) => registerWebhook(db, secrets, `https://example.com/${number}`, user_id)),
  )
  await registerWebhook(db, secrets, 'https://example.com/of-somebody-else')
  const webhooks = db.collection<{ _id: string | undefined }>('webhooks')
  await webhooks.updateOne({ _id: off?.webhook_id }, { $set: { health_state: 'disabled' } })
  await webhooks.updateOne({ _id: gone?.webhook_id }, { $set: { revoked_at: new Date() } })
  const job = endedJob(user_id, { status: 'failed', result_count: 7 })

  await Promise.all(Array.from({ length: 20 }, () => recordDeliveries(db, job)))
  expect(await recordDeliveries(db, { ...job, name: 'renamed' })).toBe(0)

  const recorded = await deliveries.find({ job_id: job.job_id }).toArray()
  expect(recorded.map(({ webhook_id }) => webhook_id).sort()).toEqual([one?.webhook_id, two?.webhook_id].sort())
  expect(recorded.map(({ body }) => JSON.parse(body))).toEqual(
    recorded.map(() => expect.objectContaining({ event_type: 'job.failed', result_count: 0, job_name: 'a job' })),
  )
  await deliveries.deleteMany({ job_id: job.job_id })
})

test('two coordinators deliver everything that is due, each once, and by themselves', async () => {
  const to = await receiver()
  const { user_id } = await registerWebhook(db, secrets, to.url)
  for (let made = 0; made < 60; made++) await recordDeliveries(db, endedJob(user_id))
  dispatching([to.host])
  dispatching([to.host])
  await until('all are delivered', async () => (await pending(user_id)) === 0)
  expect(to.received).toHaveLength(60)
  expect(new Set(to.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(60)
})

test('the event of a job is delivered while 1,000 repeats wait, which get half of the hour and go last', async () => {
  await db.collection('limits').deleteMany() // of the tests before, which have the same address
  const to = await receiver()
  const { user_id, webhook_id } = await registerWebhook(db, secrets, to.url)
  const failed = { status: 'failed', attempt_count: 5, ended_at: new Date() } as const
  await recordOne(db, user_id)
  const { _id: _, due_at: __, ...first } = (await deliveries.findOne({ user_id }, SCAN)) ?? expect.fail('no delivery')
  const copies = Array.from({ length: 999 }, () => ({ ...first, _id: randomUUID(), job_id: randomUUID() }))
  await deliveries.insertMany(copies)
  await deliveries.updateMany({ user_id }, { $set: failed, $unset: { due_at: '' } }, SCAN)
  const webhook = await webhooksOf(db).findOne({ _id: webhook_id })
  expect(await retryFailed(db, webhook ?? expect.fail('no webhook'), new Date(0))).toBe(1_000)
  const limits = createDeliveryLimits(db, { account: 20, address: 12 })
  const dispatch = dispatching([to.host], { limits })
  await until('the half of the address is used up', () => to.received.length === 6)
  await until('the repeats wait', async () => !(await deliveries.findOne({ user_id, due_at: { $lt: new Date() } })))

  const events: string[] = []
  for (let nth = 0; nth < 7; nth++) events.push(await recordOne(db, user_id))
  dispatch.wake()
  await until('the other half is used up', () => to.received.length === 12)
  const sent = to.received.slice(6).map(({ headers }) => String(headers['x-webhook-id']))
  expect(events).toEqual(expect.arrayContaining(sent))

  const last = await until('the last event waits', () =>
    deliveries.findOne({ _id: { $in: events }, status: 'pending', due_at: { $gt: new Date() } }),
  )
  const [repeat] = await deliveries
    .find({ user_id, by_hand: true, status: 'pending' }, SCAN)
    .sort({ due_at: 1 })
    .toArray()
  expect(Number(repeat?.due_at)).toBeGreaterThan(Number(last.due_at) + 50_000)
})

test('silent receivers do not delay others', async () => {
  const silent = await receiver(() => undefined)
  const lively = await receiver()
  const slow = await registerWebhook(db, secrets, silent.url)
  const quick = await registerWebhook(db, secrets, lively.url)
  for (let made = 0; made < volume(60, 10_000); made++) await recordDeliveries(db, endedJob(slow.user_id))
  const last = await recordOne(db, quick.user_id)
  const dispatch = dispatching([silent.host, lively.host], {
    concurrency: { total: 10, perHost: 8 },
    timeoutMs: 60_000,
  })
  await until('the lively one has its delivery', async () => (await readDelivery(db, last)).status === 'delivered')
  expect(silent.received.length).toBeLessThanOrEqual(8)
  await silent.close()
  await deliveries.deleteMany({ user_id: slow.user_id }, SCAN)
  await dispatch.stop()
})

test('stopping waits for the attempt under way, which then counts', async () => {
  const answer = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const to = await receiver((response) => {
    asked.resolve()
    void answer.promise.then(() => response.writeHead(200).end())
  })
  const { user_id } = await registerWebhook(db, secrets, to.url)
  const id = await recordOne(db, user_id)
  const dispatch = dispatching([to.host])
  await asked.promise
  const stopped = dispatch.stop()
  answer.resolve()
  await stopped
  expect(await readDelivery(db, id)).toMatchObject({ status: 'delivered', attempt_count: 1 })
})
