import { createAuthenticator } from '@placefleet/coordinator/accounts/authentication'
import { expect, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { startApi, type TestApi } from '../../harness/coordinator/api.ts'
import type { Answer } from '../../harness/coordinator/call-api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const SLOW = { rate: 0.001, burst: 7 } // no token comes back while a test runs
const AMPLE = { rate: 100_000, burst: 100_000 }
const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

test('200 requests at once over two servers are granted exactly the burst, and only those count as uses', async () => {
  const { key, key_id } = await testUser(db)
  const authenticator = createAuthenticator(db, { free: SLOW, paid: AMPLE, session: AMPLE })
  const servers = [await startApi(db, { authenticator }), await startApi(db, { authenticator })] as const
  const serverOf = (i: number): TestApi => servers[i % 2 === 0 ? 0 : 1]
  const answers = await Promise.all(times(200, (i) => serverOf(i).call('GET', '/api/v1/version', { key })))
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(7)
  expect(statuses(answers).filter((status) => status === 429)).toHaveLength(193)
  const remaining = answers.filter(({ status }) => status === 200).map(({ headers }) => headers.get('ratelimit'))
  const oneOf = (i: number): unknown => expect.stringMatching(`^api;r=${i};t=(1000|9\\d\\d)$`)
  expect(remaining.sort()).toEqual(times(7, oneOf))
  const stored = await db.collection<{ _id: string; usage_count: number }>('api_keys').findOne({ _id: key_id })
  expect(stored?.usage_count).toBe(7)
})

test('each key has its own bucket', async () => {
  const [one, other] = [await testUser(db), await testUser(db)]
  const authenticator = createAuthenticator(db, { free: { rate: 0.001, burst: 1 }, paid: AMPLE, session: AMPLE })
  const api = await startApi(db, { authenticator })
  const ask = async ({ key }: { key: string }) => (await api.call('GET', '/api/v1/version', { key })).status
  expect([await ask(one), await ask(other), await ask(one)]).toEqual([200, 200, 429])
})

test('all requests without an account are limited by address, without an effect on accounts', async () => {
  const { key } = await testUser(db)
  const api = await startApi(db, { addressPolicy: { rate: 0.001, burst: 4 } })
  const unknown = [
    () => api.call('GET', '/api/v1/version'),
    () => api.call('GET', '/nothing', { headers: { 'x-forwarded-for': '1.2.3.4' } }),
    () => api.call('GET', '/api/v1/version', { key: 'svc_not-one-of-ours-at-all' }),
    () => api.call('GET', '/openapi.json'),
    () => api.call('GET', '/api/v1/version', { key: 'svc_another-one-that-is-not-ours' }),
    () => api.call('PUT', '/health', { headers: { 'x-forwarded-for': '1.2.3.5' } }),
  ]
  const answers: Answer[] = []
  for (const ask of unknown) answers.push(await ask())
  expect(statuses(answers)).toEqual([401, 404, 401, 200, 429, 429])
  expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(times(6, () => 'api;q=4;w=4000'))
  expect((await api.call('GET', '/api/v1/version', { key })).status).toBe(200)
  expect((await api.call('GET', '/health')).status).toBe(200)
})

test('behind a trusted proxy the address is the one it names', async () => {
  const api = await startApi(db, { addressPolicy: { rate: 0.001, burst: 1 }, trustedProxies: ['127.0.0.0/8'] })
  const from = async (address: string) =>
    (await api.call('GET', '/nothing', { headers: { 'x-forwarded-for': address } })).status
  expect([await from('1.1.1.1'), await from('2.2.2.2'), await from('1.1.1.1')]).toEqual([404, 404, 429])
  expect([await from('2.2.2.2:8080'), await from('[2001:db8::1]:80'), await from('2001:db8::2')]).toEqual([
    429, 404, 429,
  ])
  // What is no address counts for the peer.
  expect([await from('unknown'), await from('_other'), await from('3.3.3.3, 1:2')]).toEqual([404, 429, 429])
})

test.for([
  ['an untrusted peer', [], 1],
  ['a trusted proxy', ['127.0.0.0/8'], 0],
] as const)('X-Forwarded-For from $0 is warned of $2 times', async ([, trustedProxies, times]) => {
  const { log, lines } = capturedLog()
  const api = await startApi(db, { log, trustedProxies })
  const headers = { 'x-forwarded-for': '1.1.1.1' }

  await api.call('GET', '/api/v1/version', { headers })
  await api.call('GET', '/api/v1/version', { headers })

  expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(times)
})
