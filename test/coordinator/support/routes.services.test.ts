import { createUserLimit } from '@placefleet/coordinator/accounts/limits'
import type { RatePolicy } from '@placefleet/coordinator/http/rate-limit'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { supportRoutes } from '@placefleet/coordinator/support/routes'
import { listSupportRequests } from '@placefleet/coordinator/support/store'
import { afterAll, expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const path = '/api/v1/support'
const question = { category: 'bug', message: 'It does not work.' }

async function supportApi(policy: RatePolicy, whenOver?: (end: () => Promise<void>) => void) {
  const limit = createUserLimit(db, `support-${crypto.randomUUID()}`, policy, 'support requests')
  const routes = async (server: Server) => void (await server.register(supportRoutes, { prefix: '/api/v1', db, limit }))
  return startApi(db, { routes }, whenOver)
}

const api = await supportApi({ rate: 1_000, burst: 1_000 }, afterAll)

test('a request is stored for the operators, with the address to answer to', async () => {
  const { user_id, key } = await testUser(db, 'ada@example.com')
  const body = { category: 'billing', subject: 'Invoice', message: 'Where is it?\nI paid.' }
  const answer = await api.call('POST', path, { key, body })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  expect(await listSupportRequests(db, 1)).toEqual([
    { _id: expect.any(String), user_id, email: 'ada@example.com', created_at: expect.any(Date), ...body },
  ])
})

test.each([
  ['a message of spaces', { ...question, message: ' '.repeat(20) }, 400],
  ['an empty subject', { ...question, subject: '' }, 200],
])('a request with %s is answered with $2', async (_, body, status) => {
  const { key } = await testUser(db)
  expect((await api.call('POST', path, { key, body })).status).toBe(status)
})

test('the limit counts the accepted requests of a user', async () => {
  const limited = await supportApi({ rate: 0.0001, burst: 2 })
  const { key } = await testUser(db)
  const statuses: number[] = []
  for (const body of [question, { ...question, category: 'praise' }, question, question])
    statuses.push((await limited.call('POST', path, { key, body })).status)
  expect(statuses).toEqual([200, 400, 200, 429])
})

test('the latest hundred requests of a user are kept, and those of others', async () => {
  const [{ user_id, key }, other] = [await testUser(db), await testUser(db)]
  await api.call('POST', path, { key: other.key, body: question })
  for (let nth = 0; nth < 102; nth++) {
    await api.call('POST', path, { key, body: { ...question, message: `message number ${nth}` } })
  }
  const kept = (await listSupportRequests(db, 1_000)).filter((request) => request.user_id === user_id)
  expect(kept.map(({ message }) => message)).toEqual(
    Array.from({ length: 100 }, (_, nth) => `message number ${101 - nth}`),
  )
  expect((await listSupportRequests(db, 1_000)).filter((request) => request.user_id === other.user_id)).toHaveLength(1)
})
