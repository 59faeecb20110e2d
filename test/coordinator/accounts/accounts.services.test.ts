import { createAuthenticator } from '@placefleet/coordinator/accounts/authentication'
import { bootstrap } from '@placefleet/coordinator/accounts/bootstrap'
import { createUserLimit } from '@placefleet/coordinator/accounts/limits'
import { createSession, endSession } from '@placefleet/coordinator/accounts/sessions'
import {
  createApiKey,
  createUser,
  findUserByEmail,
  listApiKeys,
  markPaid,
} from '@placefleet/coordinator/accounts/store'
import { AppError } from '@placefleet/coordinator/http/errors'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { afterAll, expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { sampleRoutes } from '../../harness/coordinator/sample-routes.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const FREE = { rate: 0.001, burst: 5 }
const PAID = { rate: 0.001, burst: 30 }
const SESSION = { rate: 0.001, burst: 20 }
const authenticator = createAuthenticator(db, { free: FREE, paid: PAID, session: SESSION })
const routes = async (server: Server) => void (await server.register(sampleRoutes, { prefix: '/api/v1' }))
const api = await startApi(db, { authenticator, routes }, afterAll)

test('an email belongs to one user, in any letter case', async () => {
  const user = await createUser(db, { email: 'Ann@Example.com' })
  await expect(createUser(db, { email: 'ann@example.COM' })).rejects.toMatchObject({ code: 'conflict' })
  expect((await findUserByEmail(db, 'ANN@example.com'))?._id).toBe(user._id)
})

test('a payment raises the limits of every key from its next request on, without filling the bucket', async () => {
  const { user_id, key } = await testUser(db)
  const policy = async () => (await api.call('GET', '/api/v1/me', { key })).headers
  expect((await policy()).get('ratelimit-policy')).toBe('api;q=5;w=5000')
  await markPaid(db, user_id)
  await markPaid(db, user_id)
  const paid = await policy()
  expect(paid.get('ratelimit-policy')).toBe('api;q=30;w=30000')
  expect(paid.get('ratelimit')).toMatch(/^api;r=3;t=(1000|9\d\d)$/)
  const later = await createApiKey(db, user_id, { name: 'later' })
  expect(later.document.paid).toBe(true)
})

test('a request knows whom it acts for', async () => {
  const { user_id, key, key_id } = await testUser(db)
  const { body } = await api.call('GET', '/api/v1/me', { key })
  expect(body).toEqual({ got: { user_id, key_id, source: 'api', paid: false } })
})

test('a session works as a cookie with its own limit, until it ends', async () => {
  const { user_id } = await testUser(db)
  const { secret } = await createSession(db, user_id)
  const headers = { cookie: `placefleet_session=${secret}` }
  const answer = await api.call('GET', '/api/v1/me', { headers })
  expect(answer.body).toEqual({ got: { user_id, session_id: expect.any(String), source: 'web', paid: false } })
  expect(answer.headers.get('ratelimit-policy')).toBe('api;q=20;w=20000')
  await endSession(db, secret)
  expect((await api.call('GET', '/api/v1/me', { headers })).status).toBe(401)
})

test('a change with a session must come from our own page', async () => {
  const { user_id } = await testUser(db)
  const { secret } = await createSession(db, user_id)
  const cancel = async (headers: Record<string, string>) => {
    const path = '/api/v1/things/6f9619ff-8b86-4d11-b42d-00c04fc964ff/cancel'
    return (await api.call('POST', path, { headers: { cookie: `placefleet_session=${secret}`, ...headers } })).status
  }
  expect(await cancel({ origin: 'https://evil.example' })).toBe(403)
  expect(await cancel({ origin: api.baseUrl })).toBe(204)
  expect(await cancel({ 'sec-fetch-site': 'same-origin' })).toBe(204)
})

test('a limit of a user holds over all their requests at once', async () => {
  const [limit, again] = [0, 1].map(() => createUserLimit(db, 'test', { rate: 0.001, burst: 3 }, 'tests'))
  const taken = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => (i % 2 ? limit : again)?.take('user')))
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  const refusal = taken.find((result) => result.status === 'rejected')?.reason
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    code: 'rate_limited',
    headers: {
      'retry-after': expect.stringMatching(/^(1000|9\d\d)$/),
      ratelimit: expect.stringMatching(/^api;r=0;t=(1000|9\d\d)$/),
      'ratelimit-policy': 'api;q=3;w=3000',
    },
  })
  await limit?.take('another user')
})

test('a first start makes one user, in any letter case, and no key', async () => {
  const { user_id } = await bootstrap(db, { email: 'first@example.com' })
  expect(await bootstrap(db, { email: 'First@example.com' })).toEqual({ user_id })
  expect(await listApiKeys(db, user_id)).toEqual([])
})

test('a key the operator chose works, once made, and is not made again after it was revoked', async () => {
  const apiKey = 'svc_chosen-by-the-operator'
  const [first] = await Promise.all([1, 2, 3].map(() => bootstrap(db, { email: 'op@example.com', apiKey })))
  expect((await api.call('GET', '/api/v1/me', { key: apiKey })).status).toBe(200)
  await db
    .collection('api_keys')
    .updateOne({ user_id: first?.user_id }, { $set: { revoked_at: new Date() }, $unset: { slot: 1 } })
  await bootstrap(db, { email: 'op@example.com', apiKey })
  expect((await api.call('GET', '/api/v1/me', { key: apiKey })).status).toBe(401)
  await expect(bootstrap(db, { email: 'other@example.com', apiKey })).rejects.toMatchObject({ code: 'conflict' })
  await expect(bootstrap(db, { email: 'op@example.com', apiKey: 'short' })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('a chosen key with the length of a generated one works where it is configured', async () => {
  const apiKey = `svc_${'k'.repeat(36)}`
  await bootstrap(db, { email: 'long@example.com', apiKey })
  const configured = createAuthenticator(db, { free: FREE, paid: PAID, session: SESSION, bootstrapKey: apiKey })
  expect((await configured.authenticate({ kind: 'key', secret: apiKey }))?.granted).toBe(true)
})
