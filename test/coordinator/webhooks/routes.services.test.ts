import { randomBytes, randomUUID } from 'node:crypto'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { type WebhookDocument, webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { webhookRoutes } from '@placefleet/coordinator/webhooks/routes'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { ALLOW_NONE, type AllowHosts, parseAllowHosts } from '@placefleet/shared/egress/target'
import { describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const secrets = createSecretBox(randomBytes(32))
const webhooks = webhooksOf(db)
const path = '/api/v1/webhooks'
const url = 'https://example.com/hook'
const publicNames: Lookup = async () => [{ address: '93.184.215.14', family: 4 }]

async function webhookApi({
  allowHosts = ALLOW_NONE,
  lookup = publicNames,
}: {
  allowHosts?: AllowHosts
  lookup?: Lookup
} = {}) {
  const options = { prefix: '/api/v1', db, secrets, allowHosts, lookup }
  return startApi(db, {
    routes: async (server) => {
      await server.register(webhookRoutes, options)
    },
  })
}

/** Returns an API, a user of it and a webhook of theirs. */
async function registered(changes: Partial<WebhookDocument> = {}) {
  const api = await webhookApi()
  const { user_id, key } = await testUser(db)
  const made = await api.call('POST', path, { key, body: { name: 'mine', url } })
  const { id, secret } = made.body as { id: string; secret: string }
  await webhooks.updateOne({ _id: id }, { $set: changes })
  return { api, user_id, key, id, secret, status: made.status, stored: () => webhooks.findOne({ _id: id }) }
}

const listed = async (api: TestApi, key: string) => (await api.call('GET', path, { key })).body as object[]

describe('registering', () => {
  test('answers 201 with the secret, which is stored only encrypted and never shown again', async () => {
    const { api, key, id, secret, status, stored } = await registered()
    expect(status).toBe(201)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const document = await stored()
    expect(JSON.stringify(document)).not.toContain(secret.slice(6))
    expect(secrets.open(document?.sealed_secret ?? '')).toBe(secret)
    expect(await listed(api, key)).toEqual([
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

  test('shows exactly id, name, url and secret', async () => {
    const api = await webhookApi()
    const { key } = await testUser(db)
    const { body } = await api.call('POST', path, { key, body: { name: 'mine', url } })
    expect(Object.keys(body as object).sort()).toEqual(['id', 'name', 'secret', 'url'])
  })

  test.each([
    ['a name of 100', { name: '🚀'.repeat(100), url }, 201],
    ['a name of 101', { name: 'x'.repeat(101), url }, 400],
    ['an empty name', { name: '', url }, 400],
    ['no name', { url }, 400],
    ['no url', { name: 'x' }, 400],
    ['a url of 2048', { name: 'x', url: `${url}/`.padEnd(2_048, 'x') }, 201],
    ['a url of 2049', { name: 'x', url: `${url}/`.padEnd(2_049, 'x') }, 400],
    ['another port', { name: 'x', url: 'https://example.com:8443/hook?a=b' }, 201],
    ['a public literal', { name: 'x', url: 'https://93.184.215.14/' }, 201],
    ['a secret of the client', { name: 'x', url, secret: 'whsec_x' }, 400],
    ['a url that is a number', { name: 'x', url: 1 }, 400],
  ])('with %s is answered with $2', async (_, body, status) => {
    const api = await webhookApi()
    const { key } = await testUser(db)
    expect((await api.call('POST', path, { key, body })).status).toBe(status)
  })

  test.each([
    ['one event type', ['job.failed'], 201],
    ['no event type', [], 400],
    ['an event type twice', ['job.failed', 'job.failed'], 400],
    ['an event of another kind', ['webhook.test'], 400],
  ])('for %s is answered with $2', async (_, event_types, status) => {
    const api = await webhookApi()
    const { key } = await testUser(db)
    expect((await api.call('POST', path, { key, body: { name: 'x', url, event_types } })).status).toBe(status)
    if (status === 201) expect(await listed(api, key)).toMatchObject([{ event_types }])
  })

  test('of rivals for the last place exactly one gets it, and revoking makes room', async () => {
    const api = await webhookApi()
    const { key, user_id } = await testUser(db)
    const register = () => api.call('POST', path, { key, body: { name: 'x', url } })
    const answers = await Promise.all(Array.from({ length: 25 }, register))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 409)).toHaveLength(15)
    await webhooks.updateOne({ user_id }, { $set: { health_state: 'disabled' } })
    expect((await register()).status).toBe(409)
    const [first] = (await listed(api, key)) as { id: string }[]
    await api.call('DELETE', `${path}/${first?.id}`, { key })
    expect((await register()).status).toBe(201)
    expect(await listed(api, key)).toHaveLength(11)
  })
})

describe('changing', () => {
  const change = ({ api, key, id }: { api: TestApi; key: string; id: string }, body: unknown) =>
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
    expect(await listed(made.api, made.key)).toMatchObject([{ event_types: ['job.failed', 'job.completed'] }])
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
    expect(await listed(made.api, made.key)).toMatchObject([
      { health_state: 'disabled', disabled_at: '1970-01-01T00:00:00.000Z', disabled_reason: 'http_5xx' },
    ])
    expect((await change(made, { reenable: true, name: 'new' })).status).toBe(204)
    const [shown] = await listed(made.api, made.key)
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
    ['an unknown field', { names: 'x' }],
    ['null', { name: null }],
    ['an empty name', { name: '' }],
    ['reenable as text', { reenable: 'true' }],
    ['an array', []],
  ])('%s is refused', async (_, body) => {
    expect((await change(await registered(), body)).status).toBe(400)
  })
})

describe('revoking', () => {
  test('answers 204 once; it stays listed with the time, and is unknown from then on', async () => {
    const { api, key, id } = await registered()
    expect((await api.call('DELETE', `${path}/${id}`, { key })).status).toBe(204)
    expect(await listed(api, key)).toMatchObject([{ id, revoked_at: expect.stringMatching(/Z$/) }])
    expect((await api.call('DELETE', `${path}/${id}`, { key })).status).toBe(404)
    expect((await api.call('PATCH', `${path}/${id}`, { key, body: { name: 'x' } })).status).toBe(404)
  })
})

describe('the id', () => {
  test("of another user's webhook is unknown, of any kind of call", async () => {
    const { api, id, stored } = await registered()
    const before = await stored()
    const { key } = await testUser(db)
    expect((await api.call('PATCH', `${path}/${id}`, { key, body: { name: 'x' } })).status).toBe(404)
    expect((await api.call('DELETE', `${path}/${id}`, { key })).status).toBe(404)
    expect(await listed(api, key)).toEqual([])
    expect(await stored()).toEqual(before)
  })

  test.each(['x', '1', `${randomUUID()}0`])('%s is malformed', async (id) => {
    const api = await webhookApi()
    const { key } = await testUser(db)
    expect((await api.call('PATCH', `${path}/${id}`, { key, body: {} })).status).toBe(422)
    expect((await api.call('DELETE', `${path}/${id}`, { key })).status).toBe(422)
  })
})

test('hosts an operator exempts may be private, but not unencrypted', async () => {
  const api = await webhookApi({ allowHosts: parseAllowHosts('127.0.0.1:9443,nas.local') })
  const { key } = await testUser(db)
  const statusOf = async (target: string) =>
    (await api.call('POST', path, { key, body: { name: 'x', url: target } })).status
  expect(await statusOf('https://127.0.0.1:9443/hook')).toBe(201)
  expect(await statusOf('https://nas.local/hook')).toBe(201)
  expect(await statusOf('https://127.0.0.1:9444/hook')).toBe(400)
  expect(await statusOf('http://127.0.0.1:9443/hook')).toBe(400)
})
