import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Placefleet, withResponse } from '@placefleet/client'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'

const JOB = '{"id":"the job"}'

/** Returns the address of a server that fails so many times with 503, and what it was sent. */
async function server(failures = 0) {
  const sent: Record<string, unknown>[] = []
  const { url } = await serve((request, response) => {
    sent.push(request.headers)
    const isFailure = sent.length <= failures
    response
      .writeHead(isFailure ? 503 : 200, {
        'content-type': 'application/json',
        'x-request-id': `r${sent.length}`,
        ratelimit: '"api";r=7;t=1',
        'retry-after': '0',
      })
      .end(isFailure ? '{"error":"unavailable","message":"Soon."}' : JOB)
  })
  return { url, sent }
}

test('a request says which client and version sent it', async () => {
  const { url, sent } = await server()
  await new Placefleet({ url, apiKey: 'svc_x' }).jobs.get('any')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'coordinator/clients/typescript/package.json'), 'utf8'))
  expect(sent[0]).toMatchObject({ 'user-agent': `placefleet-js/${version}`, authorization: 'Bearer svc_x' })
})

test('headers of the client go with every call, and those of a call with that call', async () => {
  const { url, sent } = await server()
  const { jobs, knownPlaces } = new Placefleet({ url, apiKey: 'svc_x', headers: { 'x-team': 'maps' } })
  await jobs.get('any', { headers: { 'x-trace': 't1' } })
  await jobs.get('any')
  await knownPlaces.upload('id\n', { headers: { 'x-trace': 't2' } })
  expect(sent[0]).toMatchObject({ 'x-team': 'maps', 'x-trace': 't1' })
  expect(sent[1]).toMatchObject({ 'x-team': 'maps' })
  expect(sent[1]).not.toHaveProperty('x-trace')
  expect(sent[2]).toMatchObject({ 'content-type': 'text/csv', 'x-trace': 't2' })
})

test('a call can be retried less than the others of its client', async () => {
  const { url, sent } = await server(1)
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x' })
  await expect(jobs.get('any', { retry: { attempts: 1 } })).rejects.toMatchObject({ status: 503 })
  expect(sent).toHaveLength(1)
})

test('withResponse gives the status, the headers and the request id of the response that succeeded', async () => {
  const { url } = await server(1)
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x' })
  const { data, status, headers, requestId } = await withResponse((options) => jobs.get('any', options))
  expect({ data, status, requestId }).toEqual({ data: { id: 'the job' }, status: 200, requestId: 'r2' })
  expect(headers.get('ratelimit')).toBe('"api";r=7;t=1')
})

test('withResponse refuses a call that was not passed its options', async () => {
  const { url } = await server()
  const { jobs } = new Placefleet({ url, apiKey: 'svc_x' })
  await expect(withResponse(() => jobs.get('any'))).rejects.toThrow('Pass it the options')
})

test('the logger gets a line for each attempt and each retry, without query and key', async () => {
  const { url } = await server(1)
  const lines: string[] = []
  const logger = { debug: (line: string) => lines.push(line), warn: (line: string) => lines.push(`warning ${line}`) }
  await new Placefleet({ url, apiKey: 'svc_x', logger }).jobs.get('any', { wait: 3 })
  expect(lines).toEqual([
    expect.stringMatching(/^GET \/api\/v1\/jobs\/any: 503 in \d+ ms$/),
    expect.stringMatching(/^warning GET \/api\/v1\/jobs\/any: 503, again in \d+ ms$/),
    expect.stringMatching(/^GET \/api\/v1\/jobs\/any: 200 in \d+ ms$/),
  ])
})
