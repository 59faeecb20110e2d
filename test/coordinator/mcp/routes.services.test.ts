import { once } from 'node:events'
import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { resultDocument, storeResults } from '../../harness/coordinator/results.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

const world = await startWorld(afterAll)
const ample = await addCoordinator(world)

const message = (id: number, name = 'get_balance', args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

const post = (url: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })

/** Returns what a tool answered. */
async function answerOf(answer: Response): Promise<Record<string, unknown>> {
  const [, data = ''] = /^(?:event: message\ndata: )?(\{.*\})\s*$/.exec(await answer.text()) ?? []
  return Message.parse(JSON.parse(data)).result.structuredContent
}

const Message = z.object({ result: z.object({ structuredContent: z.record(z.string(), z.unknown()) }) })

async function connect(url: string, key: string) {
  const client = new Client({ name: 'test', version: '1' })
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), options))
  return client
}

test('a batch is refused with a JSON-RPC error, however many messages it has', async () => {
  const { key } = await addUser(world.db)
  for (const count of [0, 1, 2, 100]) {
    const answer = await post(
      ample.url,
      key,
      Array.from({ length: count }, (_, id) => message(id)),
    )
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.stringContaining('one message'), data: { error: 'bad_request' } },
    })
  }
})

test('a repeated create_job with an Idempotency-Key creates one job', async () => {
  const { key, user_id } = await addUser(world.db)
  const job = { name: 'once', keywords: ['cafe'], language: 'en', max_cost: '1' }
  const create = (args: object, id: string) =>
    post(ample.url, key, message(1, 'create_job', args), { 'idempotency-key': id })
  const [first, again] = [await create(job, 'one'), await create(job, 'one')]
  expect([first.status, again.status]).toEqual([200, 200])
  const { job_id } = await answerOf(first)
  expect(await answerOf(again)).toMatchObject({ job_id, replayed: true })
  expect(await (await create({ ...job, depth: 1 }, 'one')).text()).toContain('idempotency_key_in_use')
  expect(await jobsOf(world.db).countDocuments({ user_id })).toBe(1)
  expect((await create(job, '')).status).toBe(400)
})

test('a client that lost the answer to create_job and calls again gets the same job', async () => {
  const { key, user_id } = await addUser(world.db)
  const client = await connect(ample.url, key)
  const create = async (args: object) => {
    const job = { name: 'once', keywords: ['cafe'], language: 'en', max_cost: '1', ...args }
    return (await client.callTool({ name: 'create_job', arguments: job })).structuredContent
  }
  const first = await create({})
  expect(first).toMatchObject({ replayed: false })
  expect(await create({})).toEqual({
    ...z.looseObject({}).parse(first),
    replayed: true,
    summary: expect.stringContaining('an earlier call'),
  })
  expect(await create({ depth: 1 })).toMatchObject({ replayed: false })
  expect(await create({ request_id: 'another' })).toMatchObject({ replayed: false })
  expect(await create({ request_id: 'another' })).toMatchObject({ replayed: true })
  expect(await jobsOf(world.db).countDocuments({ user_id })).toBe(3)
  await client.close()
})

test('pages of places and jobs say where they end', async () => {
  const { key, user_id } = await addUser(world.db)
  const jobs = Array.from({ length: 3 }, () => sampleJob(user_id, { status: 'completed' }))
  await jobsOf(world.db).insertMany(jobs)
  const [{ _id: job_id } = sampleJob(user_id)] = jobs
  await storeResults(world.db, job_id, [resultDocument({ user_id, job_id })])
  const client = await connect(ample.url, key)
  const answer = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent

  expect(await answer('get_places', { job_id, page: 2 })).toMatchObject({
    places: [],
    summary: expect.stringContaining('No more places: there are 1'),
  })
  expect(await client.callTool({ name: 'list_jobs', arguments: { search: 'a\0b' } })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('contains a NUL character') }],
  })
  expect(await answer('list_jobs', { limit: 2 })).toMatchObject({ next_step: expect.stringContaining('page: 2') })
  expect(await answer('list_jobs', { limit: 3 })).toMatchObject({ next_step: expect.not.stringContaining('page:') })
  await client.close()
})

test('a Host header that names no host is refused, not a fault of the server', async () => {
  const { key } = await addUser(world.db)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', host: '[' }
  const sent = request(`${ample.url}/mcp`, { method: 'POST', headers }).end(JSON.stringify(message(1)))
  const [answer] = await once(sent, 'response')
  expect(answer.statusCode).toBe(400)
  answer.resume()
})

test('a message beyond the limit is refused with a JSON-RPC error that says when to try again', async () => {
  const { key } = await addUser(world.db)
  const { url } = await addCoordinator(world, { RATE_FREE: '0.01:1' })
  expect((await post(url, key, message(1))).status).toBe(200)
  const answer = await post(url, key, message(2))
  expect([answer.status, answer.headers.get('ratelimit')]).toEqual([429, expect.stringMatching(/^api;r=0;t=\d+$/)])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(90)
  expect(await answer.json()).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: expect.stringContaining('Try again in'), data: { error: 'rate_limited' } },
  })
})

test('a client without pauses waits for its tokens, and the API gives none more', async () => {
  const { key } = await addUser(world.db)
  const { url } = await addCoordinator(world, { RATE_FREE: '2:3' })
  const client = await connect(url, key) // two messages, and the attempt to open a stream
  for (let nth = 0; nth < 3; nth++) {
    const { isError = false } = await client.callTool({ name: 'get_balance', arguments: {} })
    expect(isError).toBe(false)
  }
  await client.close()
  const refused = await Promise.all(
    [1, 2, 3, 4].map(() => fetch(`${url}/api/v1/jobs`, { headers: { 'x-api-key': key } })),
  )
  expect(refused.map(({ status }) => status)).toContain(429)
})

test('an answer has at most 1 MiB', async () => {
  const { key, user_id } = await addUser(world.db)
  const job = sampleJob(user_id, { status: 'completed' })
  await jobsOf(world.db).insertOne(job)
  const place = { user_reviews: [{ id: '1', text: 'x'.repeat(300_000) }] }
  const owner = { user_id, job_id: job._id }
  await storeResults(
    world.db,
    job._id,
    Array.from({ length: 5 }, () => resultDocument(owner, place)),
  )
  const client = await connect(ample.url, key)
  const read = (args: object) => client.callTool({ name: 'get_places', arguments: { job_id: job._id, ...args } })

  expect(await read({ all_fields: true })).toMatchObject({
    isError: true,
    structuredContent: { error: 'too_large', message: expect.stringContaining('smaller `limit`') },
  })
  expect(await read({ all_fields: true, limit: 3 })).toMatchObject({ structuredContent: { total: 5 } })
  expect(await read({})).toMatchObject({ structuredContent: { places: [{}, {}, {}, {}, {}] } })
  await client.close()
})
