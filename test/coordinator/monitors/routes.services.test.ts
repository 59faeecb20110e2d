import { randomUUID } from 'node:crypto'
import { orNotFound } from '@placefleet/coordinator/http/errors'
import { changesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { monitorsOf } from '@placefleet/coordinator/monitors/documents'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addUser } from '../../harness/coordinator/users.ts'
import { API_KEY, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { SCAN } from '../../harness/servers/scan.ts'

const world = await startWorld(afterAll)
const { client, url } = await addCoordinator(world)

const JOB = { name: 'bakeries', keywords: ['bakery'], language: 'en' }

const Created = z.looseObject({ id: z.uuid() })

async function create(more: object = {}) {
  const request = { name: 'new bakeries', job: JOB, schedule: { every: '12h' }, ...more }
  const { status, body } = await client.call('POST', '/api/v1/monitors', request)
  expect(status).toBe(201)
  return Created.parse(body)
}

test('a monitor can be created paused, and resumed later', async () => {
  const monitor = await create({ paused: true, pause_reason: 'not yet' })
  expect(monitor).toMatchObject({ paused: true, pause_reason: 'not yet', next_runs: [] })
  const { body } = await client.call('PATCH', `/api/v1/monitors/${monitor.id}`, { paused: false })
  expect(body).toMatchObject({ paused: false, next_runs: { length: 5 } })
  expect(await create({ paused: true })).toMatchObject({ paused: true, pause_reason: 'by its user' })
})

test('changes are downloaded as CSV and JSON Lines in order, those since a time only', async () => {
  const { id: monitor_id } = await create()
  const [early, late] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')]
  const change = { monitor_id, job_id: crypto.randomUUID(), run_at: early }
  const fields = { phone: { before: '1', after: '2' } }
  await changesOf(world.db).insertMany([
    { ...change, sequence: 1, place_key: '0x1:0x1', type: 'new', title: '=evil', seen_at: early },
    { ...change, sequence: 2, place_key: '0x2:0x1', type: 'changed', fields, seen_at: late },
    { ...change, sequence: 4, place_key: '0x4:0x1', type: 'gone', seen_at: late },
    { ...change, sequence: 3, place_key: '0x3:0x1', type: 'new', seen_at: late },
    { ...change, sequence: 5, place_key: '0x5:0x1', type: 'new', seen_at: new Date(late.getTime() + 1) },
  ])
  const download = async (query: string) => {
    const headers = { authorization: `Bearer ${API_KEY}` }
    const response = await fetch(`${url}/api/v1/monitors/${monitor_id}/changes/download${query}`, { headers })
    expect(response.headers.get('content-disposition')).toContain('new bakeries')
    return response.text()
  }
  const csv = (await download('')).split('\r\n')
  expect(csv[0]).toBe('sequence,seen_at,type,place_key,title,job_id,fields')
  expect(csv[1]).toContain(`"'=evil"`)
  expect(csv[2]).toContain('"{""phone"":{""before"":""1"",""after"":""2""}}"')
  expect(csv.map((line) => line.split(',')[0])).toEqual(['sequence', '1', '2', '3', '4', '5', ''])
  const since = async (time: string) =>
    (await download(`?format=jsonl&since=${time}`))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const [first, ...others] = await since('2026-03-02T00:00:00Z')
  expect(first).toMatchObject({ sequence: 2, type: 'changed', fields })
  expect(others.map(({ sequence }) => sequence)).toEqual([3, 4, 5])
  expect(await since('2026-03-02T00:00:00.001Z')).toMatchObject([{ sequence: 5 }])
})

test('a repeated creation with an Idempotency-Key creates one monitor, also at the same moment', async () => {
  const body = { name: 'once', job: JOB, schedule: { every: '12h' } }
  const post = (key: string, sent: object = body) =>
    client.call('POST', '/api/v1/monitors', sent, { 'idempotency-key': key })
  const listed = async () => {
    const { body } = await client.call('GET', '/api/v1/monitors')
    const Names = z.object({ monitors: z.array(z.looseObject({ name: z.string() })) })
    return Names.parse(body).monitors.filter(({ name }) => name === 'once').length
  }
  const answers = await Promise.all([post('once'), post('once'), post('once')])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(2)
  expect(await listed()).toBe(1)

  const other = await post('once', { ...body, jitter_seconds: 5 })
  expect([other.status, other.body]).toMatchObject([409, { error: 'idempotency_key_in_use_with_different_body' }])
  expect((await post('')).status).toBe(400)

  await monitorsOf(world.db).updateOne(
    { 'idempotency.key': 'once' },
    { $set: { 'idempotency.expires_at': new Date(0) } },
    SCAN,
  )
  expect((await post('once')).headers.get('idempotent-replayed')).toBeNull()
  expect(await listed()).toBe(2)
})

test('requests at the same moment with one key all get the last monitor that a user may have', async () => {
  const { key } = await addUser(world.db)
  const post = (name: string, idempotencyKey: string) =>
    client.call(
      'POST',
      '/api/v1/monitors',
      { name, job: JOB, schedule: { every: '12h' } },
      { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
    )
  const { id } = Created.parse((await post('first', 'first')).body)
  const stored = (await monitorsOf(world.db).findOne({ _id: id })) ?? undefined
  const { idempotency: _, ...first } = orNotFound(stored, 'monitor')
  const others = Array.from({ length: 50 }, (_, slot) => slot).filter((slot) => slot !== first.slot)
  await monitorsOf(world.db).insertMany(others.slice(1).map((slot) => ({ ...first, _id: randomUUID(), slot })))

  const answers = await Promise.all(Array.from({ length: 5 }, () => post('last', 'last')))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => Created.parse(body).id)).size).toBe(1)
  expect((await post('one more', 'one more')).status).toBe(409)
})

