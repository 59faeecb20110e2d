import { randomBytes, randomUUID } from 'node:crypto'
import { accountIndexes, apiKeysOf } from '@placefleet/coordinator/accounts/documents'
import { createApiKey, createUser, listApiKeys, revokeApiKey } from '@placefleet/coordinator/accounts/store'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordTest } from '@placefleet/coordinator/webhooks/deliveries/record'
import { webhookIndexes, webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { createWebhook, listWebhooks, recordExhausted, revokeWebhook } from '@placefleet/coordinator/webhooks/store'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
await ensureIndexes(db, [...accountIndexes, ...webhookIndexes])
const box = createSecretBox(randomBytes(32))
/** When the nth of many was revoked, long before now. */
const revokedAt = (nth: number) => new Date(nth)

test('the latest thousand revoked keys stay, and the key of the first start always stays', async () => {
  const { _id: user_id } = await createUser(db, { email: 'keys@example.com' })
  const first = await createApiKey(db, user_id, { name: 'first key', bootstrap: true })
  await revokeApiKey(db, user_id, first.document._id, [])
  const { document } = await createApiKey(db, user_id, { name: 'last key' })
  const old = Array.from({ length: 1_000 }, (_, nth) => {
    return { ...document, _id: randomUUID(), hash: `${nth}`, name: `key ${nth}`, revoked_at: revokedAt(nth) }
  })
  await apiKeysOf(db).insertMany(old)
  await revokeApiKey(db, user_id, document._id, [])
  const names = (await listApiKeys(db, user_id)).map(({ name }) => name)
  expect(new Set(names)).toEqual(new Set(['first key', 'last key', ...old.slice(1).map(({ name }) => name)]))
})

test('the latest thousand revoked webhooks stay, and deliveries of removed ones end', async () => {
  const { document } = await createWebhook(db, box, 'user', { name: 'last', url: 'https://example.com/' })
  const old = Array.from({ length: 1_000 }, (_, nth) => {
    return { ...document, _id: randomUUID(), revoked_at: revokedAt(nth) }
  })
  await webhooksOf(db).insertMany(old)
  const [oldest = document, ...others] = old
  await recordTest(db, oldest)
  await revokeWebhook(db, 'user', document._id)
  const listed = (await listWebhooks(db, 'user')).map(({ _id }) => _id)
  expect(new Set(listed)).toEqual(new Set([document._id, ...others.map(({ _id }) => _id)]))
  expect(await deliveriesOf(db).findOne({ webhook_id: oldest._id })).toMatchObject({ status: 'dropped' })
})

test('ten deliveries that fail at once are all counted, and disable the webhook', async () => {
  const { document } = await createWebhook(db, box, 'other', { name: 'a', url: 'https://example.com/' })
  const ids = Array.from({ length: 10 }, (_, nth) => `delivery ${nth}`)
  await Promise.all(ids.map((id) => recordExhausted(db, document._id, id, 'http_5xx')))
  const after = await webhooksOf(db).findOne({ _id: document._id })
  expect(after).toMatchObject({ consecutive_failures: 10, health_state: 'disabled' })
  expect(new Set(after?.counted_deliveries)).toEqual(new Set(ids))
})
