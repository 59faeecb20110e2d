import { text } from 'node:stream/consumers'
import { type CreateJobRequest, firstOf, jobParts, Placefleet } from '@placefleet/client'
import { SentJobRequest } from '@placefleet/shared/job'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'

const jobOf = (places: number, more: Partial<CreateJobRequest> = {}): CreateJobRequest => ({
  name: 'shops',
  language: 'en',
  places: Array.from({ length: places }, (_, n) => String(n + 1)),
  ...more,
})

const sizes = (job: CreateJobRequest) => jobParts(job).map(({ places = [] }) => places.length)

test.each([
  [1, [1]],
  [1_000, [1_000]],
  [1_001, [1_000, 1]],
  [5_000, [1_000, 1_000, 1_000, 1_000, 1_000]],
])('%i places are jobs of at most 1,000', (places, expected) => {
  expect(sizes(jobOf(places))).toEqual(expected)
  expect(jobParts(jobOf(places)).flatMap((part) => part.places)).toEqual(jobOf(places).places)
})

test('long links are jobs of at most 256 KiB, also beside a shape', () => {
  const ring = Array.from({ length: 1_999 }, (_, n) => [n / 100_000 + 0.123_456_78, n / 1e9 + 0.123_456_789])
  const area = { type: 'Polygon' as const, coordinates: [[...ring, [0, 1], ring[0] ?? []]] }
  const places = Array.from(
    { length: 1_000 },
    (_, n) => `https://www.google.com/maps/place/${'ä'.repeat(300)}?cid=${n}`,
  )
  const parts = jobParts({ ...jobOf(0), places, area })
  expect(parts.flatMap((part) => part.places)).toEqual(places)
  for (const part of parts) expect(JSON.stringify({ job: part }).length).toBeLessThanOrEqual(256 * 1_024)
  expect(parts.length).toBeLessThan(8)
})

test('a job that fits stays as it is, and one of several parts names a place once', () => {
  const job = jobOf(3, { places: ['1', '1', '2'], max_cost: '1', keywords: ['cafe'] })
  expect(jobParts(job)).toEqual([job])
  const { places = [] } = jobOf(1_000)
  expect(sizes({ ...job, places: [...places, ...places, '2000'] })).toEqual([1_000, 1])
})

test('the parts share what the job may cost and hold, and the first one searches', () => {
  const job = jobOf(2_500, { max_cost: '0.10', max_results: 1_001, keywords: ['cafe'], name: 'x'.repeat(200) })
  const parts = jobParts(job)
  expect(parts.map(({ max_cost, max_results, keywords }) => ({ max_cost, max_results, keywords }))).toEqual([
    { max_cost: '0.040000', max_results: 400, keywords: ['cafe'] },
    { max_cost: '0.040000', max_results: 400, keywords: undefined },
    { max_cost: '0.020000', max_results: 201, keywords: undefined },
  ])
  expect(parts.map(({ name }) => name)).toEqual([1, 2, 3].map((n) => `${'x'.repeat(191)} (${n} of 3)`))
  for (const part of parts) expect(SentJobRequest.safeParse(part).error).toBeUndefined()
})

test('the shares are exactly the whole, and a part without a share is left out', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_001, max: 4_000 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 1, max: 500 }),
      (places, micro, max_results) => {
        const max_cost = (micro / 1e6).toFixed(6)
        const shares = jobParts(jobOf(places, { max_cost })).map((part) => Math.round(Number(part.max_cost) * 1e6))
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(micro)
        const most = jobParts(jobOf(places, { max_results })).map((part) => part.max_results ?? 0)
        expect(most.reduce((sum, share) => sum + share, 0)).toBe(max_results)
        expect(most.every((share) => share > 0)).toBe(true)
      },
    ),
    { numRuns: 50 },
  )
})

test('a wrong amount is left to the service', () => {
  expect(new Set(jobParts(jobOf(1_001, { max_cost: '1,5' })).map(({ max_cost }) => max_cost))).toEqual(new Set(['1,5']))
})

/** Returns a client of a service that refuses its request at `refusedAt`, and the requests that it got. */
async function countingService(refusedAt?: number) {
  const requests: { path: string; key: string; name: string; jobName: string; places: number }[] = []
  const { url } = await serve(async (request, response) => {
    const { name, job, places } = JSON.parse(await text(request))
    const key = String(request.headers['idempotency-key'])
    const jobPlaces = (job?.places ?? places).length
    requests.push({ path: request.url ?? '', key, name, jobName: job?.name, places: jobPlaces })
    const isRefused = requests.length - 1 === refusedAt
    response.writeHead(isRefused ? 402 : 201, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRefused ? { code: 402, message: 'no credits' } : { id: `id-${requests.length}` }))
  })
  return { requests, client: new Placefleet({ url, apiKey: 'svc_x', retry: { attempts: 1 } }) }
}

test('one call creates the jobs of all places; after an error the same call with the same key goes on', async () => {
  const { client, requests } = await countingService(2)
  const created: string[] = []
  const create = async () => {
    for await (const { id } of client.jobs.createInParts(jobOf(2_001), { idempotencyKey: 'k' })) created.push(id)
  }
  await expect(create()).rejects.toThrow('no credits')
  expect(created).toEqual(['id-1', 'id-2'])
  await create()
  expect(requests.map(({ key, places }) => [key, places])).toEqual([
    ['k/0', 1_000],
    ['k/1', 1_000],
    ['k/2', 1],
    ['k/0', 1_000],
    ['k/1', 1_000],
    ['k/2', 1],
  ])
})

test('one call creates the monitors of all places, with names that say which', async () => {
  const { client, requests } = await countingService()
  const schedule = { every: '7d' }
  await firstOf(client.monitors.createInParts({ name: 'weekly', job: jobOf(1_001), schedule }), 5)
  await firstOf(client.monitors.createInParts({ name: 'small', job: jobOf(2), schedule }), 5)
  expect(requests.map(({ name, jobName, places }) => [name, jobName, places])).toEqual([
    ['weekly (1 of 2)', 'shops (1 of 2)', 1_000],
    ['weekly (2 of 2)', 'shops (2 of 2)', 1],
    ['small', 'shops', 2],
  ])
  expect(new Set(requests.map(({ key }) => key)).size).toBe(3)
})
