import { randomBytes } from 'node:crypto'
import { accountIndexes } from '@placefleet/coordinator/accounts/documents'
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
const REVOKED = 105

test('the latest hundred revoked keys stay, and the key of the first start always stays', async () => {
  const { _id: user_id } = await createUser(db, { email: 'keys@example.com' })
  const first = await createApiKey(db, user_id, { name: 'first key', bootstrap: true })
  await revokeApiKey(db, user_id, first.document._id, [])
  for (let nth = 0; nth < REVOKED; nth++) {
    const { document } = await createApiKey(db, user_id, { name: `key ${nth}` })
    await revokeApiKey(db, user_id, document._id, [])
  }
  const names = (await listApiKeys(db, user_id)).map(({ name }) => name)
  expect(names).toHaveLength(101)
  expect(names).toContain('first key')
  expect(names).not.toContain('key 0')
  expect(names).toContain(`key ${REVOKED - 1}`)
})

test('the latest hundred revoked webhooks stay, and deliveries of removed ones end', async () => {
  const made: string[] = []
  for (let nth = 0; nth < REVOKED; nth++) {
    const { document } = await createWebhook(db, box, 'user', { name: `${nth}`, url: 'https://example.com/' })
    if (nth === 0) await recordTest(db, document)
    made.push(document._id)
    await revokeWebhook(db, 'user', document._id)
  }
  const listed = (await listWebhooks(db, 'user')).map(({ _id }) => _id)
  expect(listed).toEqual(made.slice(-100))
  expect(await deliveriesOf(db).findOne({ webhook_id: made[0] ?? '' })).toMatchObject({ status: 'dropped' })
})

test('ten deliveries that fail at once are all counted, and disable the webhook', async () => {
  const { document } = await createWebhook(db, box, 'other', { name: 'a', url: 'https://example.com/' })
  const ids = Array.from({ length: 10 }, (_, nth) => `delivery ${nth}`)
  await Promise.all(ids.map((id) => recordExhausted(db, document._id, id, 'http_5xx')))
  const after = await webhooksOf(db).findOne({ _id: document._id })
  expect(after).toMatchObject({ consecutive_failures: 10, health_state: 'disabled' })
  expect(new Set(after?.counted_deliveries)).toEqual(new Set(ids))
})
