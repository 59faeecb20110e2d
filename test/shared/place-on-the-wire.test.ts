import { Place, WEEKDAYS } from '@placefleet/shared/place'
import { decodePlace, encodePlace } from '@placefleet/shared/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const line = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const some = <Value>(arbitrary: fc.Arbitrary<Value>) => optional(fc.array(arbitrary, { minLength: 1, maxLength: 3 }))

const review = fc.record(
  {
    id: line,
    author: line,
    rating: fc.integer({ min: 1, max: 5 }),
    text: line,
    published_at: fc.constant('2026-05-01T10:00:00.000Z'),
    images: fc.array(line, { minLength: 1, maxLength: 3 }),
    videos: fc.array(line, { minLength: 1, maxLength: 3 }),
    answers: fc.array(
      fc.record(
        { id: line, name: line, rating: fc.integer({ min: 1, max: 5 }), choices: fc.array(line, { minLength: 1 }) },
        { requiredKeys: ['id'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    reply: fc.record({ text: line }),
  },
  { requiredKeys: ['id'] },
)

const place = fc.record({
  place_key: fc.constantFrom('0x14e733126a2b3ab9:0x1cf0bd6f4edb5bf7', '0x1:0x2'),
  title: line,
  rating: optional(fc.constantFrom(0, 4.2, 5)),
  review_count: optional(fc.nat({ max: 1_000_000_000 })),
  latitude: optional(fc.constantFrom(-90, 0, 34.5)),
  categories: some(line),
  complete_address: optional(fc.record({ city: line })),
  open_hours: optional(fc.dictionary(fc.constantFrom(...WEEKDAYS), fc.array(line, { minLength: 1 }), { minKeys: 1 })),
  open_intervals: some(
    fc.record({ day: fc.integer({ min: 1, max: 7 }), from: fc.nat({ max: 1_439 }), to: fc.nat({ max: 2_879 }) }),
  ),
  popular_times: optional(
    fc.dictionary(
      fc.constantFrom(...WEEKDAYS),
      fc.dictionary(fc.nat({ max: 23 }).map(String), fc.nat({ max: 100 }), { minKeys: 1 }),
      { minKeys: 1 },
    ),
  ),
  reviews_per_rating: optional(fc.dictionary(fc.constantFrom('1', '5'), fc.nat({ max: 9999 }), { minKeys: 1 })),
  about: some(
    fc.record({
      id: line,
      name: line,
      options: fc.array(fc.record({ name: line, enabled: fc.boolean(), values: some(line) })),
    }),
  ),
  user_reviews: some(review),
  claimed: optional(fc.boolean()),
  time_spent: optional(line),
  booking_links: some(fc.record({ link: line, source: line }, { requiredKeys: ['link'] })),
  posts: some(fc.record({ text: line, link: line, image: line }, { requiredKeys: ['text'] })),
  services: some(
    fc.record({
      name: line,
      items: fc.array(fc.record({ name: line, price: line, description: line }, { requiredKeys: ['name'] })),
    }),
  ),
  questions: some(fc.record({ question: line, answers: fc.array(line) })),
  popular_dishes: some(fc.record({ name: line, image: line }, { requiredKeys: ['name'] })),
  also_searched: some(
    fc.record({ title: line, place_id: line, rating: fc.constantFrom(3.9, 5) }, { requiredKeys: ['title'] }),
  ),
  email_details: some(
    fc.record(
      { email: fc.emailAddress(), mx: fc.boolean(), generic: fc.boolean() },
      { requiredKeys: ['email', 'generic'] },
    ),
  ),
  review_topics: some(fc.record({ topic: line, count: fc.nat({ max: 9999 }) })),
  social_links: optional(fc.constant({ facebook: 'https://facebook.com/x' })),
})

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
