import { createAuthenticator } from '@placefleet/coordinator/accounts/authentication'
import { accountRoutes } from '@placefleet/coordinator/accounts/routes'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { steppingDb, WRITES } from '../../harness/servers/stepping-database.ts'

const { db } = await testDatabase()

/** The database while its disk is full: it answers reads, and refuses every write. */
const full = steppingDb(db, WRITES, () =>
  Promise.reject(
    new MongoServerError({ code: 14_031, message: 'available disk space of 0 bytes is less than required' }),
  ),
)

async function onFullDisk(burst: number) {
  const policy = { rate: 0.001, burst }
  const authenticator = createAuthenticator(full, { free: policy, paid: policy, session: policy })
  return startApi(full, {
    authenticator,
    routes: async (server) =>
      void (await server.register(accountRoutes, { prefix: '/api/v1', db: full, usedKeys: async () => [] })),
  })
}

test('while the disk of the database is full, reads go on by key and by session, and writes answer 503', async () => {
  const api = await onFullDisk(10)
  const { user_id, key } = await testUser(db)
  const { secret } = await createSession(db, user_id)
  const headers = { cookie: `placefleet_session=${secret}`, 'sec-fetch-site': 'same-origin' }

  for (const by of [{ key }, { headers }]) {
    expect((await api.call('GET', '/api/v1/api-keys', by)).status).toBe(200)
    const written = await api.call('POST', '/api/v1/api-keys', { ...by, body: { name: 'k' } })
    expect([written.status, written.body]).toMatchObject([503, { error: 'unavailable' }])
  }
  expect(
    (await api.call('GET', '/api/v1/api-keys', { key: key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')) }))
      .status,
  ).toBe(401)
})
