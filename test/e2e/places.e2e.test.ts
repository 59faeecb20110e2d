import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { createClient } from '../harness/coordinator/client.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

/** Jobs that name their places, through the public API, on a simulated city. */
const { site, city, close } = await startOutsideWorld({ seed: 7, places: 900 })
afterAll(close)
site.setOptions({ consent: false, blockPlainHttp: false })
const world = await startWorld(afterAll)
const { client, grpc, url } = await addCoordinator(world)
await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: site.url })

const Inputs = z.strictObject({
  inputs: z.array(z.strictObject({ input: z.string(), status: z.string(), result_id: z.number().optional() })),
  has_more: z.boolean(),
  after: z.number(),
})

const inputsOf = async (id: string, query = 'limit=1000') =>
  Inputs.parse((await client.call('GET', `/api/v1/jobs/${id}/inputs?${query}`)).body)

/** Runs a job to its end. Returns it with the statuses of its inputs, its places, and the requests that it took. */
async function run(request: Record<string, unknown>, withinMs = 60_000) {
  site.resetRequests()
  const id = await client.create(request)
  const job = await client.ended(id, withinMs)
  const { inputs } = await inputsOf(id)
  return { id, job, inputs, places: await client.places(id), requests: site.requests().kinds }
}

const ids = (index: number) => city.details(index).ids
/** An id as the site makes them, of a place that it does not know. */
const unknownId = (n: number): string =>
  `0x${(0x14e732fd00000000n + BigInt(n)).toString(16)}:0x${(7_919n * BigInt(n + 1)).toString(16)}`

test('a place is collected by each form of its name, and costs one more request by its CID alone', async () => {
  await run({ places: [ids(0).dataId] }) // opens the front page
  const [a, b, c, d, e, f] = [1, 2, 3, 4, 5, 6].map(ids)
  const places = [
    a?.dataId.toUpperCase().replaceAll('X', 'x'),
    b?.placeId,
    `https://www.google.com/maps/place/Any+Name/@1,2,17z/data=!3m1!4b1!4m6!3m5!1s${c?.dataId}!8m2!3d1!4d2`,
    `https://www.google.com/maps/search/?api=1&query=x&query_place_id=${d?.placeId}`,
  ].map(String)

  const whole = await run({ places })
  const half = await run({ places: [String(e?.cid), `https://maps.google.com/?cid=${f?.cid}`] })

  expect(whole.job).toMatchObject({
    status: 'completed',
    result_count: 4,
    data: { max_results: 4, keywords: [], places },
  })
  expect(whole.requests).toEqual({ 'place-payload': 4 })
  expect(half.requests).toEqual({ 'place-payload': 2, 'place-page': 2 })
  for (const { places: stored, inputs } of [whole, half]) {
    expect(inputs.map(({ status }) => status)).toEqual(inputs.map(() => 'stored'))
    const byInput = new Map(stored.map(({ input, id }) => [input, id]))
    expect(inputs.map(({ result_id }) => result_id)).toEqual(inputs.map(({ input }) => byInput.get(input)))
  }
  const keyOf = new Map(whole.places.map(({ input, data_id }) => [input, data_id]))
  expect(places.map((input) => keyOf.get(input))).toEqual([a, b, c, d].map((place) => place?.dataId))
  expect(half.places.map(({ data_id }) => data_id).toSorted()).toEqual([e, f].map((place) => place?.dataId).toSorted())
})

test('two names of one place are one result, and the second one a duplicate', async () => {
  const place = ids(10)
  const { inputs, places, job } = await run({ places: [place.placeId, place.dataId, place.placeId] })

  const [{ id: result_id } = { id: 0 }] = places
  expect(places).toMatchObject([{ input: place.placeId, data_id: place.dataId }])
  expect(inputs).toEqual([
    { input: place.placeId, status: 'stored', result_id },
    { input: place.dataId, status: 'duplicate', result_id },
    { input: place.placeId, status: 'duplicate', result_id },
  ])
  expect(job.outcomes).toMatchObject({ ok: 1, duplicate: 0 })

  const other = ids(11)
  const unlike = await run({ places: [other.cid, other.dataId] })
  expect(unlike.places).toHaveLength(1)
  expect(unlike.inputs.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'stored'])
  expect(unlike.inputs.map(({ result_id }) => result_id)).toEqual([unlike.places[0]?.id, unlike.places[0]?.id])
})

test('of 1,000 places of which the site does not know a fifth, each has its status, and the pages and the file have all', async () => {
  const known = Array.from({ length: 800 }, (_, index) => ids(index).dataId)
  const names = Array.from({ length: 1_000 }, (_, n) =>
    n % 5 === 4 ? unknownId(n) : String(known[n - Math.floor(n / 5)]),
  )

  const { id, job, inputs, places } = await run({ places: names }, 500_000)

  expect(job).toMatchObject({ status: 'completed', result_count: 800, data: { max_results: 1_000 } })
  expect(job.partial).toBeUndefined()
  expect(inputs.map(({ input }) => input)).toEqual(names)
  expect(inputs.map(({ status }) => status)).toEqual(names.map((_, n) => (n % 5 === 4 ? 'not_found' : 'stored')))
  expect(new Set(places.map(({ data_id }) => data_id))).toEqual(new Set(known))
  const pages = [await inputsOf(id, ''), await inputsOf(id, 'after=100&limit=900'), await inputsOf(id, 'after=1000')]
  expect(pages.flatMap((page) => page.inputs)).toEqual(inputs)
  expect(pages.map(({ has_more, after }) => [has_more, after])).toEqual([
    [true, 100],
    [false, 1_000],
    [false, 1_000],
  ])
  const file = await client.call('GET', `/api/v1/jobs/${id}/inputs?format=csv`)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = inputs.map(({ input, status, result_id = '' }) => `"${input}","${status}",${result_id}\r\n`)
  expect(file.body).toBe(`input,status,result_id\r\n${lines.join('')}`)
}, 600_000)

