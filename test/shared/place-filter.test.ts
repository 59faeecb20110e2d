import type { PlaceReference } from '@placefleet/shared/place'
import {
  dropsPlaces,
  type FilteredFields,
  filterOf,
  filterVerdict,
  isFiltered,
  isSurelyKept,
  listingRejectionReason,
  type PlaceFilter,
  rejectionReason,
} from '@placefleet/shared/place-filter'
import type { TaskParameters } from '@placefleet/shared/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PARAMETERS } from '../harness/agents/task-parameters.ts'

const trimmed = { limited: ['details'] } satisfies FilteredFields
const bakery = { categories: ['Bakery', 'Café'] }

type Row = [PlaceFilter, FilteredFields, whole: string, listed: string]

test.each<Row>([
  [{ categories: ['bakery'] }, bakery, 'kept', 'kept'],
  [{ categories: ['school', ' CAFÉ '] }, bakery, 'kept', 'kept'],
  [{ categories: ['cafe'] }, bakery, 'filtered', 'filtered'],
  [{ categories: ['baker'] }, bakery, 'filtered', 'filtered'],
  [{ categories: ['STRASSENBAHN'] }, { category: 'Straßenbahn' }, 'kept', 'kept'],
  [{ categories: ['DİŞ HEKİMİ'] }, { category: 'Diş hekimi' }, 'kept', 'kept'],
  [{ categories: ['dis hekimi'] }, { category: 'Diş hekimi' }, 'filtered', 'filtered'],
  [{ categories: ['ΆΡΤΟΣ'] }, { categories: ['άρτος'] }, 'kept', 'kept'],
  [{ categories: ['bakery'] }, {}, 'filtered', 'unknown'],
  [{ categories: ['bakery'] }, trimmed, 'unknown', 'unknown'],
  [{ min_rating: 4.5 }, { rating: 4.5 }, 'kept', 'kept'],
  [{ min_rating: 4.5 }, { rating: 4.4 }, 'filtered', 'filtered'],
  [{ min_rating: 0.1 }, { review_count: 0 }, 'filtered', 'filtered'],
  [{ min_rating: 0.1 }, { rating: 0, review_count: 0 }, 'filtered', 'filtered'],
  [{ min_rating: 0.1 }, { rating: 0 }, 'filtered', 'filtered'],
  [{ min_rating: 0.1 }, {}, 'filtered', 'unknown'],
  [{ min_rating: 0.1 }, trimmed, 'unknown', 'unknown'],
  [{ min_rating: 0.1 }, { review_count: 1 }, 'unknown', 'unknown'],
  [{ min_rating: 0 }, { review_count: 0 }, 'kept', 'kept'],
  [{ min_review_count: 20 }, { rating: 4, review_count: 20 }, 'kept', 'kept'],
  [{ min_review_count: 20 }, { rating: 4, review_count: 19 }, 'filtered', 'filtered'],
  [{ min_review_count: 1 }, { review_count: 0 }, 'filtered', 'filtered'],
  [{ min_review_count: 1 }, { rating: 4 }, 'unknown', 'unknown'],
  [{ min_review_count: 1 }, { rating: 0 }, 'filtered', 'filtered'],
  [{ min_review_count: 1 }, {}, 'filtered', 'unknown'],
  [{ min_review_count: 1 }, trimmed, 'unknown', 'unknown'],
  [{ min_review_count: 0 }, {}, 'kept', 'kept'],
  [{ has_phone: true }, { phone: '25 101555' }, 'kept', 'kept'],
  [{ has_phone: true }, {}, 'filtered', 'unknown'],
  [{ has_phone: true }, trimmed, 'unknown', 'unknown'],
  [{ has_phone: false }, { phone: '25 101555' }, 'filtered', 'filtered'],
  [{ has_phone: false }, {}, 'kept', 'unknown'],
  [{ has_phone: false }, trimmed, 'unknown', 'unknown'],
  [{ exclude_closed: true }, { closed: 'permanently' }, 'filtered', 'filtered'],
  [{ exclude_closed: true }, { closed: 'temporarily' }, 'filtered', 'filtered'],
  [{ exclude_closed: true }, {}, 'kept', 'unknown'],
  [{ exclude_closed: false }, { closed: 'permanently' }, 'kept', 'kept'],
  [{ min_rating: 4, has_phone: true }, { rating: 3 }, 'filtered', 'filtered'],
  [{ min_review_count: 1, min_rating: 4 }, { rating: 3 }, 'filtered', 'filtered'],
])('a filter %j makes of a place %j: %s; of the row of a search: %s', (filter, place, whole, listed) => {
  expect(filterVerdict(place, filter, true)).toBe(whole)
  expect(filterVerdict(place, filter, false)).toBe(listed)
})

