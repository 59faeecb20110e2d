import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setRole } from '@placefleet/coordinator/accounts/roles'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startMongo } from '@placefleet/deploy/embedded/mongo'
import { startNats } from '@placefleet/deploy/embedded/nats'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { z } from 'zod'
import type { Answer, CallOptions } from '../harness/coordinator/call-api.ts'
import { fetchDocument, operationsOf, resolved } from '../harness/coordinator/open-api.ts'
import { lifeOf } from '../harness/coordinator/sample-job.ts'
import { addUser, cookieOf } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { type Asked, ask, askAll, Failure, INTERNALS, JOB, requestsOfDatabase } from './api-world.ts'

const world = await startWorld(afterAll)
const { db } = world
const { url } = await addCoordinator(world, { MAX_CONCURRENT_JOBS_FREE: '1000', RATE_SESSION: '100000:100000' })
const { key, user_id } = await addUser(db)
const poor = await addUser(db, 0)

const create = async (caller: { key: string }, body: object = JOB) =>
  ask(url, 'POST', '/api/v1/jobs', { key: caller.key, body })
const idOf = ({ body }: Answer) => (body as { id: string }).id
const running = idOf(await create({ key }))
const failed = idOf(await create({ key }))
const completed = idOf(await create({ key }))
await jobsOf(db).updateOne(
  { _id: failed },
  { $set: { ...lifeOf('failed'), status: 'failed', failure_reason: 'blocked: everywhere' } },
)
await jobsOf(db).updateOne(
  { _id: completed },
  { $set: { ...lifeOf('completed'), status: 'completed', ended_at: new Date() } },
)
const keyRecord = idOf(await ask(url, 'POST', '/api/v1/api-keys', { key, body: { name: 'to be revoked' } }))
await ask(url, 'DELETE', `/api/v1/api-keys/${keyRecord}`, { key })

/** Checks the common parts of every failure, and returns its body. */
function failure(answer: Answer, limited = true): z.infer<typeof Failure> {
  const body = Failure.parse(answer.body)
  expect(body.code).toBe(answer.status)
  expect(answer.headers.get('x-request-id')).toBe(body.request_id)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.text).not.toMatch(INTERNALS)
  if (limited) {
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^api;q=\d+;w=\d+$/)
    expect(answer.headers.get('ratelimit')).toMatch(/^api;r=\d+;t=\d+$/)
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
    }
  }
  return body
}

type Case = [what: string, status: number, method: string, path: string, options?: CallOptions]
const JSON_TYPE = { 'content-type': 'application/json' }
const raw = (rawBody: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE): CallOptions => ({
  rawBody,
  headers,
})
const NOBODY = { key: undefined }

test.each<Case>([
  // 400
  ['a body that does not fit', 400, 'POST', '/api/v1/jobs', { body: { ...JOB, depth: 21 } }],
  ['a field of ours', 400, 'POST', '/api/v1/jobs', { body: { ...JOB, user_id: 'x', total_cost: '0' } }],
  ['a malformed UUID in a query', 400, 'GET', '/api/v1/results/download?monitor_id=x'],
  ['an unknown web_presence', 400, 'GET', `/api/v1/jobs/${running}/results?web_presence=some`],
  ['an unknown format', 400, 'GET', `/api/v1/jobs/${completed}/download?format=pdf`],
  ['a webhook in a private network', 400, 'POST', '/api/v1/webhooks', { body: { name: 'x', url: 'https://10.0.0.1' } }],
  ['a path that does not decode', 400, 'GET', '/api/v1/jobs/%zz'],
  // 401
  ['a key in the query', 401, 'GET', `/api/v1/jobs?api_key=${key}`, NOBODY],
  ['no credential for a body that does not parse', 401, 'POST', '/api/v1/jobs', { ...NOBODY, ...raw('{') }],
  // 402
  ['too few credits', 402, 'POST', '/api/v1/jobs', { key: poor.key, body: JOB }],
  ['results of a failed job', 402, 'GET', `/api/v1/jobs/${failed}/results`],
  ['the download of a failed job', 402, 'GET', `/api/v1/jobs/${failed}/download`],
  // 404
  ['an unknown job', 404, 'GET', `/api/v1/jobs/${randomUUID()}`],
  ['a download before the end', 404, 'GET', `/api/v1/jobs/${running}/download`],
  ['an API key that is revoked', 404, 'DELETE', `/api/v1/api-keys/${keyRecord}`],
  ['an unknown path', 404, 'GET', '/api/v1/nothing'],
  ['a path outside of the API', 404, 'GET', '/nothing'],
  // 405, 409, 413, 415, 422
  ['cancelling a completed job', 409, 'POST', `/api/v1/jobs/${completed}/cancel`],
  ['cancelling a failed job', 409, 'POST', `/api/v1/jobs/${failed}/cancel`],
  ['plain text', 415, 'POST', '/api/v1/jobs', raw(JSON.stringify(JOB), { 'content-type': 'text/plain' })],
  ['no type', 415, 'POST', '/api/v1/jobs', raw(new Uint8Array([123, 125]), {})],
  ['no body', 422, 'POST', '/api/v1/jobs', raw('')],
  ['a body that is not UTF-8', 422, 'POST', '/api/v1/jobs', raw(new Uint8Array([34, 255, 34]))],
  ['a malformed UUID of a job', 422, 'GET', '/api/v1/jobs/not-a-uuid'],
  ['a malformed UUID of an API key', 422, 'DELETE', '/api/v1/api-keys/1'],
  ['a malformed UUID of a webhook', 422, 'PATCH', '/api/v1/webhooks/1', { body: {} }],
  ['a malformed UUID in job_ids', 422, 'POST', '/api/v1/jobs/costs/batch', { body: { job_ids: [running, 'x'] } }],
])('%s is answered with %i', async (_what, status, method, path, options) => {
  const answer = await ask(url, method, path, { key, ...options })
  expect(answer.status, answer.text).toBe(status)
  failure(answer)
})

