import { randomUUID } from 'node:crypto'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { createDeliveryLimits, createHourlyWindow } from '@placefleet/coordinator/webhooks/deliveries/hourly-limits'
import { recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { createDeliveryQueue, retryByHand } from '@placefleet/coordinator/webhooks/deliveries/store'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { expect, test } from 'vitest'
import {
  attempt,
  deliveryWorld,
  endedJob,
  readDelivery,
  recordOne,
  registerWebhook,
} from '../../../harness/coordinator/deliveries.ts'
import { testReceiver } from '../../../harness/network/test-receiver.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { SCAN } from '../../../harness/servers/scan.ts'
import { steppingDb } from '../../../harness/servers/stepping-database.ts'

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

test.each([
  { limit: 1, most: 1 },
  { limit: 2, most: 1 },
  { limit: 3, most: 1 },
  { limit: 4, most: 2 },
])('of $limit deliveries in an hour, $most may be by hand', async ({ limit, most }) => {
  const { ofAccount } = createDeliveryLimits(db, { account: limit, address: 1 })
  const delivery = { user_id: randomUUID(), queue: 'one', by_hand: true, counted: [] }
  const asked = await Promise.all(Array.from({ length: limit + 1 }, () => ofAccount(delivery)))
  expect(asked.filter(({ exhausted }) => !exhausted)).toHaveLength(most)
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
  const minutes = (Number(waiting?.due_at) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(58)
  expect(minutes).toBeLessThan(62)
  expect(receiver.connections()).toBe(2)
})

test('ten names and ten accounts share the limit of one address', async () => {
  await db.collection('limits').deleteMany() // of the tests before, which have the same address
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
  await db.collection('limits').deleteMany() // of the tests before, which have the same address
  const { receiver, parts } = await limited(hourly)
  const { user_id } = await registerWebhook(db, secrets, receiver.url)
  const id = await recordOne(db, user_id)
  const delivered = await attempt(parts, id)
  expect(delivered.status).toBe('delivered')

  await retryByHand(db, receiver, delivered)

  expect(await attempt(parts, id)).toMatchObject({ status: 'pending', attempt_count: 1 })
  expect(receiver.received).toHaveLength(1)
})

/** Returns a database that counts the writes of many deliveries at once. */
function countingWrites() {
  let writes = 0
  const counting = steppingDb(db, ['updateMany'], (call) => {
    writes += 1
    return call()
  })
  return { queue: createDeliveryQueue(counting), writes: () => writes }
}

test.each([
  ['account', { account: 1, address: 1_000 }, 0],
  ['address', { account: 1_000, address: 1 }, 1],
])(
  'an exhausted $0 postpones all that waits with one write, and $2 names are looked up',
  async (_, hourly, expected) => {
    await db.collection('limits').deleteMany() // of the tests before, which have the same address
    const { receiver, parts } = await limited(hourly)
    let lookups = 0
    const lookup: typeof parts.egress.lookup = async (...query) => {
      lookups += 1
      return parts.egress.lookup(...query)
    }
    const user_id = randomUUID()
    for (const path of ['one', 'two']) await registerWebhook(db, secrets, `${receiver.url}/${path}`, user_id)
    for (let made = 0; made < 10; made++) await recordDeliveries(db, endedJob(user_id))
    const [first, second] = await deliveriesOf(db).find({ user_id }, SCAN).toArray()
    await attempt(parts, first?._id ?? '')
    const { queue, writes } = countingWrites()

    await attempt({ ...parts, queue, egress: { ...parts.egress, lookup } }, second?._id ?? '')

    const waiting = await deliveriesOf(db).find({ user_id, status: 'pending' }, SCAN).toArray()
    expect(waiting).toHaveLength(19)
    expect(new Set(waiting.map(({ due_at }) => due_at?.getTime())).size).toBe(1)
    expect(waiting[0]?.due_at?.getTime()).toBeGreaterThan(Date.now() + 3_000_000)
    expect(waiting.map(({ lease }) => lease)).toEqual(waiting.map(() => undefined))
    expect([writes(), lookups]).toEqual([1, expected])
  },
)

test('an exhausted limit postpones neither retries that it has counted, nor the deliveries of others', async () => {
  const { receiver, parts: mine } = await limited({ account: 1, address: 1_000 })
  const { user_id } = await registerWebhook(db, secrets, receiver.url)
  const other = await registerWebhook(db, secrets, receiver.url)
  const [retried, refused, ofOther] = [
    await recordOne(db, user_id),
    await recordOne(db, user_id),
    await recordOne(db, other.user_id),
  ]
  await attempt({ ...mine, egress: parts().egress }, retried) // its host is not allowed
  await attempt(mine, refused)
  const isSoon = async (id: string) => Number((await readDelivery(db, id)).due_at) < Date.now() + 60_000
  expect(await Promise.all([retried, refused, ofOther].map(isSoon))).toEqual([true, false, true])
})
