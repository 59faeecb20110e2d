import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import type { HeldDelivery } from '@placefleet/coordinator/webhooks/deliveries/store'
import { expect, test } from 'vitest'
import { deliveryWorld, readDelivery, recordOne, registerWebhook } from '../../../harness/coordinator/deliveries.ts'
import { testDatabase } from '../../../harness/servers/database.ts'

const { db } = await testDatabase()
const { secrets, parts } = await deliveryWorld(db)
const { queue } = parts()

async function recorded() {
  const { user_id, webhook_id } = await registerWebhook(db, secrets, 'https://hooks.example.com/')
  return { delivery_id: await recordOne(db, user_id), webhook: { _id: webhook_id, user_id } }
}

async function begun(delivery_id: string): Promise<HeldDelivery> {
  const claimed = (await queue.takeOne(delivery_id)) ?? expect.fail('not claimed')
  await queue.begin(claimed, [])
  return claimed
}

/** Lets a lease end, as after the death of its coordinator. */
const expire = (_id: string) => deliveriesOf(db).updateOne({ _id }, { $set: { due_at: new Date(0) } })

test('while one coordinator has a delivery no other can take it', async () => {
  const { delivery_id } = await recorded()
  expect(await queue.takeOne(delivery_id)).toMatchObject({ _id: delivery_id })
  expect(await queue.takeOne(delivery_id)).toBeUndefined()
})

test('when two coordinators deliver, because the lease of the first ended, each attempt shows its result', async () => {
  const { delivery_id } = await recorded()
  const first = await begun(delivery_id)
  await expire(delivery_id)
  const second = await begun(delivery_id)

  await queue.delivered(first, { status_code: 200, duration_ms: 6_000 })
  expect(await queue.end(second, 'failed', { error: 'no response', duration_ms: 10 })).toBe(false)
  await queue.delivered(second, { status_code: 204, duration_ms: 10 })

  expect(await readDelivery(db, delivery_id)).toMatchObject({
    status: 'delivered',
    attempts: [
      { number: 1, status_code: 200 },
      { number: 2, status_code: 204 },
    ],
  })
})

test('dropping the waiting deliveries of a webhook leaves an attempt in flight alone', async () => {
  const { delivery_id, webhook } = await recorded()
  const claimed = await begun(delivery_id)
  await queue.dropWaiting(webhook)
  expect(await queue.end(claimed, 'failed')).toBe(true)
})

test('an exhausted limit postpones what is due sooner, and brings back nothing that is due later', async () => {
  const [soon, late] = [await recorded(), await recorded()]
  const [until, later] = [new Date(Date.now() + 600_000), new Date(Date.now() + 3_600_000)]
  await deliveriesOf(db).updateOne({ _id: late.delivery_id }, { $set: { due_at: later } })
  await queue.postponeWaiting({ queue: 'hooks.example.com' }, until, 'address')
  expect((await readDelivery(db, soon.delivery_id))?.due_at).toEqual(until)
  expect((await readDelivery(db, late.delivery_id))?.due_at).toEqual(later)
})