test.each<[PlaceFilter, boolean]>([
  [{}, false],
  [{ categories: ['bakery'] }, true],
  [{ min_rating: 0 }, false],
  [{ min_rating: 0.1 }, true],
  [{ min_review_count: 0 }, false],
  [{ min_review_count: 1 }, true],
  [{ has_phone: false }, true],
  [{ exclude_closed: false }, false],
  [{ exclude_closed: true }, true],
])('whether a filter %j can drop a place: %s', (filter, drops) => {
  expect(dropsPlaces(filter)).toBe(drops)
})

const CIRCLE = { latitude: 52.5, longitude: 13.4, radius: 1_000 }
const INSIDE = { latitude: 52.5, longitude: 13.4 }
const north = (metres: number) => ({ ...INSIDE, latitude: 52.5 + metres / 111_195.08 })
const OWN = 'https://www.a-bakery.com/'
const SOCIAL = 'https://www.facebook.com/my.shop'

test.each<[Partial<TaskParameters>, FilteredFields & Partial<PlaceReference>, whole: string, listed: string]>([
  [{}, {}, 'kept', 'kept'],
  [CIRCLE, INSIDE, 'kept', 'kept'],
  [CIRCLE, north(999), 'kept', 'kept'],
  [CIRCLE, north(1_001), 'out_of_area', 'out_of_area'],
  [CIRCLE, { latitude: 52.5 }, 'out_of_area', 'out_of_area'],
  [CIRCLE, { longitude: 13.4 }, 'out_of_area', 'out_of_area'],
  [{ has_phone: true }, {}, 'filtered', 'unknown'],
  [{ min_rating: 4 }, { rating: 3 }, 'filtered', 'filtered'],
  [{ website_filter: 'has_website' }, { website: OWN }, 'kept', 'kept'],
  [{ website_filter: 'has_website' }, { website: SOCIAL }, 'filtered', 'filtered'],
  [{ website_filter: 'has_website' }, {}, 'filtered', 'unknown'],
  [{ website_filter: 'no_website' }, { website: SOCIAL }, 'kept', 'kept'],
  [{ website_filter: 'no_website' }, {}, 'kept', 'unknown'],
  [{ website_filter: 'no_website' }, { website: OWN }, 'filtered', 'filtered'],
])('a job with %j makes of a place %j: %s; of the row of a search: %s', (parameters, place, whole, listed) => {
  const filter = filterOf({ ...PARAMETERS, ...parameters })
  expect(rejectionReason(place, filter) ?? 'kept').toBe(whole)
  const unsure = isSurelyKept(place, filter) ? 'kept' : 'unknown'
  expect(listingRejectionReason(place, filter) ?? unsure).toBe(listed)
})

test.each([
  ['all', {}, false],
  ['all', { min_rating: 4 }, true],
  ['has_website', {}, true],
] as const)('a job for places with website %s and %j filters: %s', (website_filter, filter, filters) => {
  expect(isFiltered({ website_filter, ...filter })).toBe(filters)
})

describe('of any place and filter', () => {
  const absent = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
  const names = fc.constantFrom('Bakery', 'Café', 'School')
  const place = fc.record({
    categories: absent(fc.array(names, { minLength: 1 })),
    rating: absent(fc.integer({ min: 1, max: 5 })),
    review_count: absent(fc.integer({ min: 1, max: 3 })),
    phone: absent(fc.constant('25 101555')),
    closed: absent(fc.constantFrom('permanently' as const, 'temporarily' as const)),
    website: absent(fc.constant('https://www.a-bakery.com/')),
  })
  const unrated = place.map((rated) => ({ ...rated, rating: undefined, review_count: 0 }))
  const anyPlace = fc.oneof(place, unrated)
  const filter = fc.record({
    website_filter: fc.constantFrom('all' as const, 'no_website' as const, 'has_website' as const),
    categories: absent(fc.array(names, { minLength: 1 })),
    min_rating: absent(fc.integer({ min: 0, max: 5 })),
    min_review_count: absent(fc.integer({ min: 0, max: 3 })),
    has_phone: absent(fc.boolean()),
    exclude_closed: absent(fc.boolean()),
  })

  test('what a row decides, its whole place decides alike, whatever the row leaves out', () => {
    const hidden = fc.subarray(['categories', 'phone', 'closed', 'website', 'rating', 'review_count'])
    fc.assert(
      fc.property(anyPlace, filter, hidden, (whole, wanted, left_out) => {
        const row = Object.fromEntries(Object.entries(whole).filter(([name]) => !left_out.includes(name)))
        const kept = filterOf({ ...PARAMETERS, ...wanted })
        const reason = rejectionReason(whole, kept)
        if (listingRejectionReason(row, kept)) expect(reason).toBe('filtered')
        if (isSurelyKept(row, kept)) expect(reason).toBeUndefined()
      }),
    )
  })

  test('a filter that can drop no place keeps it', () => {
    fc.assert(
      fc.property(anyPlace, filter, (whole, wanted) => {
        if (!dropsPlaces(wanted)) expect(filterVerdict(whole, wanted, true)).toBe('kept')
      }),
    )
  })
})
