import { gzipSync } from 'node:zlib'
import { ErrorBody } from '@placefleet/coordinator/http/responses'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startApi } from '../../harness/coordinator/api.ts'
import type { Answer, CallOptions } from '../../harness/coordinator/call-api.ts'
import { sampleRoutes } from '../../harness/coordinator/sample-routes.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { sendRaw } from '../../harness/network/raw-http.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { volume } from '../../harness/volume.ts'

const { db } = await testDatabase()
const { key } = await testUser(db)
const routes = async (server: Server) => void (await server.register(sampleRoutes, { prefix: '/api/v1' }))
const api = await startApi(db, { routes }, afterAll)
api.expectError('a request failed')

const ID = '6f9619ff-8b86-4d11-b42d-00c04fc964ff'
const JSON_TYPE = { 'content-type': 'application/json' }
const JOB = { name: 'a', keywords: ['b'], language: 'en' }
const Failure = z.strictObject({
  code: z.int(),
  message: z.string().min(10),
  error: z.string().optional(),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
})

/** Checks what every failure has, and gives its body. */
function failure(answer: Answer): z.infer<typeof Failure> {
  const body = Failure.parse(answer.body)
  expect(body.code).toBe(answer.status)
  expect(answer.headers.get('x-request-id')).toBe(body.request_id)
  expect(answer.headers.get('ratelimit-policy')).toMatch(/^api;q=\d+;w=\d+$/)
  expect(answer.headers.get('ratelimit')).toMatch(/^api;r=\d+;t=\d+$/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  return body
}

type Case = [string, number, string, string, CallOptions]
const sent = (body: unknown): CallOptions => ({ body })
const raw = (rawBody: string, headers: Record<string, string> = JSON_TYPE): CallOptions => ({ rawBody, headers })
const POST: [string, string] = ['POST', '/api/v1/things']
const GET = (query: string): [string, string] => ['GET', `/api/v1/things?${query}`]

test.each<Case>([
  ['malformed JSON', 422, ...POST, raw('{"a":')],
  ['an empty body with a JSON type', 422, ...POST, raw('')],
  ['no body at all', 422, ...POST, {}],
  ['a body of null', 400, ...POST, sent(null)],
  ['a body of []', 400, ...POST, sent([])],
  ['a body of "x"', 400, ...POST, sent('x')],
  ['a body of 1', 400, ...POST, sent(1)],
  ['plain text', 415, ...POST, raw('{}', { 'content-type': 'text/plain' })],
  ['a form', 415, ...POST, raw('a=b', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['a nonsense type', 415, ...POST, raw('{}', { 'content-type': 'application/json/x, y' })],
  [
    'a compressed body',
    415,
    ...POST,
    { rawBody: gzipSync('{}'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
  ],
  ['a body too large', 413, ...POST, raw(`"${'x'.repeat(256 * 1024)}"`)],
  ['a body too deep', 400, ...POST, raw('['.repeat(100_000) + ']'.repeat(100_000))],
  ['a prototype', 400, ...POST, raw('{"__proto__":{"admin":true}}')],
  ['a wrong JSON type', 400, ...POST, sent({ ...JOB, depth: '5' })],
  ['an overflowing number', 400, ...POST, raw('{"name":"a","keywords":["b"],"language":"en","depth":1e400}')],
  ['an operator for a string', 400, ...POST, sent({ ...JOB, name: { $gt: '' } })],
  ['a malformed UUID in a path', 422, 'GET', '/api/v1/things/x', {}],
  ['a UUID and a line break', 422, 'GET', `/api/v1/things/${ID}%0A`, {}],
  ['a NUL for a UUID', 422, 'GET', '/api/v1/things/%00', {}],
  ['a slash in a UUID', 422, 'GET', '/api/v1/things/a%2Fb', {}],
  ['a very long UUID', 422, 'GET', `/api/v1/things/${'a'.repeat(200)}`, {}],
  ['an endless UUID', 422, 'GET', `/api/v1/things/${'a'.repeat(5_000)}`, {}],
  ['a malformed UUID in a body', 422, 'POST', '/api/v1/ids', sent({ job_ids: [ID, 'x'] })],
  ['a number for a UUID in a body', 400, 'POST', '/api/v1/ids', sent({ job_ids: [ID, 1] })],
  ['a malformed UUID beside another fault', 400, 'POST', '/api/v1/ids', sent({ job_ids: ['x'], jobs: [] })],
  ['too many UUIDs', 400, 'POST', '/api/v1/ids', sent({ job_ids: [ID, ID, ID, ID] })],
  ['an unknown path', 404, 'GET', '/api/v1/nothing', {}],
  ['an unknown path with a broken body', 404, 'POST', '/api/v1/nothing', raw('{"a":')],
  ['an empty UUID', 422, 'GET', '/api/v1/things/', {}],
  ['a slash too many', 404, 'GET', `/api/v1/things/${ID}/`, {}],
  ['a path that does not decode', 400, 'GET', '/api/v1/things/%zz', {}],
  ['a wrong method', 405, 'PUT', '/api/v1/things', sent({})],
  ['a wrong method with a broken body', 405, 'PATCH', '/api/v1/things', raw('{"a":', { 'content-type': 'text/plain' })],
  ['a rare method', 405, 'PROPFIND', '/api/v1/things', {}],
  ['an error of ours with headers', 429, 'GET', '/api/v1/refused', {}],
  ['two limits', 400, ...GET('limit=1&limit=2'), {}],
  ['a negative limit', 400, ...GET('limit=-1'), {}],
  ['an exponent', 400, ...GET('limit=1e1'), {}],
  ['a limit of 0', 400, ...GET('limit=0'), {}],
  ['a limit too high', 400, ...GET('limit=101'), {}],
  ['a space before a limit', 400, ...GET('limit=%205'), {}],
  ['a leading zero', 400, ...GET('limit=05'), {}],
  ['a fraction', 400, ...GET('limit=5.0'), {}],
  ['an empty limit', 400, ...GET('limit='), {}],
  ['Arabic digits', 400, ...GET('limit=%D9%A5'), {}],
  ['a page beyond exact integers', 400, ...GET('page=9007199254740993'), {}],
  ['an unknown parameter', 400, ...GET('limt=5'), {}],
])('%s is answered with %i', async (_what, status, method, path, options) => {
  const answer = await api.call(method, path, { key, ...options })
  expect([answer.status, answer.body]).toEqual([status, expect.anything()])
  failure(answer)
})

test('an unknown field is named with the nearest one there is, however deep', async () => {
  const { message, details } = failure(await api.call(...POST, { key, body: { ...JOB, max_result: 5, depht: 1 } }))
  expect(message).toContain('`max_result`')
  expect(message).toContain('`max_results`')
  expect(details).toEqual([
    { path: 'max_result', message: 'is not a field here; did you mean `max_results`?' },
    { path: 'depht', message: 'is not a field here; did you mean `depth`?' },
  ])
  const nested = failure(await api.call('POST', '/api/v1/ids', { key, body: { job_ids: [], nested: { iner: 1 } } }))
  expect(nested.details).toContainEqual({ path: 'nested.iner', message: 'is not a field here; did you mean `inner`?' })
  const far = failure(await api.call(...POST, { key, body: { ...JOB, elephants: 3 } }))
  expect(far.message).toContain('the fields are name, keywords, places, language')
})

test('faults are listed one by one, missing fields as required, up to a limit', async () => {
  const { details } = failure(await api.call(...POST, { key, body: { keywords: [''], language: 'xx' } }))
  expect(details?.map(({ path }) => path)).toEqual(['name', 'keywords.0', 'language'])
  expect(details?.[0]?.message).toBe('is required')
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, i]))
  expect(failure(await api.call(...POST, { key, body: many })).details).toHaveLength(20)
})

test('a 405 names the methods of the path', async () => {
  expect((await api.call('PUT', '/api/v1/things', { key })).headers.get('allow')).toBe('GET, HEAD, POST')
  expect((await api.call('POST', `/api/v1/things/${ID}`, { key })).headers.get('allow')).toBe('DELETE, GET, HEAD')
})

test('the body has an identifier exactly where there is one', async () => {
  const refused = await api.call('GET', '/api/v1/refused', { key })
  expect([failure(refused).error, refused.headers.get('retry-after')]).toEqual(['concurrent_job_limit', '60'])
  expect(failure(await api.call('GET', '/api/v1/nothing', { key })).error).toBe('not_found')
})

test('an internal error reveals nothing', async () => {
  for (const path of ['/api/v1/bug', '/api/v1/wrong-answer']) {
    const answer = await api.call('GET', path, { key })
    expect(answer.status).toBe(500)
    expect(failure(answer).message).toBe('Something went wrong on our side. It has been logged.')
    expect(answer.text).not.toMatch(/mongodb|secret|stack|count|zod/i)
  }
})

test('calls without a body work with and without a content type', async () => {
  const none = await api.call('DELETE', `/api/v1/things/${ID}`, { key, headers: JSON_TYPE })
  expect([none.status, none.text, none.headers.get('content-type')]).toEqual([204, '', null])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const headers of [{}, JSON_TYPE, form]) {
    expect((await api.call('POST', `/api/v1/things/${ID}/cancel`, { key, rawBody: '', headers })).status).toBe(204)
  }
})

test("a request keeps its client's id when that is sane, and gets one otherwise", async () => {
  const idFor = async (id: string) =>
    (await api.call('GET', '/health', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
  expect(await idFor('trace-1:2/3=4')).toBe('trace-1:2/3=4')
  for (const id of ['', 'a b', 'x'.repeat(129), '<script>']) expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  ['not HTTP', 'hello\r\n\r\n', 400],
  ['a path that does not decode', 'GET /api/v1/%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 400],
  ['two lengths', 'POST /api/v1/things HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}', 400],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a header too large', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['no host', 'GET /health HTTP/1.1\r\n\r\n', 400],
  ['an expectation', 'GET /health HTTP/1.1\r\nhost: a\r\nexpect: 200-ok\r\n\r\n', 417],
  ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nhost: a.example:443\r\n\r\n', 405],
  ['a method that is none', 'FOO /api/v1/things HTTP/1.1\r\nhost: a\r\n\r\n', 400],
  ['HTTP/2 by surprise', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
])('%s is refused and the connection closed', async (_what, bytes, status) => {
  const answer = await sendRaw(api.baseUrl, bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const { code, request_id } = ErrorBody.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))))
  expect(code).toBe(status)
  expect(answer.toLowerCase()).toContain(`x-request-id: ${request_id}`)
  expect((await api.call('GET', '/health')).status).toBe(200)
})

test('no credential makes a server fail', async () => {
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