test('a single place that the site does not know is missing, for the site gives others', async () => {
  const { job, inputs } = await run({ places: [unknownId(1), '1234567'] })
  expect(job).toMatchObject({ status: 'completed', result_count: 0 })
  expect(inputs.map(({ status }) => status)).toEqual(['not_found', 'not_found'])
})

test('the area, the filter, known places and the cap of a job hold for named places', async () => {
  const [near, far] = [850, 851].map((index) => city.details(index))
  const { lat = 0, lon = 0 } = near?.location ?? {}
  const area = { lat: lat.toFixed(5), lon: lon.toFixed(5), radius: 20 }
  const names = [near, far].map((place) => String(place?.ids.dataId))
  const statuses = async (request: Record<string, unknown>) =>
    (await run({ places: names, ...request })).inputs.map(({ status }) => status)

  expect(await statuses(area)).toEqual(['stored', 'out_of_area'])
  expect(await statuses({ only_new: true, max_results: 2 })).toEqual(['filtered', 'stored'])
  const only = await Promise.all(
    ['no_website', 'has_website'].map(async (website_filter) => statuses({ website_filter })),
  )
  expect(new Set(only.map((list) => list[0]))).toEqual(new Set(['stored', 'filtered']))
  expect((await statuses({ max_results: 1 })).filter((status) => status === 'stored')).toHaveLength(1)
})

test('named places come beside those that a search finds, and only they have an input', async () => {
  const keyword = 'bakery'
  const found = city.keysOf(keyword)
  const own = [String(found[0]), ...[30, 31].map((index) => ids(index).dataId).filter((key) => !found.includes(key))]
  const { job, inputs, places } = await run({ keywords: [keyword], places: own, max_results: 500 }, 100_000)

  expect(job.status).toBe('completed')
  expect(new Set(places.map(({ data_id }) => data_id))).toEqual(new Set([...found, ...own]))
  expect(inputs.map(({ status }) => status)).toEqual(own.map(() => 'stored'))
  expect(places.flatMap(({ input }) => input ?? []).toSorted()).toEqual(own.toSorted())
}, 120_000)

test('a job of named places holds what all of them may cost, and a limited key cannot pass its limit with them', async () => {
  const body = { name: 'l', limits: { day: '0.3' } }
  const { key } = z.object({ key: z.string() }).parse((await client.call('POST', '/api/v1/api-keys', body)).body)
  const limited = createClient(url, key)
  const Balance = z.object({ held: z.string() })
  const held = async () => Number(Balance.parse((await client.call('GET', '/api/v1/credits/balance')).body).held)
  const create = (count: number) =>
    limited.call('POST', '/api/v1/jobs', {
      name: 'n',
      language: 'en',
      places: Array.from({ length: count }, (_, n) => `0x9:0x${(n + 1).toString(16)}`),
    })
  expect(await create(98)).toMatchObject({ status: 402, body: { error: 'key_limit' } }) // 0.007 and 98 times 0.003
  const before = await held()
  const made = await create(97)
  expect(made.status).toBe(201)
  const { id } = z.object({ id: z.string() }).parse(made.body)
  expect((await held()) - before).toBeCloseTo(0.298, 6)
  await limited.call('POST', `/api/v1/jobs/${id}/cancel`)
  await client.ended(id, 60_000)
})

test('a monitor checks its places in each run, and one that the site does not know is neither new nor gone', async () => {
  const places = [ids(400).dataId, ids(401).placeId, unknownId(7)]
  const job = { name: 'w', language: 'en', places }
  const created = await client.call('POST', '/api/v1/monitors', { name: 'w', job, schedule: { every: '7d' } })
  const { id: monitor } = z.object({ id: z.string() }).parse(created.body)
  for (const nth of [1, 2]) {
    const run = await client.call('POST', `/api/v1/monitors/${monitor}/run`)
    const { job_id } = z.object({ job_id: z.string() }).parse(run.body)
    expect([nth, (await client.ended(job_id, 60_000)).status]).toEqual([nth, 'completed'])
    const { inputs } = await inputsOf(job_id)
    expect(inputs.map(({ input, status }) => [input, status])).toEqual([
      [places[0], 'stored'],
      [places[1], 'stored'],
      [places[2], 'not_found'],
    ])
    const Runs = z.object({ runs: z.array(z.looseObject({ state: z.string(), places: z.number(), gone: z.number() })) })
    await until('the run has ended', async () => {
      const { runs } = Runs.parse((await client.call('GET', `/api/v1/monitors/${monitor}/runs`)).body)
      return (
        runs.length === nth &&
        runs.every(({ state, places, gone }) => state === 'completed' && places === 2 && gone === 0)
      )
    })
  }
  await client.call('DELETE', `/api/v1/monitors/${monitor}`)
})
