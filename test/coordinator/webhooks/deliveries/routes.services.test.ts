import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { deliveryRoutes } from '@placefleet/coordinator/webhooks/deliveries/routes'
import { Delivery, DeliveryPage } from '@placefleet/coordinator/webhooks/deliveries/schema'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { NewWebhook } from '@placefleet/coordinator/webhooks/schema'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startApi } from '../../../harness/coordinator/api.ts'
import {
  attempt,
  attemptAll,
  deliveryWorld,
  endedJob,
  recordOne,
  registerWebhook,
} from '../../../harness/coordinator/deliveries.ts'
import { testUser } from '../../../harness/coordinator/users.ts'
import type { Respond } from '../../../harness/network/receiver.ts'
import { testReceiver } from '../../../harness/network/test-receiver.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { SCAN } from '../../../harness/servers/scan.ts'

const { db } = await testDatabase()
const { secrets, parts } = await deliveryWorld(db)

const notifyDeliveries = vi.fn()
const options = { prefix: '/api/v1', db, secrets, notifyDeliveries, hasJob: async () => true }
const api = await startApi(
  db,
  { routes: async (server) => void (await server.register(deliveryRoutes, options)) },
  afterAll,
)

/** Returns a user, a webhook of theirs and its receiver. */
async function world(respond?: Respond) {
  const receiver = await testReceiver(respond)
  notifyDeliveries.mockClear()
  const { user_id, key } = await testUser(db)
  const webhook = await registerWebhook(db, secrets, receiver.url, user_id)
  const egress = { ...parts().egress, allow: parseAllowHosts(receiver.host) }
  const path = `/api/v1/webhooks/${webhook.webhook_id}`
  const call = (method: string, rest: string, as = key, body?: object) =>
    api.call(method, `${path}${rest}`, { key: as, body })
  return { ...webhook, key, receiver, call, parts: parts({ egress, ca: receiver.authority.ca }) }
}

test('a test is a signed delivery of one attempt, that verifies the webhook', async () => {
  const { call, parts, receiver, secret, read } = await world()
  const answer = await call('POST', '/test')
  expect(answer.status).toBe(202)
  const { id, ...rest } = Delivery.parse(answer.body)
  expect(rest).toMatchObject({ event_type: 'webhook.test', status: 'pending', attempts: [] })
  expect(notifyDeliveries).toHaveBeenCalledOnce()

  expect(await attempt(parts, id)).toMatchObject({ status: 'delivered', max_attempts: 1 })

  const { body = '', headers = {} } = receiver.received[0] ?? {}
  const payload = { event_type: 'webhook.test', webhook_name: 'a webhook' }
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject(payload)
  expect(await read()).toMatchObject({ verified_at: expect.any(Date) })
})

test('a user sends ten tests an hour, over all webhooks', async () => {
  const { call, key, user_id, receiver } = await world()
  const other = await registerWebhook(db, secrets, `${receiver.url}/other`, user_id)
  for (let nth = 0; nth < 9; nth++) expect((await call('POST', '/test')).status).toBe(202)
  const otherTest = () => api.call('POST', `/api/v1/webhooks/${other.webhook_id}/test`, { key })
  expect((await otherTest()).status).toBe(202)

  for (const refused of [await call('POST', '/test'), await otherTest()]) {
    expect([refused.status, refused.body]).toMatchObject([429, { error: 'rate_limited' }])
    const seconds = Number(refused.headers.get('retry-after'))
    expect([seconds > 3_500, seconds <= 3_601]).toEqual([true, true])
  }
  expect(await deliveriesOf(db).countDocuments({ user_id }, SCAN)).toBe(10)
  expect((await (await world()).call('POST', '/test')).status).toBe(202)
})

test('a failed test has one attempt and does not change the health', async () => {
  const { call, parts, read } = await world((response) => void response.writeHead(500).end())
  const { id } = Delivery.parse((await call('POST', '/test')).body)
  expect(await attempt(parts, id)).toMatchObject({ status: 'failed', attempt_count: 1 })
  expect(await read()).toMatchObject({ consecutive_failures: 0 })
})