test.each([['/auth/claim'], ['/auth/device'], ['/auth/device/token'], ['/auth/link']])(
  'a route that needs no account takes a body of 4 KiB and none larger: $0',
  async (path) => {
    const sized = (bytes: number) => raw(`{"x":"${'x'.repeat(bytes - '{"x":""}'.length)}"}`)
    expect((await ask(url, 'POST', path, { ...NOBODY, ...sized(4_096) })).status).toBe(400)
    const answer = await ask(url, 'POST', path, { ...NOBODY, ...sized(4_097) })
    expect(answer.status).toBe(413)
    expect(failure(answer).message).toContain('4 KiB')
  },
)

test.each([
  ['/api/v1/jobs', 'PUT', ['GET', 'HEAD', 'POST']],
  [`/api/v1/jobs/${running}`, 'POST', ['DELETE', 'GET', 'HEAD']],
  ['/api/v1/jobs/estimates?x=1', 'DELETE', ['POST']],
  ['/openapi.json', 'POST', ['GET', 'HEAD']],
])('%s rejects %s and names the accepted methods', async (path, method, allowed) => {
  const answer = await ask(url, method, path, { key })
  expect(answer.status).toBe(405)
  failure(answer)
  const allow = answer.headers.get('allow')?.split(', ') ?? []
  expect(allow.toSorted()).toEqual(allowed)
})

test('a UUID may have any letter case', async () => {
  const id = running.toUpperCase()
  expect((await ask(url, 'GET', `/api/v1/jobs/${id}`, { key })).body).toMatchObject({ id: running })
  expect((await ask(url, 'GET', `/api/v1/jobs/${id}/costs`, { key })).body).toMatchObject({ job_id: running })
  const batch = await ask(url, 'POST', '/api/v1/jobs/costs/batch', { key, body: { job_ids: [id] } })
  expect(Object.keys((batch.body as { costs: object }).costs)).toEqual([running])
  expect((await ask(url, 'DELETE', `/api/v1/webhooks/${id}`, { key })).status).toBe(404)
})

test('failures that a program must tell apart have an identifier', async () => {
  expect(failure(await create(poor))).toMatchObject({ code: 402, error: 'insufficient_credits' })
  const checkout = { key, body: { credits: '5', currency: 'USD' } }
  const unconfigured = await ask(url, 'POST', '/api/v1/credits/checkout-session', checkout)
  expect(failure(unconfigured).error).toBe('billing_not_configured')
})

test('each missing field is named', async () => {
  const missing = failure(await create({ key }, {}))
  expect(missing.message).toBe(
    '`name` is required; `language` is required; `keywords` is needed: send keywords, places or both',
  )
})

test.each([
  [{ latitude: '1' }, '`latitude` is not a field here; did you mean `lat`?'],
  [{ longitude: '1' }, '`longitude` is not a field here; did you mean `lon`?'],
  [{ lng: '1' }, '`lng` is not a field here; did you mean `lon`?'],
  [{ limit: 5 }, '`limit` is not a field here; did you mean `max_results`?'],
  [{ query: 'a' }, '`query` is not a field here; did you mean `keywords`?'],
  [{ location: 'Kyoto' }, '`location` is not a field here; did you mean `near`?'],
  [{ lat: '52,5' }, '`lat` must be decimal degrees between -90 and 90 with a point, not a comma, e.g. "34.6786"'],
  [{ lon: '13,4' }, '`lon` must be decimal degrees between -180 and 180 with a point, not a comma, e.g. "33.0413"'],
  [{ language: 'en-US' }, 'did you mean "en"?'],
  [{ language: 'DE' }, 'did you mean "de"?'],
  [{ language: 'Greek' }, 'did you mean "el"?'],
  [{ language: 'xx' }, '`language` must be one of "ar", "bg"'],
  [{ country: 'uk' }, '`country` is not a country code of ISO 3166; did you mean "gb"?'],
  [{ country: 'xx' }, '`country` is not a country code of ISO 3166'],
])('%j is answered with what was meant', async (field, text) => {
  expect(failure(await create({ key }, { ...JOB, ...field })).message).toContain(text)
})

