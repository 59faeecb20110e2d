import type { TaskEvent } from '@placefleet/proto/fleet'
import { quarters } from '@placefleet/shared/cell'
import { encodePlace } from '@placefleet/shared/protocol'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { keyOf, placeOf } from '../../harness/agents/scripted-collector.ts'
import { claimTask, eventOf, type Said } from '../../harness/agents/task-call.ts'
import { finishedEvent, releasedTask } from '../../harness/coordinator/released-task.ts'
import { API_KEY, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)
const coordinator = await addCoordinator(world)
const { client, grpc, url } = coordinator

const AREA = { lat: '34.68', lon: '33.04', radius: 20_000 }
const bounds = { south: 34.5, north: 34.9, west: 32.8, east: 33.2 }

type Cells = NonNullable<TaskEvent['cells']>['cells']

/** The event that holds these places, all in the area. */
const placesEvent = (...numbers: number[]) =>
  ({
    $case: 'places',
    value: { places: numbers.map((n) => encodePlace({ ...placeOf(n), latitude: 34.68, longitude: 33.04 })) },
  }) as const

/** Runs a task: one event for each body, with cells. */
async function serve(task_id: string, events: { body: Said; cells?: Cells }[]) {
  const call = claimTask(grpc, { task_id })
  const assigned = await call.next()
  for (const [index, { body, cells }] of events.entries()) {
    const event = { ...eventOf(BigInt(index + 1), body), ...(cells && { cells: { cells } }) }
    call.send({ $case: 'event', value: event })
    await call.next()
  }
  return assigned
}

const cell = (of: Cells[number]['bounds'], state: string, places: number): Cells[number] => ({
  ...(of && { bounds: of }),
  state,
  places,
  audit: '',
  place_keys: [],
  look: 0,
})

const audited = (audit: string, numbers: number[], of: Cells[number]['bounds']): Cells[number] => ({
  ...cell(of, 'searched', numbers.length),
  audit,
  place_keys: numbers.map(keyOf),
})

async function coverageOf(job_id: string, query = '', accept = '*/*') {
  const headers = { authorization: `Bearer ${API_KEY}`, accept }
  const response = await fetch(`${url}/api/v1/jobs/${job_id}/coverage${query}`, { headers })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: JSON.parse(await response.text()),
  }
}

/** Cancels a job at the end of its test: its task would fill the window of the user that all tests share. */
const cancelAfterwards = (job_id: string) =>
  onTestFinished(async () => void (await client.call('POST', `/api/v1/jobs/${job_id}/cancel`)))

test('a certificate tells which cells were searched, cut, blocked and left out, also as GeoJSON', async () => {
  const { job_id, task_id } = await releasedTask(world, coordinator, AREA)
  const [first, second, third, fourth] = quarters(bounds)
  await serve(task_id, [
    { body: placesEvent(1, 2), cells: [cell(bounds, 'unsearched', 0)] },
    {
      body: finishedEvent,
      cells: [
        cell(bounds, 'cut', 100),
        ...[
          cell(first, 'searched', 2),
          cell(second, 'cut', 100),
          cell(third, 'blocked', 0),
          cell(fourth, 'unsearched', 0),
        ],
        cell(second, 'unsearched', 0), // a second attempt of the task begins again, and forgets nothing
      ],
    },
  ])
  const job = await client.ended(job_id)
  expect(job.data.coverage).toBe('cells')

  const { body } = await coverageOf(job_id)
  const cells = { searched: 3, cut: 2, blocked: 1, unsearched: 1, smallest_cut_metres: 22_239 }
  expect(body).toEqual({ coverage: 'cells', cells, found: 2 })
  for (const [query, accept] of [
    ['?format=geojson', 'application/json'],
    ['', 'application/geo+json'],
  ]) {
    const shown = await coverageOf(job_id, query, accept)
    expect(shown.type).toMatch(/^application\/geo\+json/)
    expect(shown.body.features).toHaveLength(5)
    const { geometry, properties } = shown.body.features[0]
    expect(geometry.type).toBe('Polygon')
    expect(JSON.stringify(geometry.coordinates)).toBe('[[[32.8,34.5],[33.2,34.5],[33.2,34.9],[32.8,34.9],[32.8,34.5]]]')
    expect(properties).toMatchObject({ keyword: 'one', state: 'cut', places: 100, divided: true })
  }
  expect((await coverageOf(job_id, '?format=json', 'application/geo+json')).body.found).toBe(2)
  expect((await coverageOf(job_id, '?format=xml')).status).toBe(400)
  expect((await coverageOf(crypto.randomUUID())).status).toBe(404)
})

