import { createAuthenticator } from '@placefleet/coordinator/accounts/authentication'
import { isOperator, setRole } from '@placefleet/coordinator/accounts/roles'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { createApiKey, revokeApiKey } from '@placefleet/coordinator/accounts/store'
import { beginDeviceLogin } from '@placefleet/coordinator/auth/device/logins'
import { deviceLoginsOf } from '@placefleet/coordinator/auth/documents'
import { expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()

/** Returns a program that waits, and a person who is signed in. */
async function waiting() {
  const api = await startSignIn(db)
  const { user_id } = await testUser(db)
  const { secret } = await createSession(db, user_id)
  const person = { cookie: `placefleet_session=${secret}`, 'sec-fetch-site': 'same-origin' }
  const begun = await api.call('POST', '/auth/device', { body: { client_name: 'a laptop $$NOW' } })
  expect(begun.status).toBe(201)
  const { device_code, user_code } = begun.body as { device_code: string; user_code: string }
  const redeem = () => api.call('POST', '/auth/device/token', { body: { device_code } })
  const decide = (word: string, headers: Record<string, string> = person) =>
    api.call('POST', `/auth/device/${user_code}/${word}`, { headers })
  return { api, user_id, person, begun: begun.body, user_code, redeem, decide }
}

const AMPLE = { rate: 1_000, burst: 1_000 }
const PENDING = { status: 400, body: { error: 'authorization_pending' } }
const EXPIRED = { status: 400, body: { error: 'expired_token' } }

test('a program gets one key of the person who approved its code, with the program’s name', async () => {
  const { api, user_id, person, begun, user_code, redeem, decide } = await waiting()
  expect(begun).toMatchObject({
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri_complete: expect.stringMatching(new RegExp(`/console/connect\\?code=${user_code}$`)),
  })
  expect(await redeem()).toMatchObject(PENDING)
  const shown = await api.call('GET', `/auth/device/${user_code}`, { headers: person })
  expect(shown.body).toMatchObject({ user_code, client_name: 'a laptop $$NOW', client_address: '127.0.0.1' })

  expect((await decide('approve')).status).toBe(204)

  expect((await decide('deny')).status).toBe(404)
  const answers = await Promise.all(Array.from({ length: 10 }, redeem))
  const granted = answers.filter(({ status }) => status === 200)
  expect(granted).toHaveLength(1)
  for (const answer of answers) if (answer !== granted[0]) expect(answer).toMatchObject(EXPIRED)
  const keys = await db.collection('api_keys').find({ user_id, name: 'a laptop $$NOW' }).toArray()
  expect(keys).toHaveLength(1)
})

test('a program whose person has ten keys gets its key once one of them is revoked', async () => {
  const { user_id, redeem, decide } = await waiting()
  const keys = []
  for (let nth = 1; nth < 10; nth++) keys.push(await createApiKey(db, user_id, { name: 'k' }))
  expect((await decide('approve')).status).toBe(204)
  for (let nth = 0; nth < 2; nth++) expect(await redeem()).toMatchObject({ status: 409, body: { error: 'conflict' } })

  await revokeApiKey(db, user_id, keys[0]?.document._id ?? '', [])
  expect(await redeem()).toMatchObject({ status: 200 })
  expect(await redeem()).toMatchObject(EXPIRED)
})

test('a rejected program gets access_denied, and its code expires', async () => {
  const { redeem, decide } = await waiting()
  expect((await decide('deny')).status).toBe(204)
  expect(await redeem()).toMatchObject({ status: 400, body: { error: 'access_denied' } })
  expect(await redeem()).toMatchObject(EXPIRED)
})

test('codes expire after ten minutes by the database’s clock', async () => {
  const { user_code, redeem, decide } = await waiting()
  const login = await deviceLoginsOf(db).findOne({ user_code })
  const lasts = (login?.expires_at.getTime() ?? 0) - (login?.created_at.getTime() ?? 0)
  expect(lasts).toBe(600_000)
  await deviceLoginsOf(db).updateOne({ user_code }, { $set: { expires_at: new Date(Date.now() - 1) } })
  expect((await decide('approve')).status).toBe(404)
  expect(await redeem()).toMatchObject(EXPIRED)
})

test('the key of a program never has the rights of an operator, whoever approved it', async () => {
  const { user_id, redeem, decide } = await waiting()
  expect(await setRole(db, user_id, 'operator')).toBe(true)
  const { secret } = await createSession(db, user_id)
  await decide('approve', { cookie: `placefleet_session=${secret}`, 'sec-fetch-site': 'same-origin' })
  const { key } = (await redeem()).body as { key: string }
  const authenticator = createAuthenticator(db, { session: AMPLE, free: AMPLE, paid: AMPLE })
  const paired = (await authenticator.authenticate({ kind: 'key', secret: key })) ?? expect.fail('the key is unknown')
  expect(paired.account).toMatchObject({ user_id, paired: true })
  expect(await isOperator(db, paired.account)).toBe(false)
  const { key: own } = await createApiKey(db, user_id, { name: 'by hand' })
  const other = (await authenticator.authenticate({ kind: 'key', secret: own })) ?? expect.fail('the key is unknown')
  expect(await isOperator(db, other.account)).toBe(true)
})

test.each([
  ['a line break', 'placefleet\nApprove this'],
  ['another line separator', 'placefleet\u2028Approve this'],
  ['an escape', '\u001b[2Jplacefleet'],
  ['a character that turns text around', 'placefleet \u202enimda'],
  ['an isolate of direction', 'placefleet \u2066x'],
])('a program whose name has $0 gets no code', async (_, client_name) => {
  const { api } = await waiting()
  const answer = await api.call('POST', '/auth/device', { body: { client_name } })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'client_name' }] } })
})

test('a page of another site cannot approve', async () => {
  const { person, redeem, decide } = await waiting()
  expect((await decide('approve', { ...person, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(await redeem()).toMatchObject(PENDING)
})

test('the database knows no device code that could be used', async () => {
  const { device_code } = await beginDeviceLogin(db, { client_name: 'a laptop', client_address: '203.0.113.7' })
  expect(JSON.stringify(await deviceLoginsOf(db).find().toArray())).not.toContain(device_code)
})
