import { type LinkedSearch, otherCentreAt, readSearchLink, withLinkedSearches } from '@placefleet/shared/search-link'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const HERE = { lat: '34.6786', lon: '33.0413' }

test.each<[link: string, search: LinkedSearch | undefined]>([
  [
    'https://www.google.com/maps/search/dentist/@34.6786,33.0413,14z',
    { words: 'dentist', centre: { ...HERE, zoom: 14 } },
  ],
  [
    'https://www.google.com.cy/maps/search/dental+clinic/@34.6786,33.0413,14.49z/data=!3m1!4b1?entry=ttu',
    { words: 'dental clinic', centre: { ...HERE, zoom: 14 } },
  ],
  [
    'https://www.google.com/maps/search/caf%C3%A9/@34.6786,33.0413,22z',
    { words: 'café', centre: { ...HERE, zoom: 21 } },
  ],
  ['https://www.google.com/maps/search/café/@34.6786,33.0413,812m/data=!3m1!1e3', { words: 'café', centre: HERE }],
  [
    'https://www.google.com/maps/search/pizza/@-34.6786,-133,3z',
    { words: 'pizza', centre: { lat: '-34.6786', lon: '-133', zoom: 3 } },
  ],
  [
    'https://www.google.com/maps/search/pizza/@90,180,3z',
    { words: 'pizza', centre: { lat: '90', lon: '180', zoom: 3 } },
  ],
  ['https://www.google.com/maps/search/pizza/@90.1,180,3z', { words: 'pizza' }],
  ['https://www.google.com/maps/search/pizza/@90,180.1,3z', { words: 'pizza' }],
  ['https://www.google.com/maps/search/bakery+in+Berlin', { words: 'bakery in Berlin' }],
  ['https://www.google.com/maps/search/100%+bio/', { words: '100% bio' }],
  ['https://www.google.com/maps/search/100%+caf%C3%A9/', { words: '100% café' }],
  ['https://www.google.com/maps/search/?api=1&query=dental+clinic', { words: 'dental clinic' }],
  ['https://maps.google.de/?q=Zahnarzt', { words: 'Zahnarzt' }],
  ['http://www.google.com/maps?q=caf%C3%A9', { words: 'café' }],
  ['dentist', undefined],
  ['https://www.google.com/search?q=dentist', undefined],
  ['https://www.google.com/maps/search/', undefined],
  ['https://www.google.com/maps/@34.6786,33.0413,14z', undefined],
  ['https://www.google.com/maps/place/Cafe/@34.6786,33.0413,14z', undefined],
  ['https://google.com.shop.de/maps/search/dentist', undefined],
  ['ftp://www.google.com/maps/search/dentist', undefined],
])('%s means %j', (link, search) => {
  expect(readSearchLink(link)).toEqual(search)
})

test('any words come back from a link', () => {
  const words = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => text.trim() !== '' && text.isWellFormed())
  const property = fc.property(words, (text) => {
    const path = encodeURIComponent(text).replaceAll('%20', '+')
    fc.pre(!/^\.+$/.test(text)) // a URL resolves these
    expect(readSearchLink(`https://www.google.com/maps/search/${path}/@1,2,3z`)?.words).toBe(text.trim())
  })
  fc.assert(property)
})

const LINK = 'https://www.google.com/maps/search/bar/@34.6786,33.0413,14z'
const ELSEWHERE = 'https://www.google.com/maps/search/bar/@34.6786,33.0414,14z'

test('a request takes the words, and the centre unless it has its own', () => {
  const request = { keywords: ['café', LINK], lat: '', lon: '', zoom: 0 }
  expect(withLinkedSearches(request)).toEqual({ keywords: ['café', 'bar'], ...HERE, zoom: 14 })
  for (const own of [{ lat: '1', lon: '2' }, { near: 'Berlin' }, { bbox: [1, 2, 3, 4] }, { area: {} }]) {
    expect(withLinkedSearches({ ...request, ...own })).toEqual({ ...request, ...own, keywords: ['café', 'bar'] })
  }
  expect(withLinkedSearches({ keywords: ['café'] })).toEqual({ keywords: ['café'] })
})

test.each([
  [[], -1],
  [['café', LINK, 'bar'], -1],
  [[LINK, 'café', LINK], -1],
  [['café', LINK, ELSEWHERE], 2],
])('of %j the one with another centre is %i', (keywords, at) => {
  expect(otherCentreAt({ keywords })).toBe(at)
  expect(otherCentreAt({ keywords, lat: '1' })).toBe(-1)
})
