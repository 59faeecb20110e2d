import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstOf, Placefleet } from '@placefleet/client'
import { expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'

/** Returns a client of a server that answers with these bodies in turn, and the queries it got. */
async function listServer(bodies: object[]) {
  const queries: Record<string, string>[] = []
  const { url } = await serve((request, response) => {
    queries.push(Object.fromEntries(new URL(request.url ?? '', 'http://server').searchParams))
    const body = JSON.stringify(bodies[queries.length - 1])
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  return { queries, client: new Placefleet({ url, apiKey: 'svc_x' }) }
}

const pageOf = (ids: string[], has_more: boolean) => ({ jobs: ids.map((id) => ({ id })), has_more })

test('jobs are read behind the last one, so that jobs that come or go disturb nothing', async () => {
  const { client, queries } = await listServer([pageOf(['c', 'b'], true), pageOf(['a'], false)])
  const jobs = await firstOf(client.jobs.list({ status: 'completed' }), 10)
  expect(jobs.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  expect(queries).toEqual([
    { limit: '100', status: 'completed' },
    { limit: '100', status: 'completed', after: 'b' },
  ])
})

test('an item that moves to the next page is yielded once', async () => {
  const { client } = await listServer([pageOf(['c', 'b'], true), pageOf(['b', 'a'], false)])
  const jobs = await firstOf(client.jobs.listBy({ sort: 'name' }), 10)
  expect(jobs.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})

test('the changes of a monitor go on behind a number, over all pages', async () => {
  const changes = (sequences: number[], has_more: boolean) => ({
    changes: sequences.map((sequence) => ({ sequence })),
    has_more,
  })
  const { client, queries } = await listServer([changes([4, 5], true), changes([6], false)])
  const found = await firstOf(client.monitors.changes('any', { after: 3 }), 10)
  expect(found.map(({ sequence }) => sequence)).toEqual([4, 5, 6])
  expect(queries.map(({ after }) => after)).toEqual(['3', '5'])
})

/** What programs of customers rarely need. `client.api` has it. */
const ONLY_IN_API = [
  /\/admin\//,
  'GET /api/v1/dashboard',
  'GET /api/v1/jobs/{id}/events',
  'GET /api/v1/results',
  'POST /api/v1/support',
  'GET /api/v1/version',
]

test('there is a function for every call of the API', () => {
  const client = join(import.meta.dirname, '../../../coordinator/clients/typescript')
  const resources = readdirSync(join(client, 'resources'))
    .map((file) => readFileSync(join(client, 'resources', file), 'utf8'))
    .join('\n')
  const called = [...resources.matchAll(/api\.([A-Z]+)\(\s*'([^']+)'/g)].map(([, method, path]) => `${method} ${path}`)
  const types = readFileSync(join(client, 'schema.d.ts'), 'utf8')
  const paths = [...types.matchAll(/^ {4}"(\/api\/v1\/[^"]+)": \{\n(.*?)^ {4}\};/gms)]
  const offered = paths.flatMap(([, path = '', members = '']) =>
    [...members.matchAll(/^ {8}(get|put|post|delete|patch): operations/gm)].map(
      ([, method = '']) => `${method.toUpperCase()} ${path}`,
    ),
  )
  const isLeftOut = (call: string) =>
    ONLY_IN_API.some((left) => (typeof left === 'string' ? left === call : left.test(call)))
  expect(called.length).toBeGreaterThan(40)
  expect(offered.filter((call) => !called.includes(call) && !isLeftOut(call))).toEqual([])
})