test('deliveries are listed newest first, in pages, with the sent body and the first kilobyte of each response', async () => {
  const { call, parts, user_id, receiver } = await world(
    (response) => void response.writeHead(503).end(`${'a'.repeat(1_023)}ü and more`),
  )
  const ids = [await recordOne(db, user_id), await recordOne(db, user_id, { ended_at: new Date('2026-01-03') })]
  await attempt(parts, ids[1] ?? '')
  const answer = await call('GET', '/deliveries?limit=1')
  const page = DeliveryPage.parse(answer.body)
  expect(page).toMatchObject({ total: 2, page: 1, limit: 1, has_more: true })
  expect(page.deliveries).toEqual([
    {
      id: ids[1],
      event_type: 'job.completed',
      job_id: expect.any(String),
      body: receiver.received[0]?.body,
      headers: receiver.received[0]?.headers,
      status: 'pending',
      attempt_count: 1,
      attempts: [
        {
          number: 1,
          at: expect.any(String),
          headers: receiver.received[0]?.headers,
          status_code: 503,
          duration_ms: expect.any(Number),
          response_body: 'a'.repeat(1_023), // the letter that the cut would split is left out
          error: 'The response was not a 2xx.',
        },
      ],
      next_attempt_at: expect.any(String),
      created_at: '2026-01-03T00:00:00.000Z',
    },
  ])
  const second = DeliveryPage.parse((await call('GET', '/deliveries?limit=1&page=2')).body)
  expect([second.deliveries[0]?.id, second.has_more]).toEqual([ids[0], false])
})

test('deliveries are filtered by event type and status', async () => {
  const { call, user_id } = await world()
  const completed = await recordOne(db, user_id)
  const failed = await recordOne(db, user_id, { status: 'failed' })
  const idsOf = async (query: string) =>
    DeliveryPage.parse((await call('GET', `/deliveries?${query}`)).body).deliveries.map(({ id }) => id)
  await deliveriesOf(db).updateOne({ _id: failed }, { $set: { status: 'delivered' } })
  expect(await idsOf('event_type=job.failed')).toEqual([failed])
  expect(await idsOf('status=pending')).toEqual([completed])
  expect(await idsOf('status=pending&event_type=job.failed')).toEqual([])
  expect((await call('GET', '/deliveries?event_type=job.done')).status).toBe(400)
})

test('a webhook is sent only the events it was registered for', async () => {
  const { user_id, webhook_id } = await world()
  await webhooksOf(db).updateOne({ _id: webhook_id }, { $set: { event_types: ['job.failed'] } })
  expect(await recordDeliveries(db, endedJob(user_id))).toBe(0)
  expect(await recordDeliveries(db, endedJob(user_id, { status: 'failed' }))).toBe(1)
})

test('exactly the failed job events since a time get one more attempt each', async () => {
  const { call, key, user_id, parts } = await world()
  const since = new Date('2026-02-01T00:00:00.000Z')
  const [, failed = '', also, delivered = ''] = await Promise.all(
    [since.getTime() - 1, since.getTime(), since.getTime() + 1, since.getTime() + 2].map((at) =>
      recordOne(db, user_id, { ended_at: new Date(at) }),
    ),
  )
  await call('POST', '/test')
  const ended = { status: 'failed', attempt_count: 5, ended_at: since } as const
  await deliveriesOf(db).updateMany({ user_id }, { $set: ended }, SCAN)
  await deliveriesOf(db).updateOne({ _id: delivered }, { $set: { status: 'delivered' } })
  notifyDeliveries.mockClear()

  const answer = await call('POST', '/retry-failed', key, { since: '2026-02-01T01:00:00+01:00' })

  expect([answer.status, answer.body]).toEqual([202, { retried: 2 }])
  expect(notifyDeliveries).toHaveBeenCalledOnce()
  const pending = await deliveriesOf(db).distinct('_id', { user_id, status: 'pending' }, SCAN)
  expect(pending.sort()).toEqual([failed, also].sort())
  expect(await attempt(parts, failed)).toMatchObject({ status: 'delivered', attempt_count: 6 })
})

