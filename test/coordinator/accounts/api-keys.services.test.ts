import { randomUUID } from 'node:crypto'
import { apiKeysOf } from '@placefleet/coordinator/accounts/documents'
import { generateApiKey } from '@placefleet/coordinator/accounts/key-format'
import { accountRoutes } from '@placefleet/coordinator/accounts/routes'
import { createApiKey, createUser, listApiKeys, revokeApiKey } from '@placefleet/coordinator/accounts/store'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db, client } = await testDatabase()
const routes = async (server: Server) =>
  void (await server.register(accountRoutes, { prefix: '/api/v1', db, usedKeys: async () => [] }))
const api = await startApi(db, { routes }, afterAll)
const other = await startApi(db, { routes }, afterAll)

const PATH = '/api/v1/api-keys'
const Created = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  key: z.string(),
  key_hint_prefix: z.string(),
  key_hint_suffix: z.string(),
})
const Listed = z.array(
  Created.omit({ key: true }).extend({
    usage_count: z.int(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().optional(),
    revoked_at: z.iso.datetime().optional(),
  }),
)

test('a key is shown once, works, counts its uses, and stays listed when revoked', async () => {
  const { key } = await testUser(db)
  const created = await api.call('POST', PATH, { key, body: { name: 'CI' } })
  const made = Created.parse(created.body)
  expect([created.status, made.name]).toEqual([201, 'CI'])
  expect([made.key.startsWith(made.key_hint_prefix), made.key.endsWith(made.key_hint_suffix)]).toEqual([true, true])
  expect((await api.call('GET', PATH, { headers: { 'x-api-key': made.key } })).status).toBe(200)
  expect((await api.call('DELETE', `${PATH}/${made.id}`, { key })).status).toBe(204)
  const list = await api.call('GET', PATH, { key })
  expect(Listed.parse(list.body)).toMatchObject([
    { name: 'test', usage_count: 3 },
    { name: 'CI', usage_count: 1, revoked_at: expect.any(String), last_used_at: expect.any(String) },
  ])
  expect(list.text).not.toContain(made.key)
})

test('a revoked key is refused from the next request on, by every server', async () => {
  const { key } = await testUser(db)
  const { id, key: second } = Created.parse((await api.call('POST', PATH, { key, body: { name: 'a' } })).body)
  expect((await other.call('GET', PATH, { key: second })).status).toBe(200)
  expect((await api.call('DELETE', `${PATH}/${id}`, { key })).status).toBe(204)
  const refused = await Promise.all(Array.from({ length: 20 }, () => other.call('GET', PATH, { key: second })))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await other.call('DELETE', `${PATH}/${id}`, { key })).status).toBe(404)
})

test('of ten keys a revoked one makes room for another', async () => {
  const { key, key_id } = await testUser(db)
  const create = async (by: string) => api.call('POST', PATH, { key: by, body: { name: 'k' } })
  const made = await Promise.all(Array.from({ length: 9 }, () => create(key)))
  const { key: another } = Created.parse(made[0]?.body)
  expect((await create(another)).status).toBe(409)
  expect((await api.call('DELETE', `${PATH}/${key_id}`, { key: another })).status).toBe(204)
  expect((await create(another)).status).toBe(201)
  expect((await create(another)).status).toBe(409)
})

test('malformed, unknown and revoked keys get one and the same answer, which tells no guesser whether a key once was', async () => {
  const { key, key_id } = await testUser(db)
  await api.call('DELETE', `${PATH}/${key_id}`, { key })
  const keys = ['x', generateApiKey(), key]
  const answers = await Promise.all(keys.map((sent) => api.call('GET', PATH, { headers: { 'x-api-key': sent } })))
  const bodies = answers.map(({ text }) => text.replace(/"request_id":"[^"]+"/, ''))
  expect([new Set(answers.map(({ status }) => status)), new Set(bodies).size]).toEqual([new Set([401]), 1])
})

test('a key with a wrong checksum costs no query', async () => {
  const asked: string[] = []
  client.on('commandStarted', ({ commandName }) => asked.push(commandName))
  const wrong = `${generateApiKey().slice(0, -6)}000000`
  expect((await api.call('GET', PATH, { key: wrong })).status).toBe(401)
  expect(asked).toEqual([])
})

test('the database holds no key, only its hash', async () => {
  const { key } = await testUser(db)
  const dump = JSON.stringify(await db.collection('api_keys').find().toArray())
  expect(dump).not.toContain(key)
  expect(dump).not.toContain(key.slice(4, 34))
})

test('the latest thousand revoked keys stay, and the key of the first start always stays', async () => {
  const { _id: user_id } = await createUser(db, { email: 'keys@example.com' })
  const first = await createApiKey(db, user_id, { name: 'first key', chosen: true })
  await revokeApiKey(db, user_id, first.document._id, [])
  const { document } = await createApiKey(db, user_id, { name: 'last key' })
  const longAgo = (nth: number) => new Date(nth)
  const old = Array.from({ length: 1_000 }, (_, nth) => {
    return { ...document, _id: randomUUID(), hash: `${nth}`, name: `key ${nth}`, revoked_at: longAgo(nth) }
  })
  await apiKeysOf(db).insertMany(old)
  await revokeApiKey(db, user_id, document._id, [])
  const names = (await listApiKeys(db, user_id)).map(({ name }) => name)
  expect(new Set(names)).toEqual(new Set(['first key', 'last key', ...old.slice(1).map(({ name }) => name)]))
})
