import { parseBody } from '@placefleet/agent/maps/answers/body'
import { parsePlacePage } from '@placefleet/agent/maps/place/page'
import { describe, expect, test } from 'vitest'
import { capture as recorded } from '../agent/maps/captures.ts'
import { at, listAt, mapSite, payloadAt, placePath, placeWith, searchPath } from './asking.ts'

// The simulator against recorded answers of the real site: the same kind of value at the same path.

const capture = (name: string): unknown => parseBody(recorded(name))

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'undefined' : typeof value)

const paths = (...texts: string[]) =>
  texts.flatMap((text) => text.split(' ')).map((text) => text.split('.').map(Number))

const PLACE = paths(
  '0 2.0 2.1 4.2 4.3.0 4.3.1 4.4 4.7 4.8 9.2 9.3 10 11 13.0 18 30',
  '37.0.0.0 37.0.0.6.0 37.1 39 42 57.1 57.2 72.0.0.6.0 72.0.1.6.0 76.0.0 78 82.1 82.3 84.0.0.0',
  '75.0.0.0 75.0.0.2.0.0.0 75.0.0.2.0.0.2.1 75.0.0.2.0.1.2.0 75.0.0.4 84.0.0.1.0.0 84.0.0.1.0.1 84.0.0.1.0.4 84.1 84.4 88.1 88.3 89',
  '100.1.0.0 100.1.0.1 100.1.0.2.0.0 100.1.0.2.0.1 100.1.0.2.0.2.0 100.1.0.2.0.2.1.0.0 100.3.0.0 110',
  '171.0.0.0 171.0.0.2 171.0.0.3.0.6.0 171.0.0.3.0.6.2.0 175.3.0 175.3.4',
  '178.0.0 178.0.1.0.0 178.0.1.1.1 178.0.3 178.0.5.0 183.0 183.1.1 183.1.2 183.1.3 183.1.4 183.1.6 183.2.1.0 183.2.2.0',
  '203.0.0.0 203.0.0.1 203.0.0.2.0 203.0.0.3.0.0 203.0.0.3.0.1.0 203.0.0.3.0.1.1 203.0.0.4 203.0.0.5 203.0.6.1',
  '203.1.0.1 203.1.2 203.1.4.0 203.1.8.0 208.0.2 208.0.3 227.0.0 227.0.3 227.0.4 227.0.5 227.0.6 243',
)
const NOT_ON_A_PLACE = paths('7 32 38 46 84.6 84.7')

const REVIEW = paths('0 1.0 1.2 1.3 1.6 1.4.2.0 1.13.0 1.13.4 2.0.0 2.14.0 2.15.0.0 3 4.3.0')
const AUTHOR = paths('1.4.5.0 1.4.5.1 1.4.5.2.0 1.4.5.3 1.4.5.5 1.4.5.6 1.4.5.10.0')

type Kinds = Record<string, string>

const kindsAt = (value: unknown, wanted: number[][]): Kinds =>
  Object.fromEntries(wanted.map((path) => [path.join('.'), kindOf(at(value, ...path))]))

async function simulatedPlace() {
  const site = await mapSite()
  const index = placeWith(
    site,
    ({ popular_times, open_hours, ...place }) =>
      (place.review_count ?? 0) >= 8 &&
      popular_times?.Sunday !== undefined &&
      /\d/.test(open_hours?.Tuesday?.[0] ?? '') &&
      place.order_online !== undefined &&
      place.reservations === undefined &&
      place.menu === undefined &&
      place.website === undefined &&
      place.price_range !== undefined &&
      place.phone !== undefined &&
      place.images !== undefined &&
      place.owner !== undefined &&
      !place.description?.startsWith('Relaxed') &&
      place.about?.[0]?.options[0]?.values === undefined &&
      place.about !== undefined,
  )
  return payloadAt(site, placePath(site, index))
}

const reviewsOf = (payload: unknown) => listAt(payload, 6, 175, 9, 0, 0).map((item) => at(item, 0))

const writtenBy = (reviews: unknown[], wanted: (review: unknown) => boolean) =>
  reviews.find((review) => at(review, 2, 15, 0, 0) !== undefined && wanted(review))

