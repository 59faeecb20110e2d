import { countryAt, refusalOf } from '@placefleet/coordinator/fleet/claim'
import { expect, test } from 'vitest'

test.each([
  [52.52, 13.405, 'de'],
  [34.6786, 33.0413, 'cy'],
  [22.3, 114.17, 'hk'],
  [40.71, -74, 'us'],
  [-18.14, 178.44, 'fj'],
  [48.5806, 7.7499, 'fr'],
  [48.5733, 7.8122, 'de'],
  [-45, -20, undefined],
])('%f, %f lies in %s', async (latitude, longitude, country) => {
  expect(await countryAt(latitude, longitude)).toBe(country)
})

test('without a point there is no country', async () => {
  expect(await countryAt(undefined, undefined)).toBeUndefined()
})

const enrolment = { name: 'alpha', hash: 'h' }
const holding = (tasks: number) => ({ countOf: () => tasks })

test('an enrolled agent that holds 200 tasks leaves further ones to others, and so does a draining one', () => {
  expect(refusalOf({ draining: false, enrolment }, holding(199))).toBeUndefined()
  expect(refusalOf({ draining: false, enrolment }, holding(200))).toBe('full')
  expect(refusalOf({ draining: true, enrolment }, holding(0))).toBe('draining')
  expect(refusalOf({ draining: false, enrolment: undefined }, holding(200))).toBeUndefined()
})
