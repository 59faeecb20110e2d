import { linksOf } from '@placefleet/coordinator/auth/documents'
import { createSignInLink } from '@placefleet/coordinator/auth/links'
import { afterAll, expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()

const api = await startSignIn(db, {}, afterAll)

/** Creates the token of a new link of a user. */
async function newToken(user_id: string): Promise<string> {
  const { url } = await createSignInLink(db, user_id, 'https://fleet.example')
  expect(url).toMatch(/^https:\/\/fleet\.example\/console\/#link=[\w-]{43}$/)
  return url.split('#link=')[1] ?? ''
}

const redeem = (token: string, headers: Record<string, string> = {}, at = api) =>
  at.call('POST', '/auth/link', { body: { token }, headers })

const cookieIn = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''

test('a link signs in once, and its cookie is out of reach of scripts and other sites', async () => {
  const { user_id } = await testUser(db)
  const token = await newToken(user_id)
  const { status, headers, text } = await redeem(token)
  expect([status, text]).toEqual([204, ''])
  expect(headers.get('set-cookie')).toMatch(
    /^placefleet_session=[\w-]{43}; Path=\/; Expires=.+; HttpOnly; SameSite=Lax$/,
  )
  const session = await api.call('GET', '/auth/session', { headers: { cookie: cookieIn(headers) } })
  expect(session.body).toMatchObject({ user: { id: user_id, role: 'user' }, csrf: 'same-origin' })
  const again = await redeem(token)
  expect([again.status, again.body]).toEqual([401, expect.objectContaining({ error: 'sign_in_link_invalid' })])
})

test('of many that use a link at once, one is signed in', async () => {
  const { user_id } = await testUser(db)
  const token = await newToken(user_id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(token)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array(19).fill(401)])
})

test('a link expires after 15 minutes by the database’s clock', async () => {
  const { user_id } = await testUser(db)
  const { url, expires_at } = await createSignInLink(db, user_id, api.baseUrl)
  expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(15 * 60_000)
  expect(expires_at.getTime() - Date.now()).toBeGreaterThan(14 * 60_000)
  await linksOf(db).updateMany({ user_id }, { $set: { expires_at: new Date(Date.now() - 1) } }, SCAN)
  expect((await redeem(url.split('#link=')[1] ?? '')).status).toBe(401)
})

test('the database knows no token that could be used', async () => {
  const { user_id } = await testUser(db)
  const token = await newToken(user_id)
  expect(JSON.stringify(await linksOf(db).find().toArray())).not.toContain(token)
})

test('a page of another site cannot sign a visitor in', async () => {
  const { user_id } = await testUser(db)
  const token = await newToken(user_id)
  expect((await redeem(token, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await redeem(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await redeem(token, { 'sec-fetch-site': 'same-origin' })).status).toBe(204)
})

test('behind https the cookie is for this host over TLS only', async () => {
  const { user_id } = await testUser(db)
  const secure = await startSignIn(db, { publicUrl: 'https://fleet.example:0' })
  const { headers } = await redeem(await newToken(user_id), {}, secure)
  expect(headers.get('set-cookie')).toMatch(/^__Host-placefleet_session=.+; HttpOnly; Secure; SameSite=Lax$/)
  const status = async (cookie: string) => (await secure.call('GET', '/auth/session', { headers: { cookie } })).status
  expect(await status(cookieIn(headers))).toBe(200)
  expect(await status(cookieIn(headers).replace('__Host-', ''))).toBe(401)
})

test('the answer is the same for unknown, used and malformed tokens', async () => {
  const answers = await Promise.all(['x', '$ne', 'q'.repeat(43)].map((token) => redeem(token)))
  for (const { status, body } of answers) expect([status, body]).toEqual([401, expect.objectContaining({ code: 401 })])
  expect((await api.call('POST', '/auth/link', { body: { token: '' } })).status).toBe(400)
  expect((await api.call('POST', '/auth/link', { body: { token: { $ne: 1 } } })).status).toBe(400)
})
