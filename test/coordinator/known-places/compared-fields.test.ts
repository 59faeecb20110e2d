import { comparedFieldsOf, searchOf } from '@placefleet/coordinator/known-places/compared-fields'
import { expect, test } from 'vitest'

const place = {
  title: 'Café  Limassol ',
  phone: '+357 25 123456',
  latitude: 34.678_612,
  open_hours: { Tuesday: ['9–17'], Monday: ['9–17', '18–20'] },
  rating: 4.5,
  review_count: 12,
}

test('a place with other reviews, spaces or a point some centimetres away has the same fields', () => {
  const same = {
    ...place,
    title: ' Café Limassol',
    latitude: 34.678_613,
    open_hours: { Monday: ['9–17', '18–20'], Tuesday: ['9–17'] },
    rating: 4.6,
    review_count: 13,
    status: 'Closes soon',
  }
  expect(comparedFieldsOf(same)).toEqual(comparedFieldsOf(place))
})

test.each([
  { title: 'Café Paphos' },
  { phone: '+357 25 123457' },
  { website: 'https://cafe.example/' },
  { latitude: 34.679_1 },
  { open_hours: { Monday: ['9–17'] } },
])('a place with %j has other fields', (change) => {
  expect(comparedFieldsOf({ ...place, ...change })).not.toEqual(comparedFieldsOf(place))
})

test('the order and case of keywords do not change the identity of a search', () => {
  const circle = { lat: '34.6', lon: '33.0', radius: 500 }
  expect(searchOf({ keywords: ['Café', 'bar '], ...circle })).toBe(searchOf({ keywords: ['bar', 'café'], ...circle }))
  expect(searchOf({ keywords: ['bar'], ...circle, radius: 501 })).not.toBe(searchOf({ keywords: ['bar'], ...circle }))
  expect(searchOf({ keywords: ['bar'] })).toBe(searchOf({ keywords: ['bar'], lat: '', lon: '', radius: 0 }))
  const box = { bbox: [13, 52, 14, 53] }
  expect(searchOf({ keywords: ['bar'], ...box })).not.toBe(searchOf({ keywords: ['bar'] }))
  expect(searchOf({ keywords: ['bar'], ...box })).not.toBe(searchOf({ keywords: ['bar'], bbox: [13, 52, 14, 54] }))
  expect(searchOf({ keywords: ['bar'], area: { type: 'Polygon' } })).not.toBe(searchOf({ keywords: ['bar'] }))
})