test('only the first unknown field is answered with the list of all fields', async () => {
  const { details } = failure(await create({ key }, { ...JOB, webhook_url: 'x', elephants: 2, max_result: 3 }))
  expect(details).toEqual([
    { path: 'webhook_url', message: expect.stringContaining('is not a field here; the fields are name, keywords,') },
    { path: 'elephants', message: 'is not a field here' },
    { path: 'max_result', message: 'is not a field here; did you mean `max_results`?' },
  ])
})

test.each([
  ['no key', {}, 'Send a valid API key as `Authorization: Bearer svc_…`'],
  ['a key without Bearer', { authorization: 'svc_x' }, 'Write `Bearer` before the API key'],
  ['a key as Basic', { authorization: 'Basic c3ZjX3g6' }, 'Write `Bearer` before the API key'],
  ['an unknown key', { authorization: 'Bearer svc_x' }, 'This API key is unknown or was revoked.'],
  ['two keys', { authorization: 'Bearer svc_x', 'x-api-key': 'svc_y' }, 'contradict each other'],
  ['an old session', { cookie: 'placefleet_session=over' }, 'Your session is over.'],
])('%s is answered with what to do', async (_what, headers, text) => {
  const answer = await ask(url, 'GET', '/api/v1/jobs', { ...NOBODY, headers })
  expect([answer.status, failure(answer).message]).toEqual([401, expect.stringContaining(text)])
})

test.each([
  ['a comma at the end', '{"name":"x",}', 'The body is not valid JSON, line 1 column 13.'],
  ['single quotes', "{\n'name':1}", 'The body is not valid JSON, line 2 column 1.'],
])('a body with %s is answered with the position of its fault', async (_what, text, message) => {
  const answer = await ask(url, 'POST', '/api/v1/jobs', { key, ...raw(text) })
  expect([answer.status, failure(answer).message]).toEqual([422, message])
})

test('a path that ends with a slash instead of an id, and an unknown parameter, are answered in their words', async () => {
  const slash = failure(await ask(url, 'GET', '/api/v1/jobs/', { key }))
  expect(slash.message).toBe('`id` is empty; leave out the slash at the end of the path')
  const parameter = failure(await ask(url, 'GET', '/api/v1/jobs?nope=1', { key }))
  expect(parameter.message).toContain('`nope` is not a parameter here; the parameters are page, limit')
  const tier = failure(await ask(url, 'GET', `/api/v1/jobs/${completed}/results?web_presence=nope`, { key }))
  expect(tier.message).toMatch(
    /^`web_presence` has an unknown value: nope; the values are none, social, .*has_website$/,
  )
})

test('a database that is down is a 503 with Retry-After on every route, never a 500', async () => {
  const lonely = await startWorld()
  lonely.expectError('failed; retrying') // every loop of the coordinator
  const dataDir = temporaryDir()
  const mongo = await startMongo({ dataDir, cacheDir: join(dataDir, 'cache'), env: {}, log: lonely.log })
  onTestFinished(() => mongo.stop())
  const coordinator = await addCoordinator({ ...lonely, mongoUrl: mongo.url })
  const direct = await connectMongo(mongo.url)
  const caller = await addUser(direct.db)
  await direct.close()
  expect((await ask(coordinator.url, 'GET', '/api/v1/jobs', { key: caller.key })).status).toBe(200)

  await mongo.stop()

  const asked: Asked[] = [...requestsOfDatabase(), ['GET', '/api/v1/version']]
  const answers = await askAll(coordinator.url, caller.key, asked)
  expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 503))
  for (const answer of answers) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    failure(answer)
  }
  const health = await ask(coordinator.url, 'GET', '/health')
  expect([health.status, health.body]).toMatchObject([503, { status: 'unavailable', db: 'down' }])
  await coordinator.close()
})

