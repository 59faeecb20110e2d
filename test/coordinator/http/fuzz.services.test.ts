import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyPath, anyQuery, anyText } from '../../harness/any-text.ts'
import { startApi } from '../../harness/coordinator/api.ts'
import { sampleRoutes } from '../../harness/coordinator/sample-routes.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { volume } from '../../harness/volume.ts'

const { db } = await testDatabase()

const names = fc.constantFrom(
  'name',
  'keywords',
  'language',
  'depth',
  'lat',
  'lon',
  'zoom',
  'proxies',
  'x',
  '__proto__',
)
const nasty = fc.constantFrom('', '\0', '\ud800', '𝕏'.repeat(201), '$where', "'; --", '../..', '1e400', ' ', '\u202e')
const values = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(nasty, { maxLength: 8 }),
  fc.integer(),
  fc.double(),
)
const bodies = fc.oneof(
  fc.dictionary(names, values).map((body) => JSON.stringify(body)),
  fc.json(),
  anyText(),
  fc.uint8Array({ maxLength: 300 }),
)
const types = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/xml',
  'x',
)
const paths = fc.oneof(
  fc.constantFrom('/api/v1/things', '/api/v1/ids', '/api/v1/things/x/cancel', '/api/v1/me'),
  anyPath.map((path) => `/api/v1${path}`),
  anyQuery.map((query) => `/api/v1/things?${query}`),
  fc.string({ unit: 'binary-ascii' }).map((text) => `/api/v1/things/${encodeURIComponent(text)}`),
)

test('for any request the answer is a success or a 4xx, never a 5xx', async () => {
  const { key } = await testUser(db)
  const api = await startApi(db, {
    routes: async (server) => void (await server.register(sampleRoutes, { prefix: '/api/v1' })),
  })
  const request = fc.record({
    method: fc.constantFrom('POST', 'POST', 'PUT', 'DELETE', 'PATCH'),
    path: paths,
    body: bodies,
    type: types,
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, body, type }) => {
      const rawBody = typeof body === 'string' ? body : new Uint8Array(body)
      const answer = await api.call(method, path, { key, rawBody, headers: { 'content-type': type } })
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400) expect(answer.body).toMatchObject({ code: answer.status, message: expect.any(String) })
    }),
    { numRuns: volume(20, 1_000) },
  )
  await fc.assert(
    fc.asyncProperty(anyQuery, nasty, async (query, value) => {
      const path = `/api/v1/things?${query}&limit=${encodeURIComponent(value.toWellFormed())}`
      expect((await api.call('GET', path, { key })).status).toBe(400)
    }),
    { numRuns: volume(15, 200) },
  )
})

test('no credential makes a server fail', async () => {
  const api = await startApi(db)
  const codes = fc.oneof(fc.integer({ min: 32, max: 126 }), fc.integer({ min: 160, max: 255 }))
  const visible = fc.string({ unit: codes.map((code) => String.fromCharCode(code)) })
  const header = fc.constantFrom('authorization', 'x-api-key', 'cookie')
  const value = fc.tuple(fc.constantFrom('', 'Bearer ', 'Bearer svc_', 'svc_', 'placefleet_session='), visible)
  await fc.assert(
    fc.asyncProperty(header, value, async (name, [prefix, rest]) => {
      const answer = await api.call('GET', '/api/v1/version', { headers: { [name]: `${prefix}${rest}` } })
      expect(answer.status).toBe(401)
    }),
    { numRuns: volume(20, 500) },
  )
})
