import {
  APIConnectionError,
  APITimeoutError,
  ConfigurationError,
  InsufficientCreditsError,
  InvalidResponseError,
  NotFoundError,
  Placefleet,
  PlacefleetError,
} from '@placefleet/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serve } from '../../harness/network/serve.ts'

const ONCE = { retry: { attempts: 1 } }

/** Returns a client of a server that answers every request like this. */
async function clientOf(status: number, body: string, contentType = 'application/json') {
  const { url } = await serve(
    (_, response) => void response.writeHead(status, { 'content-type': contentType }).end(body),
  )
  return new Placefleet({ url, apiKey: 'svc_x', ...ONCE })
}

test.each([
  [400, 'InvalidRequestError'],
  [401, 'AuthenticationError'],
  [402, 'InsufficientCreditsError'],
  [403, 'PermissionDeniedError'],
  [404, 'NotFoundError'],
  [409, 'ConflictError'],
  [413, 'InvalidRequestError'],
  [422, 'InvalidRequestError'],
  [429, 'RateLimitError'],
  [500, 'ServerError'],
  [503, 'ServerError'],
])('a response with status %i throws a %s with the words of the API', async (status, name) => {
  const body = JSON.stringify({ code: status, error: 'why', message: 'Because.', request_id: 'r1' })
  const { jobs } = await clientOf(status, body)
  const call = jobs.get('any')
  await expect(call).rejects.toMatchObject({ name, status, code: 'why', message: 'Because.', requestId: 'r1' })
  await expect(call).rejects.toBeInstanceOf(PlacefleetError)
})

test('the results of a failed job are no matter of credits: JobFailedError', async () => {
  const body = JSON.stringify({ code: 402, error: 'job_failed', message: 'The job failed.', request_id: 'r1' })
  const { jobs } = await clientOf(402, body)
  const call = jobs.get('any')
  await expect(call).rejects.toMatchObject({ name: 'JobFailedError', status: 402, code: 'job_failed' })
  await expect(call).rejects.not.toBeInstanceOf(InsufficientCreditsError)
})

test('the page of a proxy is no answer of the service, whatever its status', async () => {
  const failing = await clientOf(502, '<html>', 'text/html')
  await expect(failing.jobs.get('any')).rejects.toMatchObject({ name: 'ServerError', code: 'http_502' })
  const fine = await clientOf(200, '<html>', 'text/html')
  await expect(fine.jobs.get('any')).rejects.toBeInstanceOf(InvalidResponseError)
})

test('a service that is not there throws an APIConnectionError that says why', async () => {
  const { jobs } = new Placefleet({ url: 'http://127.0.0.1:1', apiKey: 'svc_x', ...ONCE })
  const call = jobs.get('any')
  await expect(call).rejects.toBeInstanceOf(APIConnectionError)
  await expect(call).rejects.toThrow(/does not answer: .+\. Check the address/)
})

test.each([
  ['never begins', false],
  ['never ends', true],
])('an answer that %s throws an APITimeoutError', async (_, begins) => {
  const { url } = await serve((_request, response) => {
    if (begins) response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  })
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x', ...ONCE })
  await expect(jobs.get('any', { timeoutMs: 50 })).rejects.toBeInstanceOf(APITimeoutError)
})

test('an aborted call throws the reason of its signal, and so does a wait', async () => {
  const { url } = await serve(() => undefined)
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x' })
  for (const call of [jobs.get, jobs.wait]) {
    const leaving = new AbortController()
    const ended = call('any', { signal: leaving.signal })
    leaving.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
  }
})

test('a wait ends after its time limit, and following does too', async () => {
  const { url } = await serve(() => undefined)
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x' })
  await expect(jobs.wait('any', { timeoutMs: 20 })).rejects.toBeInstanceOf(APITimeoutError)
  await expect(jobs.follow('any', { timeoutMs: 20 }).next()).rejects.toBeInstanceOf(APITimeoutError)
})

test('a wait asks again at once after an answer that took long, and Node has nothing to warn of', async () => {
  let answers = 0
  const { url } = await serve((_request, response) => {
    response.end(JSON.stringify({ status: answers++ === 0 ? 'running' : 'completed' }))
  })
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x' })
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 5_000))
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const job = await jobs.wait('any').finally(() => vi.restoreAllMocks())
  expect(job.status).toBe('completed')
  expect(timers.mock.calls.map(([, ms]) => ms ?? 0)).not.toContainEqual(expect.toSatisfy((ms: number) => ms < 0))
})

test('a deletion is repeated after a lost answer, and 404 then means that it is done', async () => {
  const { url } = await serve((request, response) => {
    const first = seen.length === 0
    seen.push(request.method)
    if (first) request.socket.destroy()
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not_found"}')
  })
  const seen: unknown[] = []
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x' })

  await jobs.delete('any')
  expect(seen).toEqual(['DELETE', 'DELETE'])
  await expect(jobs.delete('any')).rejects.toBeInstanceOf(NotFoundError)
})

test('the address and the key come from the environment, and a missing one is named', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PLACEFLEET_URL', 'http://fleet.example/')
  vi.stubEnv('PLACEFLEET_API_KEY', 'svc_x')
  expect(new Placefleet().url).toBe('http://fleet.example')
  vi.stubEnv('PLACEFLEET_API_KEY', '')
  expect(() => new Placefleet()).toThrow(ConfigurationError)
  expect(() => new Placefleet()).toThrow('PLACEFLEET_API_KEY')
  vi.stubEnv('PLACEFLEET_URL', '')
  expect(() => new Placefleet({ apiKey: 'svc_x' })).toThrow('PLACEFLEET_URL')
})
