import { sessionsOf } from '@placefleet/coordinator/accounts/documents'
import { setRole } from '@placefleet/coordinator/accounts/roles'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { afterAll, expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()

const api = await startSignIn(db, {}, afterAll)
const HOUR = 3_600_000

/** Returns a user with a session; `ask` calls with its cookie, from a page of ours. */
async function signedInUser(user_id?: string, at = api) {
  const id = user_id ?? (await testUser(db)).user_id
  const { secret } = await createSession(db, id, { signed_in_by: 'link', user_agent: '$NOW Firefox' })
  const headers = { cookie: `placefleet_session=${secret}`, 'sec-fetch-site': 'same-origin' }
  return { user_id: id, headers, ask: (method: string, path: string) => at.call(method, path, { headers }) }
}

const change = (user_id: string, fields: object) => sessionsOf(db).updateMany({ user_id }, { $set: fields })

test('a session ends after 12 hours without use, and each use puts that off', async () => {
  const { user_id, ask } = await signedInUser()
  await change(user_id, { last_used_at: new Date(Date.now() - 11.9 * HOUR) })
  expect((await ask('GET', '/api/v1/me')).status).toBe(200)
  const { body } = await ask('GET', '/auth/session')
  const left = Date.parse((body as { expires_at: string }).expires_at) - Date.now()
  expect([left > 11.9 * HOUR, left <= 12 * HOUR]).toEqual([true, true])
  await change(user_id, { last_used_at: new Date(Date.now() - 12.1 * HOUR) })
  expect((await ask('GET', '/api/v1/me')).status).toBe(401)
})

test('a session ends after 7 days, even in use', async () => {
  const { user_id, ask } = await signedInUser()
  const { expires_at, created_at } = (await sessionsOf(db).findOne({ user_id })) ?? {}
  expect(Number(expires_at) - Number(created_at)).toBe(7 * 24 * HOUR)
  await change(user_id, { expires_at: new Date(Date.now() - 1) })
  expect((await ask('GET', '/api/v1/me')).status).toBe(401)
})

test('a user sees their sessions, ends one, and ends all others; on every replica at once', async () => {
  const replica = await startSignIn(db)
  const mine = await signedInUser()
  const [phone, laptop] = [await signedInUser(mine.user_id, replica), await signedInUser(mine.user_id)]
  const listed = (await mine.ask('GET', '/auth/sessions')).body as {
    id: string
    current: boolean
    user_agent: string
  }[]
  expect(listed.map(({ current }) => current).toSorted()).toEqual([false, false, true])
  expect(listed[0]).toMatchObject({ signed_in_by: 'link', user_agent: '$NOW Firefox' })
  expect(JSON.stringify(listed)).not.toMatch(/hash|secret|id_token/)
  const ended = listed.find(({ current }) => !current)?.id
  expect((await mine.ask('DELETE', `/auth/sessions/${ended}`)).status).toBe(204)
  expect((await mine.ask('DELETE', `/auth/sessions/${ended}`)).status).toBe(404)
  const statuses = async () =>
    Promise.all([phone, laptop].map(async ({ ask }) => (await ask('GET', '/api/v1/me')).status))
  expect((await statuses()).toSorted()).toEqual([200, 401])
  expect((await mine.ask('DELETE', '/auth/sessions')).status).toBe(204)
  expect(await statuses()).toEqual([401, 401])
  expect((await mine.ask('GET', '/auth/session')).status).toBe(200)
})

test('a change of the role ends the sessions; naming the role that is there does not', async () => {
  const { user_id, ask } = await signedInUser()
  expect(await setRole(db, user_id, 'user')).toBe(false)
  expect((await ask('GET', '/auth/session')).status).toBe(200)
  expect(await setRole(db, user_id, 'operator')).toBe(true)
  expect((await ask('GET', '/auth/session')).status).toBe(401)
  const again = await signedInUser(user_id)
  expect((await again.ask('GET', '/auth/session')).body).toMatchObject({ user: { role: 'operator' } })
})

test('signing out must come from our own page', async () => {
  const { headers, ask } = await signedInUser()
  const foreign = { headers: { cookie: headers.cookie, origin: 'https://evil.example' } }
  expect((await api.call('POST', '/auth/logout', foreign)).status).toBe(403)
  expect((await api.call('POST', '/auth/logout', { headers: { cookie: headers.cookie } })).status).toBe(403)
  expect((await ask('GET', '/auth/session')).status).toBe(200)
  expect((await ask('POST', '/auth/logout')).status).toBe(204)
  expect((await ask('GET', '/auth/session')).status).toBe(401)
})
