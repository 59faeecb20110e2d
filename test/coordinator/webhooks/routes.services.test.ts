import { randomBytes, randomUUID } from 'node:crypto'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { deliver } from '@placefleet/coordinator/webhooks/deliveries/deliver'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordTest } from '@placefleet/coordinator/webhooks/deliveries/record'
import { type WebhookDocument, webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { webhookRoutes } from '@placefleet/coordinator/webhooks/routes'
import { createWebhook, listWebhooks, recordExhausted, revokeWebhook } from '@placefleet/coordinator/webhooks/store'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { ALLOW_NONE, type AllowHosts, parseAllowHosts } from '@placefleet/shared/egress/target'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { deliveryWorld } from '../../harness/coordinator/deliveries.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const secrets = createSecretBox(randomBytes(32))
const webhooks = webhooksOf(db)
const path = '/api/v1/webhooks'
const url = 'https://example.com/hook'
const publicNames: Lookup = async () => [{ address: '93.184.215.14', family: 4 }]

async function webhookApi(allowHosts: AllowHosts, whenOver: (end: () => Promise<void>) => void = onTestFinished) {
  const options = { prefix: '/api/v1', db, secrets, allowHosts, lookup: publicNames }
  return startApi(db, { routes: async (server) => void (await server.register(webhookRoutes, options)) }, whenOver)
}

const api = await webhookApi(ALLOW_NONE, afterAll)

/** Returns a user and a webhook of theirs. */
async function registered(changes: Partial<WebhookDocument> = {}) {
  const { user_id, key } = await testUser(db)
  const made = await api.call('POST', path, { key, body: { name: 'mine', url } })
  const { id, secret } = made.body as { id: string; secret: string }
  await webhooks.updateOne({ _id: id }, { $set: changes })
  return { made: made.body, user_id, key, id, secret, status: made.status, stored: () => webhooks.findOne({ _id: id }) }
}

const listed = async (key: string) => (await api.call('GET', path, { key })).body as object[]

describe('registering', () => {
  test('answers 201 with the secret, which is stored only encrypted and never shown again', async () => {
    const { key, id, secret, made, status, stored } = await registered()
    expect([status, made]).toEqual([201, { id, name: 'mine', url, secret }])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const document = await stored()
    expect(JSON.stringify(document)).not.toContain(secret.slice(6))
    expect(secrets.open(document?.sealed_secret ?? '')).toBe(secret)
    expect(await listed(key)).toEqual([
      {
        id,
        name: 'mine',
        url,
        event_types: ['job.completed', 'job.failed', 'job.cancelled'],
        health_state: 'healthy',
        consecutive_failures: 0,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ])
  })

  test.each([
    ['one event type', ['job.failed'], 201],
    ['no event type', [], 400],
    ['an event type twice', ['job.failed', 'job.failed'], 400],
    ['an event of another kind', ['webhook.test'], 400],
  ])('for %s is answered with $2', async (_, event_types, status) => {
    const { key } = await testUser(db)
    expect((await api.call('POST', path, { key, body: { name: 'x', url, event_types } })).status).toBe(status)
    if (status === 201) expect(await listed(key)).toMatchObject([{ event_types }])
  })

  test('a disabled webhook keeps its place among ten, and revoking one makes room', async () => {
    const { key, user_id } = await testUser(db)
    const register = async () => (await api.call('POST', path, { key, body: { name: 'x', url } })).status
    for (let nth = 0; nth < 10; nth++) expect(await register()).toBe(201)
    await webhooks.updateOne({ user_id }, { $set: { health_state: 'disabled' } })
    expect(await register()).toBe(409)
    const [first] = (await listed(key)) as { id: string }[]
    await api.call('DELETE', `${path}/${first?.id}`, { key })
    expect(await register()).toBe(201)
    expect(await listed(key)).toHaveLength(11)
  })
})

describe('changing', () => {
  const change = ({ key, id }: { key: string; id: string }, body: unknown) =>
    api.call('PATCH', `${path}/${id}`, { key, body })

  test.each([
    ['nothing', {}],
    ['what is the same already', { name: 'mine', url }],
    ['reenable: true while healthy', { reenable: true }],
    ['reenable: false', { reenable: false }],
  ])('%s changes nothing', async (_, body) => {
    const made = await registered({ verified_at: new Date(0), consecutive_failures: 3 })
    const before = await made.stored()
    expect((await change(made, body)).status).toBe(204)
    expect(await made.stored()).toEqual(before)
  })

  test('the event types replace those before', async () => {
    const made = await registered()
    expect((await change(made, { event_types: ['job.failed', 'job.completed'] })).status).toBe(204)
    expect(await listed(made.key)).toMatchObject([{ event_types: ['job.failed', 'job.completed'] }])
  })

  test('the name leaves the url verified, another url does not', async () => {
    const made = await registered({ verified_at: new Date(0), updated_at: new Date(0) })
    expect((await change(made, { name: '$url' })).status).toBe(204)
    expect(await made.stored()).toMatchObject({ name: '$url', url, verified_at: new Date(0) })
    expect((await made.stored())?.updated_at.getTime()).toBeGreaterThan(0)
    const moved = 'https://example.com/moved'
    expect((await change(made, { url: moved })).status).toBe(204)
    expect(await made.stored()).toMatchObject({ name: '$url', url: moved })
    expect(await made.stored()).not.toHaveProperty('verified_at')
  })

  const disabled = {
    health_state: 'disabled',
    consecutive_failures: 10,
    disabled_at: new Date(0),
    disabled_reason: 'http_5xx',
    updated_at: new Date(0),
  } as const

  test('reenable takes a disabled webhook into service again, together with a new name', async () => {
    const made = await registered(disabled)
    expect(await listed(made.key)).toMatchObject([
      { health_state: 'disabled', disabled_at: '1970-01-01T00:00:00.000Z', disabled_reason: 'http_5xx' },
    ])
    expect((await change(made, { reenable: true, name: 'new' })).status).toBe(204)
    const [shown] = await listed(made.key)
    expect(shown).toMatchObject({ name: 'new', health_state: 'healthy', consecutive_failures: 0 })
    expect(shown).not.toHaveProperty('disabled_at')
    expect(shown).not.toHaveProperty('disabled_reason')
  })

  test('only true does so, and only when disabled', async () => {
    const off = await registered(disabled)
    await change(off, { reenable: false, name: 'new' })
    expect(await off.stored()).toMatchObject({ name: 'new', health_state: 'disabled', consecutive_failures: 10 })
    const weak = await registered({ health_state: 'degraded', consecutive_failures: 7 })
    await change(weak, { reenable: true })
    expect(await weak.stored()).toMatchObject({ health_state: 'degraded', consecutive_failures: 7 })
  })

  test('a refused url changes no other field', async () => {
    const made = await registered(disabled)
    const before = await made.stored()
    expect((await change(made, { reenable: true, name: 'new', url: 'https://10.0.0.1/' })).status).toBe(400)
    expect(await made.stored()).toEqual(before)
  })

  test.each([
    ['an empty name', { name: '' }],
    ['reenable as text', { reenable: 'true' }],
  ])('%s is refused', async (_, body) => {
    expect((await change(await registered(), body)).status).toBe(400)
  })
})

describe('revoking', () => {
  test('answers 204 once; it stays listed with the time, and is unknown from then on', async () => {
    const { key, id } = await registered()
    expect((await api.call('DELETE', `${path}/${id}`, { key })).status).toBe(204)
    expect(await listed(key)).toMatchObject([{ id, revoked_at: expect.stringMatching(/Z$/) }])
    expect((await api.call('DELETE', `${path}/${id}`, { key })).status).toBe(404)
    expect((await api.call('PATCH', `${path}/${id}`, { key, body: { name: 'x' } })).status).toBe(404)
  })
})

test('hosts an operator exempts may be private, but not unencrypted', async () => {
  const exempting = await webhookApi(parseAllowHosts('127.0.0.1:9443,nas.local'))
  const { key } = await testUser(db)
  const statusOf = async (target: string) =>
    (await exempting.call('POST', path, { key, body: { name: 'x', url: target } })).status
  expect(await statusOf('https://127.0.0.1:9443/hook')).toBe(201)
  expect(await statusOf('https://nas.local/hook')).toBe(201)
  expect(await statusOf('https://127.0.0.1:9444/hook')).toBe(400)
  expect(await statusOf('http://127.0.0.1:9443/hook')).toBe(400)
})

test('the latest thousand revoked webhooks stay, and deliveries of removed ones end', async () => {
  const { document } = await createWebhook(db, secrets, 'user', { name: 'last', url: 'https://example.com/' })
  const old = Array.from({ length: 1_000 }, (_, nth) => ({ ...document, _id: randomUUID(), revoked_at: new Date(nth) }))
  await webhooks.insertMany(old)
  const [oldest = document, ...others] = old
  const { _id } = await recordTest(db, oldest)
  await revokeWebhook(db, 'user', document._id)
  const listed = (await listWebhooks(db, 'user')).map(({ _id }) => _id)
  expect(new Set(listed)).toEqual(new Set([document._id, ...others.map(({ _id }) => _id)]))
  const { parts } = await deliveryWorld(db)
  const held = (await parts().queue.takeOne(_id)) ?? expect.fail('not due')
  await deliver(parts(), held, undefined)
  expect(await deliveriesOf(db).findOne({ _id })).toMatchObject({ status: 'dropped' })
})

test('ten deliveries that fail at once are all counted, and disable the webhook', async () => {
  const { document } = await createWebhook(db, secrets, 'other', { name: 'a', url: 'https://example.com/' })
  const ids = Array.from({ length: 10 }, (_, nth) => `delivery ${nth}`)
  await Promise.all(ids.map((id) => recordExhausted(db, document._id, id, 'http_5xx')))
  const after = await webhooks.findOne({ _id: document._id })
  expect(after).toMatchObject({ consecutive_failures: 10, health_state: 'disabled' })
  expect(new Set(after?.counted_deliveries)).toEqual(new Set(ids))
})