test('an audited job searches a sample again, keeps what that finds, and estimates the total', async () => {
  const { job_id, task_id, tasks } = await releasedTask(world, coordinator, { ...AREA, coverage: 'audited' })
  await serve(task_id, [
    { body: placesEvent(1, 2, 3, 4) },
    { body: finishedEvent, cells: [cell(bounds, 'searched', 4)] },
  ])
  const audit = await until('the audit is released', async () => {
    return await tasks.findOne({ job_id, state: 'released' })
  })
  const assigned = await serve(audit._id, [
    { body: placesEvent(5) },
    {
      body: finishedEvent,
      cells: [audited('shifted', [1, 2, 3, 4, 5], bounds), audited('reworded', [1, 2, 4], bounds)],
    },
  ])
  expect(assigned).toMatchObject({ value: { work: { value: { keyword: 'one', audit: { cells: [bounds] } } } } })
  await client.ended(job_id)

  const { body } = await coverageOf(job_id)
  expect(body).toMatchObject({ coverage: 'audited', cells: { searched: 1, cut: 0 }, found: 5 })
  expect(body.estimate).toMatchObject({
    total: 5,
    low: 5,
    confidence: 0.95,
    method: expect.stringContaining('capture-recapture'),
  })
  expect(body.estimate.high).toBeGreaterThan(5)
})

test('without an area the certificate is weaker: one search, audited in another wording', async () => {
  const plain = await releasedTask(world, coordinator, {})
  await serve(plain.task_id, [{ body: finishedEvent, cells: [cell(undefined, 'searched', 3)] }])
  expect((await client.ended(plain.job_id)).data.coverage).toBe('none')
  expect((await coverageOf(plain.job_id)).body).toMatchObject({ coverage: 'none', cells: { searched: 0 }, found: 0 })

  const { job_id, task_id, tasks } = await releasedTask(world, coordinator, { coverage: 'audited' })
  await serve(task_id, [{ body: placesEvent(1, 2) }, { body: finishedEvent, cells: [cell(undefined, 'searched', 2)] }])
  const audit = await until('the audit is released', async () => {
    return await tasks.findOne({ job_id, state: 'released' })
  })
  await serve(audit._id, [{ body: finishedEvent, cells: [audited('reworded', [1, 2], undefined)] }])
  await client.ended(job_id)
  const { body } = await coverageOf(job_id)
  expect(body).toMatchObject({ cells: { searched: 1 }, found: 2, estimate: { total: 2 } })
  expect((await coverageOf(job_id, '?format=geojson')).body.features).toMatchObject([{ geometry: null }])
})

test('cells out of bounds fail the attempt of the agent that sent them', async () => {
  const { job_id, task_id } = await releasedTask(world, coordinator, AREA)
  cancelAfterwards(job_id)
  const call = claimTask(grpc, { task_id })
  await call.next()
  const cells = [cell({ south: 0, north: 1_000, west: 0, east: 1 }, 'searched', 1)]
  call.send({ $case: 'event', value: { sequence: 1n, end: finishedEvent, cells: { cells } } })
  expect(await call.next()).toMatchObject({ $case: 'ended', code: 3 })
})

test('a job has a bounded number of cells: an agent that sends more breaks the contract', async () => {
  const { job_id, task_id, tasks } = await releasedTask(world, coordinator, AREA)
  cancelAfterwards(job_id)
  const search = { job_id, kind: 'search', keyword: 'one' }
  const many = Array.from({ length: 50_000 }, (_, n) => ({ _id: `${job_id} one ${n}`, ...search }))
  await world.db.collection<{ _id: string }>('searched_cells').insertMany(many)
  const cells = Array.from({ length: 500 }, () => cell(bounds, 'unsearched', 0))

  await serve(task_id, [{ body: placesEvent(1), cells }])

  const task = await until('the attempt failed', () => tasks.findOne({ _id: task_id, failures: 1 }))
  expect(task.failure?.message).toContain('too many cells')
})
