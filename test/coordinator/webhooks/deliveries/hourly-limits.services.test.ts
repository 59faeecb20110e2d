import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { createDeliveryLimits, createHourlyWindow } from '@placefleet/coordinator/webhooks/deliveries/hourly-limits'
import { retryByHand } from '@placefleet/coordinator/webhooks/deliveries/store'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { expect, test } from 'vitest'
import { attempt, deliveryWorld, recordOne, registerWebhook } from '../../../harness/coordinator/deliveries.ts'
import { testReceiver } from '../../../harness/network/test-receiver.ts'
import { testDatabase } from '../../../harness/servers/database.ts'

const { db } = await testDatabase()
const { secrets, parts } = await deliveryWorld(db)
const at = (text: string) => new Date(`2026-01-01T${text}Z`)

test('a window grants its limit, then tells when it resets, and begins anew then', async () => {
  const take = (time: string) => createHourlyWindow(db, 3, at(time)).take('a key')
  expect(await take('10:00:00.000')).toBeUndefined()
  expect(await take('10:30:00.000')).toBeUndefined()
  expect(await take('10:59:59.000')).toBeUndefined()
  expect(await take('10:59:59.999')).toEqual(at('11:00:00.000'))
  expect(await take('11:00:00.000')).toBeUndefined()
  expect(await take('11:00:00.000')).toBeUndefined()
})

test('fifty concurrent takers get at most the limit', async () => {
  const window = createHourlyWindow(db, 7)
  const taken = await Promise.all(Array.from({ length: 50 }, () => window.take('crowded')))
  expect(taken.filter((wait) => wait === undefined)).toHaveLength(7)
})

async function limited(hourly: { account: number; address: number }) {
  const receiver = await testReceiver()
  const egress = { ...parts().egress, allow: parseAllowHosts(receiver.host) }
  const limits = createDeliveryLimits(db, hourly)
  return { receiver, parts: parts({ egress, limits, ca: receiver.authority.ca }) }
}

test('beyond the limit of its account a delivery waits for the window, without an attempt', async () => {
  const { receiver, parts } = await limited({ account: 2, address: 1_000 })
  const { user_id } = await registerWebhook(db, secrets, receiver.url)
  const ids = [await recordOne(db, user_id), await recordOne(db, user_id), await recordOne(db, user_id)]
  const [first, second, third] = await Promise.all(ids.map((id) => attempt(parts, id)))
  const statuses = [first, second, third].map((delivery) => delivery?.status).sort()
  expect(statuses).toEqual(['delivered', 'delivered', 'pending'])
  const waiting = [first, second, third].find((delivery) => delivery?.status === 'pending')
  expect(waiting).toMatchObject({ attempt_count: 0, attempts: [] })
  const minutes = ((waiting?.due_at.getTime() ?? 0) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(58)
  expect(minutes).toBeLessThan(62)
  expect(receiver.connections()).toBe(2)
})

test('ten names and ten accounts share the limit of one address', async () => {
  await db.collection('webhook_windows').deleteMany() // of the tests before, which have the same address
  const { receiver, parts } = await limited({ account: 1_000, address: 50 })
  const hosts = Array.from({ length: 10 }, (_, number) => `name${number}.example.com`)
  const egress = {
    allow: parseAllowHosts(hosts.join(',')),
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  }
  const authority = receiver.authority
  let delivered = 0
  for (const host of hosts) {
    const { user_id } = await registerWebhook(db, secrets, `https://${host}:${receiver.port}/`)
    const ids = await Promise.all(Array.from({ length: 6 }, () => recordOne(db, user_id)))
    const ended = await Promise.all(ids.map((id) => attempt({ ...parts, egress, ca: authority.ca }, id)))
    delivered += ended.filter(({ attempt_count }) => attempt_count === 1).length
  }
  expect(delivered).toBe(50)
  expect(receiver.connections()).toBe(50)
})

test('a delivery is counted once, its retries are not', async () => {
  const { receiver, parts } = await limited({ account: 1, address: 1_000 })
  const failing = await testReceiver((response) => void response.writeHead(500).end())
  const egress = { ...parts.egress, allow: parseAllowHosts(failing.host) }
  const { user_id } = await registerWebhook(db, secrets, failing.url)
  const id = await recordOne(db, user_id)
  for (let made = 1; made <= 3; made++) await attempt({ ...parts, egress, ca: failing.authority.ca }, id)
  expect(failing.received).toHaveLength(3)
  expect(receiver.connections()).toBe(0)
})

test.each([
  ['account', { account: 1, address: 1_000 }],
  ['address', { account: 1_000, address: 1 }],
])('a delivery that is retried by hand counts again for its %s', async (_, hourly) => {
  await db.collection('webhook_windows').deleteMany() // of the tests before, which have the same address
  const { receiver, parts } = await limited(hourly)
  const { user_id } = await registerWebhook(db, secrets, receiver.url)
  const id = await recordOne(db, user_id)
  const delivered = await attempt(parts, id)
  expect(delivered.status).toBe('delivered')

  await retryByHand(db, delivered)

  expect(await attempt(parts, id)).toMatchObject({ status: 'pending', attempt_count: 1 })
  expect(receiver.received).toHaveLength(1)
})

test('an exhausted account postpones all that waits with one write, before it looks up a name', async () => {
  const { receiver, parts } = await limited({ account: 1, address: 1_000 })
  let lookups = 0
  const lookup: typeof parts.egress.lookup = async (...query) => {
    lookups += 1
    return parts.egress.lookup(...query)
  }
  const { user_id } = await registerWebhook(db, secrets, receiver.url)
  const ids: string[] = []
  while (ids.length < 20) ids.push(await recordOne(db, user_id))
  await attempt(parts, ids[0] ?? '')

  await attempt({ ...parts, egress: { ...parts.egress, lookup } }, ids[1] ?? '')

  const waiting = await deliveriesOf(db).find({ user_id, status: 'pending' }).toArray()
  expect(waiting).toHaveLength(19)
  expect(new Set(waiting.map(({ due_at }) => due_at.getTime())).size).toBe(1)
  expect(waiting[0]?.due_at.getTime()).toBeGreaterThan(Date.now() + 3_000_000)
  expect(waiting.map(({ claim }) => claim)).toEqual(waiting.map(() => undefined))
  expect(lookups).toBe(0)
})
