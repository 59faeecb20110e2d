import { CreateJobRequest } from '@placefleet/shared/job'
import { MAX_PROXIES_BYTES } from '@placefleet/shared/proxy-url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { polygon, square } from './area/shapes.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const fits = ajv.compile(z.toJSONSchema(CreateJobRequest, { io: 'input' }))
const centre = { lat: '34.6786', lon: '33.0413' }
const SHAPE = { area: polygon(square(13, 52, 1)) }
const BBOX = { bbox: [13, 52, 14, 53] }
const NEAR = { near: 'Limassol' }
const AREA = { ...centre, radius: 500, max_cost: '5' }

test.each<[object, boolean]>([
  [{}, true],
  [{ lat: '', lon: '', radius: 0, zoom: 0 }, true],
  [{ ...centre, radius: 500, zoom: 14 }, true],
  [{ lat: '34.6786' }, false],
  [{ lat: '', lon: '33.0413' }, false],
  [{ radius: 500 }, false],
  [{ lat: '', lon: '', zoom: 14 }, false],
  [{ only_new: true, recheck_after: 30 }, true],
  [SHAPE, true],
  [BBOX, true],
  [{ ...SHAPE, lat: '', lon: '', radius: 0, zoom: 0 }, true],
  [{ ...BBOX, lat: '', lon: '', radius: 0, zoom: 0 }, true],
  [NEAR, true],
  [{ ...NEAR, radius: 500, zoom: 14 }, true],
  [{ ...NEAR, lat: '', lon: '', exhaust: true, max_cost: '5' }, true],
  [{ ...NEAR, exhaust: true }, false],
  [{ ...NEAR, ...centre }, false],
  [{ ...NEAR, ...SHAPE }, false],
  [{ ...NEAR, ...BBOX }, false],
  [{ near: '' }, false],
  [{ near: 'a'.repeat(101) }, false],
  [{ ...SHAPE, ...BBOX }, false],
  ...[SHAPE, BBOX].flatMap((area): [object, boolean][] => [
    [{ ...area, ...centre }, false],
    [{ ...area, radius: 500 }, false],
    [{ ...area, zoom: 14 }, false],
    [{ ...area, exhaust: true, max_cost: '5' }, true],
    [{ ...area, exhaust: true }, false],
  ]),
  [{ exhaust: true, max_cost: '5' }, false],
  [{ max_results: 500, max_time: 3_600, exhaust: false }, true],
  [{ max_results: 501 }, false],
  [{ max_time: 3_601, exhaust: false }, false],
  [{ ...AREA, exhaust: true }, true],
  [{ ...AREA, exhaust: true, max_results: 100_000, max_time: 86_400 }, true],
  [{ ...AREA, exhaust: true, max_results: 100_001 }, false],
  [{ ...AREA, exhaust: true, max_time: 86_401 }, false],
  ...Object.keys(AREA).map((missing): [object, boolean] => [{ ...AREA, exhaust: true, [missing]: undefined }, false]),
  ...['0', '-90', '+089.5', '090.00', '89.99999999'].map((lat): [object, boolean] => [{ ...centre, lat }, true]),
  ...['90.1', '91', '0190', '1.', '.5', '1e1', ' 1', '--1'].map((lat): [object, boolean] => [
    { ...centre, lat },
    false,
  ]),
  ...['180', '-180.0', '99', '099.9', '179.99'].map((lon): [object, boolean] => [{ ...centre, lon }, true]),
  ...['180.1', '181', '200', '1000'].map((lon): [object, boolean] => [{ ...centre, lon }, false]),
])('the service and the JSON schema of its document agree on a job with %j: %s', (fields, isAccepted) => {
  const job: unknown = JSON.parse(JSON.stringify({ name: 'Bakeries', keywords: ['bakery'], language: 'en', ...fields }))

  expect(CreateJobRequest.safeParse(job).success).toBe(isAccepted)
  expect(fits(job), JSON.stringify(fits.errors)).toBe(isAccepted)
})

/** A proxy URL of this many ASCII characters, with a password that ends in `last`. */
const proxy = (characters: number, last = '') => {
  const [start, end] = ['http://u:', '@203.0.113.1:80']
  return `${start}${'p'.repeat(characters - start.length - end.length)}${last}${end}`
}

test.each([
  ['of 32 KiB', proxy(1_024), true],
  ['with one byte more', proxy(1_025), false],
  ['of 32 KiB, a letter of two bytes among them', proxy(1_022, 'é'), true],
  ['with one byte more, a letter of two bytes among them', proxy(1_023, 'é'), false],
])('a job with proxies $0 all together is accepted: $2', (_, last, isAccepted) => {
  const proxies = [...Array.from({ length: 31 }, () => proxy(1_024)), last]
  const job = { name: 'Bakeries', keywords: ['bakery'], language: 'en', proxies }
  const { success, error } = CreateJobRequest.safeParse(job)
  expect(success).toBe(isAccepted)
  if (!isAccepted) expect(error?.message).toContain(`at most ${MAX_PROXIES_BYTES} bytes`)
})

test('a job that exhausts its area has no cap but its cost, and a day; any other one 50 places and half an hour', () => {
  const job = { name: 'Bakeries', keywords: ['bakery'], language: 'en' }
  expect(CreateJobRequest.parse(job)).toMatchObject({ max_results: 50, max_time: 1_800 })
  const exhausting = { ...job, ...AREA, exhaust: true }
  expect(CreateJobRequest.parse(exhausting)).toMatchObject({ max_results: 100_000, max_time: 86_400 })
  expect(CreateJobRequest.parse({ ...exhausting, max_results: 7, max_time: 60 })).toMatchObject({
    max_results: 7,
    max_time: 60,
  })
})

test.each([[{ only_new: false, recheck_after: 30 }], [{ recheck_after: 30 }]])(
  '%j is refused: the document says in words that recheck_after needs only_new',
  (fields) => {
    const { error } = CreateJobRequest.safeParse({ name: 'n', keywords: ['k'], language: 'en', ...fields })
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['recheck_after', 'needs only_new: true'],
    ])
  },
)
