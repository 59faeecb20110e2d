import { Agent, request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { productDocument } from '../harness/coordinator/documented-answers.ts'
import { fetchDocument } from '../harness/coordinator/open-api.ts'
import { addUser } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { volume } from '../harness/volume.ts'
import { ask, Failure, INTERNALS, JOB } from './api-world.ts'
import { type FuzzRequest, fuzzRequests, type KnownIds } from './fuzz-requests.ts'

const REQUESTS = volume(300, 10_000)
const AT_ONCE = 25
const HANGS_AFTER_MS = 20_000
const STREAMS = ['application/x-ndjson', 'text/event-stream']

const world = await startWorld(afterAll)
const { url } = await addCoordinator(world, {
  MAX_CONCURRENT_JOBS_FREE: '10000',
  RATE_SUPPORT: '100000:100000',
  RATE_ADDRESS: '100000:100000',
  WEBHOOK_ALLOW_HOSTS: '127.0.0.1:9', // nobody listens there
})
const { key } = await addUser(world.db, 900_000)
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
afterAll(() => agent.destroy())

type Response = { status: number; type: string; text: string }

/** Sends a request as it is; fails when no answer comes. */
function send({ method, path: drawn, headers, body }: FuzzRequest): Promise<Response> {
  const { hostname, port } = new URL(url)
  const path = drawn.replace(/([?&]wait=)\d{1,2}(?=&|$)/, '$11') // a second represents any wait
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': body.length } : {}
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...length, 'x-api-key': key } }
    const asked = httpRequest({ ...options, signal: AbortSignal.timeout(HANGS_AFTER_MS) }, async (response) => {
      const { statusCode: status = 0, headers } = response
      const type = headers['content-type'] ?? ''
      const chunks: Buffer[] = []
      for await (const chunk of response) {
        chunks.push(chunk)
        if (STREAMS.includes(type)) break // a stream lasts until its job ends, and these jobs never end
      }
      resolve({ status, type, text: Buffer.concat(chunks).toString() })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** The promised answer to a purchase without Stripe. */
const isNotConfigured = (text: string) => text.includes('"error":"billing_not_configured"')

/** Returns the JSON that a request brings; undefined without one that a parser can read. */
function jsonOf({ body }: FuzzRequest): unknown {
  try {
    return body && JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** What refuses a body that fits its schema: rules that no schema can say. */
const BEYOND_SCHEMAS = [
  'points into a private or reserved network',
  'must point to a public address',
  '`url` is not a valid URL',
  '`schedule.cron`',
  '`schedule.timezone` must',
  '`max_cost` must be at least',
  'New prices may begin at',
  'A bonus must be above zero',
  'This deployment has no simulated city',
  'names no place',
  '`recheck_after` needs',
  'all proxies together',
  'has no extent',
  'is not closed',
  'runs around a pole',
  'crosses itself',
  'touches itself',
  'leaves its outline',
  'must be a latitude',
  'must be a longitude',
  'positions; at most',
  'north of the second number',
  'east of the first number',
  'Begin a new login',
  'authorization_pending',
]

function judge(request: FuzzRequest, { status, type, text }: Response): void {
  const shown = `${request.method} ${request.path} ${JSON.stringify(request.headers)} ${request.body?.subarray(0, 300)}\n→ ${status} ${text.slice(0, 500)}`
  if (status >= 500) expect(isNotConfigured(text), shown).toBe(true)
  if (status >= 400 && request.method !== 'HEAD') {
    expect(type, shown).toBe('application/json; charset=utf-8')
    expect(Failure.safeParse(JSON.parse(text)).error, shown).toBeUndefined()
    expect(JSON.parse(text).code, shown).toBe(status)
  }
  expect(INTERNALS.test(text), shown).toBe(false)
  if (!request.operation) return
  expect(Object.keys(request.operation.responses), shown).toContain(String(status))
  const { faultOf, faultOfRequest } = productDocument()
  const address = new URL(request.path, url)
  address.search = ''
  const answered = { status, type: type || undefined, body: type.startsWith('application/json') && JSON.parse(text) }
  expect(faultOf(request.method, address.pathname, answered), shown).toBeUndefined()
  const sent = { type: 'application/json', body: jsonOf(request) }
  if (!request.operation.body || sent.body === undefined) return
  const fault = faultOfRequest(request.method, address, sent)
  if (status < 300) expect(fault, `${shown}\nThis is accepted.`).toBeUndefined()
  const isJson = /^application\/json(; charset=utf-8)?$/.test(String(request.headers['content-type']))
  const isOtherwiseRight = isJson && !request.path.includes('?') && !('idempotency-key' in request.headers)
  if (status === 400 && isOtherwiseRight && !BEYOND_SCHEMAS.some((rule) => text.includes(rule)))
    expect(fault, `${shown}\nThis is refused.`).toBeDefined()
}

/** Reports only the wrong answer, because the whole batch would fill pages. */
function report({ failed, seed, errorInstance }: fc.RunDetails<[FuzzRequest[]]>): void {
  if (failed) throw new Error(`with seed ${seed}: ${errorInstance}`, { cause: errorInstance })
}

/** Objects that paths may name, so many that most requests find an existing one. */
async function things(): Promise<KnownIds> {
  const make = async (path: string, count: number, body: object) => {
    const made = Array.from({ length: count }, () => ask(url, 'POST', path, { key, body }))
    return (await Promise.all(made)).map(({ body: answer }) => (answer as { id: string }).id)
  }
  const webhooks = await make('/api/v1/webhooks', 8, { name: 'x', url: 'https://127.0.0.1:9/' })
  const keys = await make('/api/v1/api-keys', 8, { name: 'another' })
  const jobs = await make('/api/v1/jobs', 40, JOB)
  return (path) => (path.includes('webhooks') ? webhooks : path.includes('api-keys') ? keys : jobs)
}

test(`${REQUESTS} requests made from the document get an answer that the document describes, and a success exactly for what it allows`, async () => {
  const document = await fetchDocument(url)
  const known = await things()
  const counts = new Map<number, number>()

  const requests = fc.array(fuzzRequests(document, known), { minLength: AT_ONCE, maxLength: AT_ONCE, size: 'max' })
  await fc.assert(
    fc.asyncProperty(requests, async (batch) => {
      const answers = await Promise.all(batch.map(send))
      for (const [index, answer] of answers.entries()) {
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
        const request = batch[index]
        if (request) judge(request, answer)
      }
    }),
    { numRuns: REQUESTS / AT_ONCE, endOnFailure: true, reporter: report },
  )

  console.log('answers by status', Object.fromEntries([...counts].toSorted(([one], [other]) => one - other)))
  for (const status of [200, 201, 204, 400, 404, 405, 413, 415, 422]) expect(counts.get(status) ?? 0).toBeGreaterThan(0)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect((await ask(url, 'GET', '/health')).body).toMatchObject({ status: 'ok' })
}, 180_000)
