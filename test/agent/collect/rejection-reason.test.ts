import { searchOf, zoomFor } from '@placefleet/agent/collect/search-area'
import { decodeText } from '@placefleet/agent/website/fetch-page'
import { filterOf, listingRejectionReason, rejectionReason } from '@placefleet/shared/place-filter'
import { describe, expect, test } from 'vitest'
import { PARAMETERS } from '../../harness/agents/task-parameters.ts'

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
    const filter = filterOf({ ...PARAMETERS, website_filter })
    const place = website === undefined ? {} : { website }
    expect(rejectionReason(place, filter)).toBe(collected)
    expect(listingRejectionReason(place, filter)).toBe(listed)
  },
)

test('a place is kept exactly within the radius, and dropped without a position', () => {
  const centre = { ...PARAMETERS, latitude: 52.52, longitude: 13.405 }
  const filter = filterOf({ ...centre, radius: 1_000 })
  const north = (metres: number) => ({ latitude: 52.52 + metres / 111_195.08, longitude: 13.405 })
  expect(rejectionReason(north(999), filter)).toBeUndefined()
  expect(rejectionReason(north(1_001), filter)).toBe('out_of_area')
  expect(rejectionReason({}, filter)).toBe('out_of_area')
  expect(rejectionReason({}, filterOf({ ...centre, radius: 0 }))).toBeUndefined()
})

test('a search uses the requested viewport and zoom, else that of a town quarter', () => {
  expect(searchOf('cafe', PARAMETERS)).toEqual({ query: 'cafe', language: 'en' })
  const here = { ...PARAMETERS, latitude: 1, longitude: 2 }
  expect(searchOf('cafe', here).viewport).toEqual({ latitude: 1, longitude: 2, zoom: 14 })
  expect(searchOf('cafe', { ...here, zoom: 17, radius: 50_000 }).viewport?.zoom).toBe(17)
  expect(zoomFor(50_000, 1)).toBe(10)
  expect(zoomFor(1, 0)).toBe(19)
})

test.each([
  { metres: 7_337, latitude: 0, zoom: 13 },
  { metres: 7_338, latitude: 0, zoom: 12 },
  { metres: 3_668, latitude: 60, zoom: 13 },
  { metres: 3_669, latitude: 60, zoom: 12 },
  { metres: 114, latitude: 0, zoom: 19 },
  { metres: 115, latitude: 0, zoom: 18 },
  { metres: 20_000_000, latitude: 0, zoom: 3 },
])('a circle of $metres metres at latitude $latitude fits into a map of 768 pixels at zoom $zoom', (row) => {
  expect(zoomFor(row.metres, row.latitude)).toBe(row.zoom)
})

describe('a page is read in the charset that browsers take', () => {
  const GREEK = Buffer.from([0xca, 0xe1, 0xeb, 0xe7])
  const utf16 = Buffer.from('Καλη', 'utf16le')
  const greek = (start: string) => Buffer.concat([Buffer.from(start), GREEK])

  test.each<[way: string, body: Buffer, contentType: string]>([
    ['its header', GREEK, 'text/html; charset=iso-8859-7'],
    ['its header in any form', GREEK, 'text/html; Charset = "ISO-8859-7"'],
    ['a meta element', greek('<meta charset="iso-8859-7">'), 'text/html'],
    ['a meta element of old', greek('<meta http-equiv=content-type content="text/html; charset=greek">'), ''],
    ['an XML declaration', greek('<?xml version="1.0" encoding="iso-8859-7"?>'), 'text/html'],
    ['a meta element, as its header names none', greek('<meta charset=iso-8859-7>'), 'text/html; charset=none'],
    ['the second meta element', greek('<meta charset="what"><meta charset="iso-8859-7">'), 'text/html'],
    ['a meta element, not a comment', greek('<!-- charset=utf-8 --><meta charset="iso-8859-7">'), 'text/html'],
    ['a meta element, not any text', greek('charset=utf-8 <meta charset="iso-8859-7">'), 'text/html'],
    ['its header, not its meta element', greek('<meta charset="utf-8">'), 'text/html; charset=iso-8859-7'],
    ['its byte order mark', Buffer.from('\ufeffΚαλη'), 'text/html; charset=iso-8859-7'],
    ['its byte order mark of UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'text/html'],
    ['its header of UTF-16', utf16, 'text/html; charset=utf-16le'],
    ['a meta element that cannot be right', Buffer.from('<meta charset="utf-16">Καλη'), 'text/html'],
    ['no known one', Buffer.from('Καλη'), 'text/html; charset=nonsense'],
    ['a comment only', Buffer.from('<!-- <meta charset="iso-8859-7"> -->Καλη'), 'text/html'],
  ])('as %s says', (_, body, contentType) => {
    expect(decodeText(body, contentType)).toMatch(/Καλη$/)
  })
})
