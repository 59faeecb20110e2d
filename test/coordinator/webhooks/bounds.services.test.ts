import { randomBytes, randomUUID } from 'node:crypto'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { deliver } from '@placefleet/coordinator/webhooks/deliveries/deliver'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordTest } from '@placefleet/coordinator/webhooks/deliveries/record'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { createWebhook, listWebhooks, recordExhausted, revokeWebhook } from '@placefleet/coordinator/webhooks/store'
import { expect, test } from 'vitest'
import { deliveryWorld } from '../../harness/coordinator/deliveries.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const box = createSecretBox(randomBytes(32))
/** When the nth of many was revoked, long before now. */
const revokedAt = (nth: number) => new Date(nth)

test('the latest thousand revoked webhooks stay, and deliveries of removed ones end', async () => {
  const { document } = await createWebhook(db, box, 'user', { name: 'last', url: 'https://example.com/' })
  const old = Array.from({ length: 1_000 }, (_, nth) => {
    return { ...document, _id: randomUUID(), revoked_at: revokedAt(nth) }
  })
  await webhooksOf(db).insertMany(old)
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
  const { document } = await createWebhook(db, box, 'other', { name: 'a', url: 'https://example.com/' })
  const ids = Array.from({ length: 10 }, (_, nth) => `delivery ${nth}`)
  await Promise.all(ids.map((id) => recordExhausted(db, document._id, id, 'http_5xx')))
  const after = await webhooksOf(db).findOne({ _id: document._id })
  expect(after).toMatchObject({ consecutive_failures: 10, health_state: 'disabled' })
  expect(new Set(after?.counted_deliveries)).toEqual(new Set(ids))
})
