import { randomUUID } from 'node:crypto'
import { findUserByEmail } from '@placefleet/coordinator/accounts/store'
import { redeemSignInLink } from '@placefleet/coordinator/auth/links'
import { expect, test } from 'vitest'
import { startApi } from '../../../harness/coordinator/api.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { opsOn } from './run-ops.ts'

const database = await testDatabase()
const otherDatabase = await testDatabase()
const ops = opsOn(database)

type User = { id: string; email: string }
type Key = { id: string; key: string }

const newUser = async (): Promise<User> =>
  (await ops.json('users', 'create', '--email', `${randomUUID()}@example.com`)) as User

test('an email has one user, in any letter case', async () => {
  const user = await ops.json('users', 'create', '--email', 'Ada@Example.com')
  expect(user).toMatchObject({ email: 'ada@example.com', role: 'user', linked: false, paid: false })
  const again = await ops.run('users', 'create', '--email', 'ada@example.COM')
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('ada@example.com') })
  expect(await ops.json('users', 'list')).toContainEqual(user)
})

test('an email that the API refuses is refused here too', async () => {
  const refused = await ops.run('users', 'create', '--email', `${'x'.repeat(65)}@example.com`)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('more than 64 characters before the @') })
})

test('a key that ops creates works with the API until ops revokes it', async () => {
  const user = await newUser()
  const made = (await ops.json('keys', 'create', '--user', user.email.toUpperCase(), '--name', 'mine')) as Key
  const api = await startApi(database.db)
  const status = async () => (await api.call('GET', '/api/v1/version', { key: made.key })).status
  expect(await status()).toBe(200)
  expect(await ops.json('keys', 'list', '--user', user.id)).toMatchObject([
    { id: made.id, name: 'mine', usage_count: 1 },
  ])
  expect(await ops.json('keys', 'revoke', made.id)).toEqual({ id: made.id, revoked: true })
  expect(await status()).toBe(401)
  const listed = await ops.run('keys', 'list', '--user', user.id, '--json')
  expect(JSON.parse(listed.out)).toMatchObject([{ id: made.id, revoked_at: expect.any(String) }])
  expect(listed.out).not.toContain(made.key)
  expect((await ops.run('keys', 'revoke', made.id)).code).toBe(1)
  expect((await ops.run('keys', 'revoke', randomUUID())).code).toBe(1)
})

test.each([
  ['of 2.50 credits', ['--amount', '2.50'], 0],
  ['of a negative bonus', ['--amount', '-1'], 1],
  ['of seven decimals', ['--amount', '0.0000001'], 2],
  ['of a purchase', ['--amount', '1', '--type', 'purchase'], 2],
])('a grant %s', async (_, options, code) => {
  const { id } = await newUser()
  expect((await ops.run('credits', 'grant', '--user', id, '--reason', 'Welcome', ...options)).code).toBe(code)
})

test('`users set-tier` gives a user and all their keys the limits of a paid account', async () => {
  const user = await newUser()
  await ops.json('keys', 'create', '--user', user.id, '--name', 'before')
  expect(await ops.json('users', 'set-tier', '--user', user.id, '--tier', 'paid')).toMatchObject({ tier: 'paid' })
  expect(await database.db.collection('api_keys').find({ user_id: user.id, paid: true }).toArray()).toHaveLength(1)
  expect((await ops.run('users', 'set-tier', '--user', user.id, '--tier', 'free')).code).toBe(2)
})

test('a sign-in link is for the only operator by default; of several it lists the emails', async () => {
  const alone = opsOn(otherDatabase)
  const link = () => alone.run('users', 'sign-in-link')
  await alone.json('users', 'create', '--email', 'user@example.com')
  expect(await link()).toMatchObject({ code: 2, err: expect.stringContaining('No user is an operator') })

  await alone.json('users', 'create', '--email', 'ada@example.com')
  await alone.json('users', 'set-role', '--user', 'ada@example.com', '--role', 'operator')
  const { code, out } = await link()
  expect(code).toBe(0)
  const token = /#link=(\S+)/.exec(out)?.[1] ?? ''
  const ada = await findUserByEmail(otherDatabase.db, 'ada@example.com')
  expect(await redeemSignInLink(otherDatabase.db, token)).toBe(ada?._id)

  await alone.json('users', 'set-role', '--user', 'user@example.com', '--role', 'operator')
  expect(await link()).toMatchObject({
    code: 2,
    err: expect.stringContaining('Name one with --email: user@example.com, ada@example.com'),
  })
})
