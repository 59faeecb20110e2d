import { searchOf, zoomFor } from '@placefleet/agent/collect/search-of'
import { decodeText } from '@placefleet/agent/collect/website-page'
import { certainlyUnwanted, unwanted } from '@placefleet/shared/wanted'
import { expect, test } from 'vitest'
import { PARAMETERS } from '../../support/task-parameters.ts'

const own = 'https://www.my-shop.de/'
const social = 'https://www.facebook.com/my.shop'

test.each([
  ['all', undefined, undefined, undefined],
  ['has_website', own, undefined, undefined],
  ['has_website', social, 'filtered', 'filtered'],
  ['has_website', undefined, 'filtered', undefined],
  ['no_website', own, 'filtered', 'filtered'],
  ['no_website', social, undefined, undefined],
  ['no_website', undefined, undefined, undefined],
] as const)(
  'with %s a place with website %s is: %s, from a search: %s',
  (website_filter, website, collected, listed) => {
    const parameters = { ...PARAMETERS, website_filter }
    const place = website === undefined ? {} : { website }
    expect(unwanted(place, parameters)).toBe(collected)
    expect(certainlyUnwanted(place, parameters)).toBe(listed)
  },
)

test('a place is kept exactly within the radius, and dropped when nobody knows where it is', () => {
  const parameters = { ...PARAMETERS, latitude: 52.52, longitude: 13.405, radius: 1_000 }
  const north = (metres: number) => ({ latitude: 52.52 + metres / 111_195.08, longitude: 13.405 })
  expect(unwanted(north(999), parameters)).toBeUndefined()
  expect(unwanted(north(1_001), parameters)).toBe('out_of_area')
  expect(unwanted({}, parameters)).toBe('out_of_area')
  expect(unwanted({}, { ...parameters, radius: 0 })).toBeUndefined()
})

test('a search looks where it is told, as closely as it is told, else at just the circle', () => {
  expect(searchOf('cafe', PARAMETERS)).toEqual({ query: 'cafe', language: 'en' })
  const here = { ...PARAMETERS, latitude: 1, longitude: 2 }
  expect(searchOf('cafe', here).viewport).toEqual({ latitude: 1, longitude: 2, zoom: 14 })
  expect(searchOf('cafe', { ...here, zoom: 17, radius: 50_000 }).viewport?.zoom).toBe(17)
  expect(searchOf('cafe', { ...here, radius: 50_000 }).viewport?.zoom).toBe(10)
  expect(zoomFor(1, 0)).toBe(19)
})

test('a page is read in the charset it names', () => {
  const greek = Buffer.from([0xca, 0xe1, 0xeb, 0xe7])
  expect(decodeText(greek, 'text/html; charset=iso-8859-7')).toBe('Καλη')
  const named = Buffer.concat([Buffer.from('<meta charset="iso-8859-7">'), greek])
  expect(decodeText(named, 'text/html')).toContain('Καλη')
  expect(decodeText(Buffer.from('é'), 'text/html; charset=nonsense')).toBe('é')
})
