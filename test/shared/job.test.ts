import { CreateJobRequest } from '@placefleet/shared/job'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { z } from 'zod'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const fits = ajv.compile(z.toJSONSchema(CreateJobRequest, { io: 'input' }))
const centre = { lat: '34.6786', lon: '33.0413' }

test.each<[object, boolean]>([
  [{}, true],
  [{ lat: '', lon: '', radius: 0, zoom: 0 }, true],
  [{ ...centre, radius: 500, zoom: 14 }, true],
  [{ lat: '34.6786' }, false],
  [{ lat: '', lon: '33.0413' }, false],
  [{ radius: 500 }, false],
  [{ lat: '', lon: '', zoom: 14 }, false],
  [{ only_new: true, recheck_after: 30 }, true],
  [{ only_new: false, recheck_after: 30 }, false],
  [{ recheck_after: 30 }, false],
  ...['0', '-90', '+089.5', '090.00', '89.99999999'].map((lat): [object, boolean] => [{ ...centre, lat }, true]),
  ...['90.1', '91', '0190', '1.', '.5', '1e1', ' 1', '--1'].map((lat): [object, boolean] => [
    { ...centre, lat },
    false,
  ]),
  ...['180', '-180.0', '99', '099.9', '179.99'].map((lon): [object, boolean] => [{ ...centre, lon }, true]),
  ...['180.1', '181', '200', '1000'].map((lon): [object, boolean] => [{ ...centre, lon }, false]),
])('the service and the JSON schema of its document agree on a job with %j: %s', (fields, isAccepted) => {
  const job = { name: 'Bakeries', keywords: ['bakery'], language: 'en', ...fields }

  expect(CreateJobRequest.safeParse(job).success).toBe(isAccepted)
  expect(fits(job), JSON.stringify(fits.errors)).toBe(isAccepted)
})
