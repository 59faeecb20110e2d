import { Place, WEEKDAYS } from '@placefleet/shared/place'
import { decodePlace, encodePlace } from '@placefleet/shared/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const line = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const percents = fc.dictionary(fc.nat({ max: 23 }).map(String), fc.nat({ max: 100 }), { minKeys: 1 })
const place = fc.record(
  {
    place_key: fc.constantFrom('0x14e733126a2b3ab9:0x1cf0bd6f4edb5bf7', '0x1:0x2'),
    title: line,
    rating: fc.constantFrom(0, 4.2, 5),
    latitude: fc.constantFrom(-90, 0, 34.5),
    categories: fc.array(line, { minLength: 1, maxLength: 3 }),
    open_hours: fc.dictionary(fc.constantFrom(...WEEKDAYS), fc.array(line, { minLength: 1 }), { minKeys: 1 }),
    popular_times: fc.dictionary(fc.constantFrom(...WEEKDAYS), percents, { minKeys: 1 }),
    reviews_per_rating: fc.dictionary(fc.constantFrom('1', '5'), fc.nat({ max: 9_999 }), { minKeys: 1 }),
    claimed: fc.boolean(),
    user_reviews: fc.array(fc.record({ id: line, text: line, reply: fc.record({ text: line }) }), { maxLength: 3 }),
  },
  { requiredKeys: ['place_key', 'title'] },
)

const present = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('a place is the same after the wire', () => {
  fc.assert(
    fc.property(place, (sent) => {
      const parsed = Place.parse(sent)
      const received = decodePlace(encodePlace(parsed))
      expect(present(received)).toEqual(present(parsed))
    }),
  )
})

test.each([
  ['a rating that is not a number', { rating: Number.NaN }],
  ['a latitude off the globe', { latitude: 900 }],
  ['a title of 10 MB', { title: 'x'.repeat(10_000_000) }],
  ['an empty title', { title: '' }],
  ['a weekday in another language', { open_hours: Object.fromEntries([['Montag', ['9–17']]]) }],
  ['a key that is no feature id', { place_key: '__proto__' }],
])('a message with %s is refused', (_, fault) => {
  const valid = Place.parse({ place_key: '0x1:0x2', title: 'Kipriakon' })
  expect(() => decodePlace(encodePlace({ ...valid, ...fault }))).toThrow()
})

test('control characters of a place are dropped, wherever they are, except tabs and line feeds', () => {
  const stranger = '\u001b]0;x\u0007a\u009b31m\tb\r\nc\u0000\u007f'
  const sent = encodePlace({
    ...Place.parse({ place_key: '0x1:0x2', title: 'a' }),
    title: stranger,
    categories: [stranger],
    user_reviews: [{ id: stranger, text: stranger }],
  })
  const plain = ']0;xa31m\tb\nc'
  expect(decodePlace(sent)).toMatchObject({
    title: plain,
    categories: [plain],
    user_reviews: [{ id: plain, text: plain }],
  })
})