const Sequences = z.object({ changes: z.array(z.object({ sequence: z.number() })), has_more: z.boolean() })

test('changes are listed oldest first behind one, or newest first before one', async () => {
  const { id: monitor_id } = await create()
  const seen_at = new Date('2026-03-01T00:00:00Z')
  const change = { monitor_id, job_id: crypto.randomUUID(), type: 'new' as const, seen_at }
  const made = [1, 2, 3, 4, 5].map((sequence) => ({
    ...change,
    sequence,
    place_key: '0x1:0x1',
    run_at: new Date(sequence),
  }))
  await changesOf(world.db).insertMany(made)
  const list = async (query: string) => {
    const { body } = await client.call('GET', `/api/v1/monitors/${monitor_id}/changes?${query}`)
    const { changes, has_more } = Sequences.parse(body)
    return [changes.map(({ sequence }) => sequence), has_more]
  }
  expect(await list('')).toEqual([[1, 2, 3, 4, 5], false])
  expect(await list('after=1&limit=2')).toEqual([[2, 3], true])
  expect(await list('order=desc&limit=2')).toEqual([[5, 4], true])
  expect(await list('order=desc&before=4&limit=2')).toEqual([[3, 2], true])
  expect(await list('order=desc&before=2&limit=2')).toEqual([[1], false])
  expect(await list('order=desc&before=1')).toEqual([[], false])
  expect(await list('order=desc&since=2026-02-01T00:00:00Z&limit=1')).toEqual([[5], true])
  for (const query of ['order=up', 'before=0', 'order=desc&before=x']) {
    expect((await client.call('GET', `/api/v1/monitors/${monitor_id}/changes?${query}`)).status).toBe(400)
  }
})

const Refusal = z.looseObject({ details: z.array(z.looseObject({ path: z.string() })) })

test('the job of a monitor may exhaust its area, with the rules of any job', async () => {
  const request = { name: 'm', job: { ...JOB, exhaust: true, max_cost: '5' }, schedule: { every: '12h' } }
  const { status, body } = await client.call('POST', '/api/v1/monitors', request)
  expect(status).toBe(400)
  expect(Refusal.parse(body).details[0]?.path).toBe('job.exhaust')

  const area = { lat: '34.6786', lon: '33.0413', radius: 2_000 }
  const monitor = await create({ job: { ...request.job, ...area } })
  expect(monitor).toMatchObject({ job: { exhaust: true, max_results: 100_000, max_time: 86_400 } })
})

const RUN_FIELDS = ['due_at', 'state', 'places', 'new', 'changed', 'gone', 'back', 'cost']

test('a run by hand takes an Idempotency-Key, one goes at a time, and the list of runs has its figures', async () => {
  const { id } = await create()
  const path = `/api/v1/monitors/${id}`
  const run = (key?: string) =>
    fetch(`${url}${path}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, ...(key !== undefined && { 'idempotency-key': key }) },
    })
  const first = await run('one')
  const started = z.object({ job_id: z.uuid() }).parse(await first.json())
  expect(first.status).toBe(201)
  const again = await run('one')
  expect([again.status, again.headers.get('idempotent-replayed'), await again.json()]).toEqual([201, 'true', started])
  const second = await run()
  expect([second.status, await second.json()]).toMatchObject([409, { error: 'run_in_progress' }])

  const { body } = await client.call('GET', `${path}/runs`)
  const { runs } = z.object({ runs: z.array(z.looseObject({})) }).parse(body)
  expect(runs).toMatchObject([{ state: 'started', ...started, cost: '0.000000' }])
  expect(Object.keys(runs[0] ?? {}).toSorted()).toEqual([...RUN_FIELDS, 'job_id', 'started_at'].toSorted())
  expect((await client.call('GET', path)).body).toMatchObject({ last_run: runs[0] })
})