test('an interrupted attempt is distinguished from one in flight', async () => {
  const { call, parts, user_id } = await world()
  const id = await recordOne(db, user_id)
  const begin = async () => {
    await deliveriesOf(db).updateOne({ _id: id }, { $set: { due_at: new Date(0) } })
    const claimed = await parts.queue.takeOne(id)
    if (claimed) await parts.queue.begin(claimed, [])
    return DeliveryPage.parse((await call('GET', '/deliveries')).body).deliveries[0]?.attempts ?? []
  }
  expect((await begin()).map(({ error }) => error)).toEqual([undefined])
  const cutOff = 'The sender stopped before the response arrived.'
  expect((await begin()).map(({ error }) => error)).toEqual([cutOff, undefined])
})

test('an ended delivery can be sent again with its id, without an effect on the health', async () => {
  let status = 500
  const { call, parts, user_id, read, receiver } = await world((response) => void response.writeHead(status).end())
  const id = await recordOne(db, user_id)
  await attemptAll(parts, id)
  expect((await call('POST', `/deliveries/${id}/retry`)).status).toBe(202)
  expect((await call('POST', `/deliveries/${id}/retry`)).status).toBe(409)
  expect(await attempt(parts, id)).toMatchObject({ status: 'failed', attempt_count: 6 })
  expect(await read()).toMatchObject({ consecutive_failures: 1 })
  status = 200
  await call('POST', `/deliveries/${id}/retry`)
  expect(await attempt(parts, id)).toMatchObject({ status: 'delivered', attempt_count: 7 })
  expect(await read()).toMatchObject({ consecutive_failures: 0 })
  expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']))).toEqual(new Set([id]))
})

test('after two rotations both old secrets sign for a day', async () => {
  const { call, parts, user_id, secret, receiver, webhook_id } = await world()
  const second = NewWebhook.parse((await call('POST', '/rotate-secret')).body)
  const third = NewWebhook.parse((await call('POST', '/rotate-secret')).body)
  expect(third).toMatchObject({ id: webhook_id, url: receiver.url, secret: expect.stringMatching(/^whsec_/) })
  const verifies = async (key: string) => {
    await attempt(parts, await recordOne(db, user_id))
    const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
    return new Webhook(key).verify(body, headers as Record<string, string>)
  }
  for (const key of [secret, second.secret, third.secret]) expect(await verifies(key)).toBeTypeOf('object')

  const { updated_at, previous_secrets = [] } = (await webhooksOf(db).findOne({ _id: webhook_id })) ?? expect.fail()
  const hours = previous_secrets.map(({ until }) => (until.getTime() - updated_at.getTime()) / 3_600_000)
  expect(hours).toEqual([24, expect.closeTo(24, 1)]) // the second one counts from the first rotation
  await webhooksOf(db).updateOne({ _id: webhook_id }, { $set: { 'previous_secrets.$[].until': new Date() } })
  expect(await verifies(third.secret)).toBeTypeOf('object')
  await expect(verifies(second.secret)).rejects.toThrow('No matching signature')
  await expect(verifies(secret)).rejects.toThrow('No matching signature')
})

test('a coordinator whose clock is two days ahead still signs with the old secret', async () => {
  const { call, parts, user_id, secret, receiver } = await world()
  await call('POST', '/rotate-secret')
  const delivery_id = await recordOne(db, user_id)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 172_800_000 })
  onTestFinished(() => void vi.useRealTimers())
  await attempt(parts, delivery_id)
  vi.useRealTimers()
  const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTypeOf('object')
})

test('a disabled webhook must be re-enabled before a test or a retry, and a revoked one has its deliveries left', async () => {
  const { call, user_id, webhook_id } = await world()
  const id = await recordOne(db, user_id)
  expect((await call('POST', `/deliveries/${crypto.randomUUID()}/retry`)).status).toBe(404)
  const calls = ['/test', `/deliveries/${id}/retry`, '/rotate-secret']
  const statuses = async () => (await Promise.all(calls.map((rest) => call('POST', rest)))).map(({ status }) => status)
  await webhooksOf(db).updateOne({ _id: webhook_id }, { $set: { health_state: 'disabled' } })
  expect(await statuses()).toEqual([409, 409, 200])
  await webhooksOf(db).updateOne({ _id: webhook_id }, { $set: { revoked_at: new Date() } })
  expect(await statuses()).toEqual([404, 404, 404])
  expect((await call('GET', '/deliveries')).status).toBe(200)
})
