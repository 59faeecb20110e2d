import { randomBytes, randomUUID } from 'node:crypto'
import { createSecretBox, secretsNotConfigured } from '@placefleet/coordinator/secrets/secret-box'
import { checkSecretsKey, rotateSecretsKey } from '@placefleet/coordinator/secrets/store'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { createWebhook, rotateSecret } from '@placefleet/coordinator/webhooks/store'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'
import { steppingDb, WRITES } from '../../harness/servers/stepping-database.ts'
import { Crash } from '../billing/memory-ledger.ts'
import { dyingBefore } from '../operations/steps.ts'
import { opsOn } from '../operator/commands/run-ops.ts'

const database = await testDatabase('new')
const { db } = database
beforeEach(() => db.dropDatabase())

const newKey = () => randomBytes(32)
const FIELDS = [
  { collection: 'webhooks', field: 'sealed_secret' },
  { collection: 'webhooks', field: 'previous_secrets' },
  { collection: 'sessions', field: 'provider.id_token' },
]

test('a start with another key, or without one, is rejected once a key was used', async () => {
  const [mine, other] = [createSecretBox(newKey()), createSecretBox(newKey())]
  await checkSecretsKey(db, secretsNotConfigured)
  await Promise.all(Array.from({ length: 8 }, () => checkSecretsKey(db, mine)))
  await checkSecretsKey(db, mine)
  await expect(checkSecretsKey(db, other)).rejects.toThrow(`encrypted with the key ${mine.keyId}. Set SECRETS_KEY`)
  await expect(checkSecretsKey(db, secretsNotConfigured)).rejects.toThrow(/SECRETS_KEY is not set, but .*restore it/)
})

test('without a key secrets are refused with the setting that is missing', () => {
  expect(() => secretsNotConfigured.seal('x')).toThrow('SECRETS_KEY is not set')
})

/** Returns a webhook with a replaced secret, and a session from an identity provider. */
async function stored(box: ReturnType<typeof createSecretBox>) {
  const created = await createWebhook(db, box, 'user', { name: 'a', url: 'https://example.com/' })
  const rotated = (await rotateSecret(db, box, 'user', created.document._id)) ?? expect.fail('no webhook')
  const session = { _id: randomUUID(), user_id: 'user', provider: { issuer: 'i', id_token: box.seal('the id token') } }
  await db.collection<typeof session>('sessions').insertOne(session)
  return { secret: rotated.secret, old: created.secret }
}

async function opened(box: ReturnType<typeof createSecretBox>) {
  const webhook = (await webhooksOf(db).findOne()) ?? expect.fail('no webhook')
  const session = await db.collection('sessions').findOne()
  return {
    secret: box.open(webhook.sealed_secret),
    old: box.open(webhook.previous_secrets?.[0]?.sealed_secret ?? ''),
    until: webhook.previous_secrets?.[0]?.until,
    id_token: box.open(String(session?.provider?.id_token)),
  }
}

test('`secrets rotate` encrypts every secret with the new key, and the old key no longer starts', async () => {
  const [from, to] = [newKey(), newKey()]
  const [before, after] = [createSecretBox(from), createSecretBox(to)]
  const { secret, old } = await stored(before)
  await checkSecretsKey(db, before)
  const ops = opsOn(database, { SECRETS_KEY: from.toString('base64'), NEW_SECRETS_KEY: to.toString('base64') })
  expect(await ops.json('secrets', 'rotate')).toEqual({ key_id: after.keyId, changed: 3 })
  expect(await opened(after)).toEqual({ secret, old, until: expect.any(Date), id_token: 'the id token' })
  await checkSecretsKey(db, after)
  await expect(checkSecretsKey(db, before)).rejects.toThrow(`the key ${after.keyId}`)
  expect(await ops.json('secrets', 'rotate')).toMatchObject({ changed: 0 })
})

test('a rotation is refused while a coordinator is at work, and with a wrong current key', async () => {
  const [from, to] = [newKey(), newKey()]
  await checkSecretsKey(db, createSecretBox(from))
  const keys = { SECRETS_KEY: to.toString('base64'), NEW_SECRETS_KEY: newKey().toString('base64') }
  expect((await opsOn(database, keys).run('secrets', 'rotate')).err).toContain('but the key of the database is')
  await db.collection<{ _id: string; seen_at: Date }>('coordinators').insertOne({ _id: 'c', seen_at: new Date() })
  expect((await opsOn(database, keys).run('secrets', 'rotate')).err).toContain('Stop all coordinators first')
})

test('after an interrupted rotation no coordinator starts, and a new rotation continues where it stopped', async () => {
  const [before, after] = [createSecretBox(newKey()), createSecretBox(newKey())]
  const { secret } = await stored(before)
  await checkSecretsKey(db, before)
  const dying = steppingDb(db, WRITES, dyingBefore(4))
  await expect(rotateSecretsKey(dying, before, after, FIELDS)).rejects.toThrow(Crash)
  for (const box of [before, after]) await expect(checkSecretsKey(db, box)).rejects.toThrow('is not finished')
  await rotateSecretsKey(db, before, after, FIELDS)
  expect(await opened(after)).toMatchObject({ secret })
  await checkSecretsKey(db, after)
})