test('while the queue is down no job is lost: it is accepted, or refused with 503', async () => {
  const lonely = await startWorld()
  const dataDir = temporaryDir()
  const nats = await startNats({ dataDir, env: {}, log: lonely.log })
  onTestFinished(() => nats.stop())
  const coordinator = await addCoordinator({ ...lonely, natsUrl: nats.url })
  const caller = await addUser(lonely.db)

  await nats.stop()

  const answer = await ask(coordinator.url, 'POST', '/api/v1/jobs', { key: caller.key, body: JOB })
  expect([201, 503], answer.text).toContain(answer.status)
  const list = await ask(coordinator.url, 'GET', '/api/v1/jobs', { key: caller.key })
  expect(list).toMatchObject({ status: 200, body: { total: answer.status === 201 ? 1 : 0 } })
  await coordinator.close()
})

test('the account of these tests has its credits: refused requests cost nothing', async () => {
  const { body } = await ask(url, 'GET', '/api/v1/credits/balance', { key })
  expect(body).toMatchObject({ user_id, credit_balance: '1000.000000' })
})

/** Values that fit few fields: other types, too small, too large, too many, and not of a form. */
const BAD_VALUES: unknown[] = [
  1,
  1.5,
  -1e9,
  1e12,
  'x',
  '5',
  '',
  'x'.repeat(6_000),
  true,
  null,
  [],
  [1],
  [''],
  Array(200).fill('x'),
  {},
  { x: 1 },
  { cron: 1, timezone: 2 },
  { day: 1, month: 'x' },
]

/** A body is of one type at most, so one value of each type is enough. */
const BAD_BODIES: unknown[] = [1, 'x', true, null, [], {}, { x: 1 }]

/** The beginnings of zod's own texts. */
const RAW = /\b(Invalid|Too (big|small)|Unrecognized|expected|received)\b/

test('no fault of any field or parameter is in the words of the validator', async () => {
  const operator = await addUser(db)
  await setRole(db, operator.user_id, 'operator')
  const headers = { cookie: await cookieOf(db, operator.user_id), 'sec-fetch-site': 'same-origin' }
  const document = await fetchDocument(url)
  const messages = new Map<string, string>()
  const collect = ({ status, body }: Answer, call: string) => {
    expect(status, call).not.toBe(429)
    if (status !== 400 && status !== 422) return
    const { details = [], message } = Failure.parse(body)
    for (const text of [message, ...details.map((detail) => detail.message)]) messages.set(text, call)
  }
  for (const { method, path: template, body, parameters } of operationsOf(document)) {
    if (ofNothing(template).startsWith('/auth/')) continue
    const fields = Object.keys(body ? (resolved(document, body).properties ?? {}) : {})
    const filled = BAD_VALUES.map((bad) => Object.fromEntries(fields.map((name) => [name, bad])))
    const bodies = body ? [...BAD_BODIES, ...filled] : []
    const answers = bodies.map((bad) => ask(url, method, ofNothing(template), { headers, body: bad }))
    for (const answer of await Promise.all(answers)) collect(answer, `${method} ${template}`)
    const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const searches = (query.length > 0 ? ['', 'x', '-1', '1e9', '99999999999999999'] : []).map((bad) => {
      const search = new URLSearchParams(query.map((name): [string, string] => [name, bad]))
      return ask(url, method, `${ofNothing(template)}?${search}`, { headers })
    })
    for (const answer of await Promise.all(searches)) collect(answer, `${method} ${template} ?`)
  }
  expect(messages.size).toBeGreaterThan(50)
  expect([...messages].filter(([message]) => RAW.test(message))).toEqual([])
  expect([...messages.keys()]).toEqual(
    expect.arrayContaining([
      'must have at least 1 item',
      'must be at most 500',
      'must be a number, for example 5',
      'must be a string, for example "1.5"',
      'must be one of "all", "no_website", "has_website"',
    ]),
  )
}, 120_000)

test('no text in a query parameter is a fault of the server', async () => {
  const operator = await addUser(db)
  await setRole(db, operator.user_id, 'operator')
  const faults: string[] = []
  let parameters = 0
  for (const { method, path: template, parameters: all } of operationsOf(await fetchDocument(url))) {
    for (const { name } of all.filter((parameter) => parameter.in === 'query')) {
      parameters++
      const paths = TEXTS.map((text) => `${ofNothing(template)}?${new URLSearchParams({ [name]: text })}`)
      const answers = await Promise.all(paths.map((path) => ask(url, method, path, { key: operator.key })))
      faults.push(...paths.filter((_, index) => answers[index]?.status === 500))
    }
  }
  expect(parameters).toBeGreaterThan(50)
  expect(faults).toEqual([])
})

/** Texts that a database, a pattern or a letter case may take for something else. */
const TEXTS = ['a\0b', '(a+)+$', '[', '\\', '%', 'ŉİ'.repeat(50)]

const ofNothing = (template: string) => template.replaceAll(/\{\w+\}/g, randomUUID())