describe('against recordings', () => {
  test('a place payload has its values where a recorded one has them', async () => {
    const [real, simulated] = [capture('place-a.json'), await simulatedPlace()]
    expect(kindsAt(at(simulated, 6), PLACE)).toEqual(kindsAt(at(real, 6), PLACE))
    expect(kindsAt(at(simulated, 6), NOT_ON_A_PLACE)).toEqual(kindsAt(at(real, 6), NOT_ON_A_PLACE))
    expect(listAt(simulated)).toHaveLength(listAt(real).length)
    const top = paths('4.0.0 4.2.0 4.3 25.3.0.13.0.0.1 31.0 31.1.0.0 31.1.0.1.0')
    expect(kindsAt(simulated, top)).toEqual(kindsAt(real, top))
  })

  test('a place payload of 2026 has its values where a recorded one has them', async () => {
    const recorded = paths(
      '4.3.0 4.7 4.8 9.2 9.3 10 11 13.0 18 30 100.1.0.0 183.1.1 183.2.1.0 183.2.2.0 203.0.0.1 203.0.6.5 203.1.4.0 203.1.8.0',
    )
    const [real, simulated] = [capture('place-2026.json'), await simulatedPlace()]
    expect(kindsAt(at(simulated, 6), recorded)).toEqual(kindsAt(at(real, 6), recorded))
  })

  test.each([
    [
      'place-page-2025-ka.html',
      'dentist',
      '75.0.0.0 75.0.0.2.0.1.2.0 122.1.0.1.0.0.0 122.1.0.2.0 122.1.0.5.0.0 122.1.0.9',
    ],
    [
      'place-page-2025-ka.html',
      'dentist',
      '125.0.0.1.0.0.0 125.0.0.1.0.1.0.0.0.0 125.0.0.1.0.1.0.1.0.1 125.0.0.1.0.1.0.1.1.0',
    ],
    [
      'place-node-2025-hanoi.json',
      'cafe',
      '99.0.0.0 99.0.0.1.0.1.11 117.0 120.4.0.1.0.4 120.4.0.1.0.6.0.6.0 126.0.0.0.2 126.0.0.1.0.2 153.0.0.3.4',
    ],
  ])('what %s has of owners and visitors stands in a simulated %s: %s', async (name, category, wanted) => {
    const site = await mapSite()
    const index = placeWith(
      site,
      ({ category: kind, booking_links, posts, services, popular_dishes, questions, review_topics, time_spent }) =>
        kind?.toLowerCase() === category &&
        posts?.[0]?.image !== undefined &&
        review_topics !== undefined &&
        questions?.[0]?.answers?.[0] !== undefined &&
        (kind === 'Cafe' ? popular_dishes && time_spent : booking_links) !== undefined &&
        (kind === 'Cafe' || services?.[0]?.items[1]?.price !== undefined) &&
        (kind === 'Cafe' || services?.[0]?.items[1]?.description !== undefined),
    )
    const simulated = await payloadAt(site, placePath(site, index))
    const real = name.endsWith('.html') ? at(parsePlacePage(recorded(name)).payload, 6) : capture(name)
    expect(kindsAt(at(simulated, 6), paths(wanted))).toEqual(kindsAt(real, paths(wanted)))
  })

  test('reviews have their values where recorded ones have them', async () => {
    const real = at(capture('reviews-a.json'), 0, 0)
    const simulated = writtenBy(reviewsOf(await simulatedPlace()), (review) => at(review, 2, 15, 1, 0) !== undefined)
    const wanted = [...REVIEW, ...AUTHOR, ...paths('2.14.1 2.14.2 2.14.3 2.15.1.0')]
    expect(kindsAt(simulated, wanted)).toEqual(kindsAt(real, wanted))
  })

  test('a search payload has its envelope and its places as a recorded one', async () => {
    const site = await mapSite()
    // The recorded request asked for few fields, so only those of its answer are compared.
    const [real, simulated] = [capture('search-a.json'), await payloadAt(site, searchPath('coffee'))]
    const envelope = paths('0.0 0.1.0.8 0.1.0.10.0 0.1.0.14 0.1.1.14 1.0.0 1.1 1.2.0 1.3 2 7 35 37.0 37.1 37.2.0.2 64')
    expect(kindsAt(simulated, envelope)).toEqual(kindsAt(real, envelope))
    expect(listAt(simulated)).toHaveLength(listAt(real).length)
    const node = paths(
      '2 4.3.0 4.7 4.8 9.2 10 11 13.0 18 30 39 76.0.0 78 89 178.0.0 183.1.1 203.0.6.1 227.0.0 243 84 175 32',
    )
    const rich = listAt(simulated, 0, 1)
      .map((row) => at(row, 14))
      .find((place) => at(place, 4, 8) && at(place, 203, 0) && at(place, 178) && at(place, 39))
    expect(kindsAt(rich, node)).toEqual(kindsAt(at(real, 0, 1, 1, 14), node))
  })

  test('a search node for a client without cookie is cut as a recorded one', async () => {
    const site = await mapSite()
    const found = await payloadAt(site, searchPath('restaurant', '!24m3!1m2!13b1!18b1'), '')
    const real = capture('search-node-2026.json')
    const simulated = listAt(found, 0, 1)
      .map((row) => at(row, 14))
      .find((node) => [4, 178, 39, 100].every((part) => at(node, part)) && at(node, 203, 0))
    const wanted = paths(
      '4.2 4.3 4.7 4.8 10 11 18 30 39 78 89 100.1.0.0 178.0.0 183.2.2.0 203.0.0.1 203.0.1 203.1.4.0 227.0.0 84 175 52',
    )
    expect(kindsAt(simulated, wanted)).toEqual(kindsAt(real, wanted))
    expect(listAt(simulated)).toHaveLength(listAt(real).length)
  })
})
