import { randomBytes } from 'node:crypto'
import { usedTokensOf } from '@placefleet/coordinator/auth/claim'
import { expect, test } from 'vitest'
import type { TestApi } from '../../harness/coordinator/api.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()

/** Starts an API with an ADMIN_TOKEN of its own, and returns it with the token. */
async function start(email = `${randomBytes(4).toString('hex')}@example.com`) {
  const token = randomBytes(16).toString('hex')
  return { api: await startSignIn(db, { firstOperator: { email, token } }), token, email }
}

const claim = (api: TestApi, token: string, headers: Record<string, string> = {}) =>
  api.call('POST', '/auth/claim', { body: { token }, headers })

test('ADMIN_TOKEN signs the first operator in once, also after a restart', async () => {
  const { api, token, email } = await start()
  const first = await claim(api, token)
  const cookie = first.headers.get('set-cookie') ?? ''
  expect([first.status, cookie]).toEqual([204, expect.stringContaining('HttpOnly; SameSite=Lax')])
  const session = await api.call('GET', '/auth/session', { headers: { cookie: cookie.split(';')[0] ?? '' } })
  expect(session.body).toMatchObject({ user: { email, role: 'operator' } })

  const restarted = await startSignIn(db, { firstOperator: { email, token } })
  for (const again of [await claim(api, token), await claim(restarted, token)]) {
    expect([again.status, again.body]).toEqual([401, expect.objectContaining({ error: 'sign_in_link_invalid' })])
    expect(again.headers.get('set-cookie')).toBeNull()
  }
  expect(JSON.stringify(await usedTokensOf(db).find().toArray())).not.toContain(token)
})

test('of many that claim at once, one is signed in', async () => {
  const { api, token } = await start()
  const answers = await Promise.all(Array.from({ length: 5 }, () => claim(api, token)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401, 401, 401, 401])
})

test('a wrong token signs nobody in, and an address has five attempts', async () => {
  const { api, token } = await start()
  const wrong = [await claim(api, `${token}x`), await claim(api, token.slice(1)), await claim(api, 'x')]
  expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401])
  expect((await claim(api, token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await api.call('POST', '/auth/claim', { body: {} })).status).toBe(400)
  for (const _ of [4, 5]) expect((await claim(api, 'x')).status).toBe(401)
  const refused = await claim(api, token)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
})

test('without ADMIN_TOKEN there is nothing to claim', async () => {
  const api = await startSignIn(db)
  expect((await claim(api, 'x')).status).toBe(404)
})
