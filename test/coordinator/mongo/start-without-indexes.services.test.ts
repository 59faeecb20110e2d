import { indexes } from '@placefleet/coordinator/services'
import type { Db } from 'mongodb'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { capturedLog } from '../../harness/captured-log.ts'
import type { Client } from '../../harness/coordinator/client.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const HINTED = indexes.filter((index) => index.hinted)
const NAMES = HINTED.map(({ collection, name }) => `${collection}.${name}`)

const LogLine = z.looseObject({
  level: z.number(),
  msg: z.string(),
  err: z.looseObject({ name: z.string().optional() }).optional(),
})

/** Indexes of other definitions under the names of all hinted indexes, so that none of those can be built. */
async function obstructAll(db: Db): Promise<void> {
  for (const { collection, name } of HINTED) {
    await db.collection(collection).createIndex({ [`not_${name}`]: 1 }, { name })
  }
}

/** Creates a database in which no hinted index can be built. It is dropped after its coordinators are closed. */
async function worldWithoutIndexes() {
  const world = await startWorld(undefined, 'new')
  const { log, lines } = capturedLog()
  await obstructAll(world.db)
  world.life.own('indexes', world.db, (db) => db.dropDatabase())
  const warnings = () => lines.map((line) => LogLine.parse(JSON.parse(line))).filter(({ level }) => level >= 40)
  return { world: { ...world, log }, warnings }
}

const PAGES = [
  ...['created_at', 'updated_at', 'name', 'status'].flatMap((sort) => [
    `/jobs?sort=${sort}&order=asc`,
    `/jobs?sort=${sort}&order=desc&status=completed&page=2`,
    `/jobs?sort=${sort}&search=bakery`,
  ]),
  ...[
    '/dashboard',
    '/credits/history',
    '/credits/balance',
    '/credits/spending',
    '/results',
    '/results/download',
    '/known-places',
    '/monitors',
  ],
]

async function expectPages(client: Client, paths: string[]): Promise<void> {
  for (const path of paths) expect([path, (await client.call('GET', `/api/v1${path}`)).status]).toEqual([path, 200])
}

const Created = z.looseObject({ id: z.uuid() })
const Started = z.object({ job_id: z.uuid() })

test('a coordinator starts and serves everything while no index that its queries name is built', async () => {
  const { world, warnings } = await worldWithoutIndexes()
  const { client, url, grpc } = await addCoordinator(world)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(warnings()).toContainEqual(expect.objectContaining({ indexes: NAMES }))
  await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2] }))

  const job_id = await client.create({ name: 'bakeries', keywords: ['bakery'] })
  const ended = await client.ended(job_id)
  const job = { name: 'bakeries', keywords: ['bakery'], language: 'en' }
  const monitor = await client.call('POST', '/api/v1/monitors', { name: 'new', job, schedule: { every: '12h' } })
  const path = `/monitors/${Created.parse(monitor.body).id}`
  const run = Started.parse((await client.call('POST', `/api/v1${path}/run`)).body)
  await client.ended(run.job_id)

  expect(ended).toMatchObject({ status: 'completed', result_count: 3 })
  expect(await client.places(job_id)).toHaveLength(3)
  await expectPages(client, [...PAGES, `/jobs/${job_id}/coverage`, `${path}/runs`, `${path}/changes`])
  for (const deleted of [`/jobs/${job_id}`, path, '/known-places']) {
    expect((await client.call('DELETE', `/api/v1${deleted}`)).status).toBe(204)
  }
  await until('the places of the deleted job are removed', async () => {
    const places = { job_id, place: { $exists: true } }
    return (await world.db.collection('results').countDocuments(places)) === 0
  })
  const ofQueries = warnings().filter(({ msg, err }) => err?.name?.startsWith('Mongo') && !msg.includes('index'))
  expect(ofQueries).toEqual([])
})
