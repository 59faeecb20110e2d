import { Placefleet } from '@placefleet/client'
import { expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'

const JOB = { name: 'a job', keywords: ['cafe'], language: 'en' as const }
const FAILURE = JSON.stringify({ code: 503, error: 'unavailable', message: 'Try again soon.', request_id: 'r1' })

/** Returns a server that fails so many times and then answers; it remembers the key of each creation. */
async function failingServer(failures: { status: number; retryAfter?: string }[]) {
  const keys: unknown[] = []
  const { url } = await serve((request, response) => {
    keys.push(request.headers['idempotency-key'])
    const failure = failures[keys.length - 1]
    if (failure?.status === 0) return void request.socket.destroy()
    const headers = {
      'content-type': 'application/json',
      ...(failure?.retryAfter && { 'retry-after': failure.retryAfter }),
    }
    response.writeHead(failure?.status ?? 201, headers).end(failure ? FAILURE : '{"id":"the job"}')
  })
  return { keys, client: new Placefleet({ url, apiKey: 'svc_x' }) }
}

test.each([
  ['a lost connection', { status: 0 }],
  ['429', { status: 429, retryAfter: '0' }],
  ['503', { status: 503, retryAfter: '0' }],
  ['409 of a first attempt that still runs', { status: 409, retryAfter: '0' }],
])('a creation is sent again after %s, with the same idempotency key', async (_, failure) => {
  const { keys, client } = await failingServer([failure])

  expect(await client.jobs.create(JOB)).toEqual({ id: 'the job' })

  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
})

test('the caller’s own key is sent unchanged', async () => {
  const { keys, client } = await failingServer([])
  await client.jobs.create(JOB, { idempotencyKey: 'order 17' })
  expect(keys).toEqual(['order 17'])
})

test('an answer that asks for a long wait is reported at once, with the wait', async () => {
  const { keys, client } = await failingServer([{ status: 429, retryAfter: '60' }])
  await expect(client.jobs.create(JOB)).rejects.toMatchObject({ status: 429, retryAfter: 60, code: 'unavailable' })
  expect(keys).toHaveLength(1)
})

test('a call that would do something twice is not repeated', async () => {
  const { keys, client } = await failingServer([{ status: 503, retryAfter: '0' }])
  await expect(client.jobs.cancel('any')).rejects.toMatchObject({ status: 503 })
  expect(keys).toHaveLength(1)
})

test('the attempts are bounded', async () => {
  const { keys, client } = await failingServer(Array.from({ length: 9 }, () => ({ status: 503, retryAfter: '0' })))
  const { jobs } = new Placefleet({ url: client.url, apiKey: null, retry: { attempts: 2 } })
  await expect(jobs.create(JOB)).rejects.toMatchObject({ status: 503, message: 'Try again soon.' })
  expect(keys).toHaveLength(2)
})
