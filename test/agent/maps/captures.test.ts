import { parseBody } from '@placefleet/agent/maps/answers/body'
import { getAt, readWebsiteUrl } from '@placefleet/agent/maps/answers/values'
import { parseDrawnPlace } from '@placefleet/agent/maps/place/drawn'
import { parsePlacePage } from '@placefleet/agent/maps/place/page'
import {
  isComplete,
  missingParts,
  type PlaceResult,
  parsePlacePayload,
  readPlaceNode,
} from '@placefleet/agent/maps/place/payload/payload'
import { isLimitedView, parseFeed } from '@placefleet/agent/maps/search/drawn'
import { embeddedSearch, parseSearchPayload, type SearchHit } from '@placefleet/agent/maps/search/payload'
import { Place } from '@placefleet/shared/place'
import { describe, expect, test } from 'vitest'
import { capture, comparable, expected, expectReview, factsOf, fields, list, parts } from './captures.ts'

const now = Date.UTC(2026, 10, 20)
// Members of an expectation that no place has, or that another test compares.
const APART = new Set(
  'kgmid photo_count claimed owner description description_from_owner user_reviews link about_sections open_hours_as_labelled position sponsored'.split(
    ' ',
  ),
)

function expectPlace(result: PlaceResult, wanted: Record<string, unknown>): void {
  if (!result.ok) throw new Error(`no place: ${result.reason}`)
  const place: Record<string, unknown> = { ...result.place }
  expect(Place.parse(result.place)).toEqual(result.place)
  for (const name of Object.keys(wanted).filter((key) => !APART.has(key))) {
    expect([name, comparable(place[name])]).toEqual([name, comparable(wanted[name])])
  }
  expectApart(result, wanted)
}

function expectApart({ place, extra }: PlaceResult & { ok: true }, wanted: Record<string, unknown>): void {
  if ('photo_count' in wanted) expect(comparable(extra.photo_count)).toEqual(comparable(wanted.photo_count))
  if ('claimed' in wanted) expect(place.claimed ?? false).toBe(wanted.claimed) // trimmed answers do not tell
  // An unclaimed place has the name of an owner, and none.
  expect(comparable(place.owner)).toEqual(fields(wanted.owner).id ? comparable(wanted.owner) : undefined)
  expect(place.place_key).toBe(wanted.data_id)
  if ('description' in wanted || 'description_from_owner' in wanted) {
    expect(comparable(place.description)).toEqual(comparable(wanted.description || wanted.description_from_owner))
  }
  // A link is built where the answer has none.
  expect(place.link).toEqual(
    wanted.link || `https://www.google.com/maps/place/data=!4m2!3m1!1s${wanted.data_id}!10m1!1e1`,
  )
  if ('about_sections' in wanted) {
    expect(comparable(place.about?.map(({ id }) => id))).toEqual(comparable(wanted.about_sections))
  }
}

describe('recorded place payloads', () => {
  const embedded = () => parsePlacePage(capture('place-page-embedded.html')).payload

  test.each([
    ['a restaurant of 2023', () => parseBody(capture('place-a.json')), () => expected('place-a')],
    ['a trimmed answer of 2026', () => parseBody(capture('place-2026.json')), () => expected('place-2026')],
    ['the payload inside a page of 2023', embedded, () => fields(expected('place-page-embedded').place)],
  ])('%s gives every field', (_, payload, wanted) => {
    const result = parsePlacePayload(payload(), { now })
    expectPlace(result, wanted())
    const reviews = fields(wanted().user_reviews)
    const found = result.ok ? (result.place.user_reviews ?? []) : []
    expect(found).toHaveLength(Number(reviews.count))
    if (reviews.first) expectReview(found[0], fields(reviews.first))
  })

  test('a trimmed answer is distinguished from a complete one', () => {
    expect(isComplete(parseBody(capture('place-a.json')))).toBe(true)
    expect(isComplete(embedded())).toBe(true)
    expect(missingParts(parseBody(capture('place-2026.json')))).toEqual(['reviews'])
  })

  test('the flat records of an older layout give the same reviews', () => {
    const payload = parseBody(capture('place-a.json'))
    const nested = parsePlacePayload(payload, { now })
    const node: unknown[] = Array.isArray(payload) ? payload[6] : []
    const flat = readPlaceNode(node.with(175, null), now)
    if (!nested.ok || !flat.ok) throw new Error('no place')
    expect(flat.place.user_reviews).toEqual(nested.place.user_reviews?.map(({ answers: _, ...review }) => review))
  })
})

/** The parts that a program other than our parsers read: all of them, and the rest must be absent. */
const PARTS =
  'claimed local_title local_address phone_e164 time_spent booking_links posts services questions popular_dishes also_searched review_topics'.split(
    ' ',
  )

/** The facts whose name is that of the field. */
const SAME_NAME =
  'data_id place_id title categories address phone rating review_count timezone description plus_code closed'.split(' ')

const RECORDED: readonly [name: string, node: () => unknown][] = [
  ['place-a', () => getAt(parseBody(capture('place-a.json')), 6)],
  ['place-page-embedded', () => getAt(parsePlacePage(capture('place-page-embedded.html')).payload, 6)],
  ['place-2026-full', () => getAt(parseBody(capture('place-2026-full.txt')), 6)],
  ['place-node-2025-hanoi', () => parseBody(capture('place-node-2025-hanoi.json'))],
  ['place-page-2025-ka', () => getAt(parsePlacePage(capture('place-page-2025-ka.html')).payload, 6)],
]

const OF_2021: typeof RECORDED = ['place-node-2021-closed-for-a-time-br', 'place-node-2021-london-eye'].map((name) => [
  name,
  () => parseBody(capture(`${name}.json`)),
])

function placeIn(node: unknown): Place {
  const result = readPlaceNode(node, now)
  if (!result.ok) throw new Error(`no place: ${result.reason}`)
  expect(Place.parse(result.place)).toEqual(result.place)
  return result.place
}

describe('recorded place nodes, against what another program read', () => {
  test.each(RECORDED)('%s: posts, services and all other parts', (name, node) => {
    const place = placeIn(node())
    const wanted = parts(name)
    for (const part of PARTS) expect([part, comparable(fields(place)[part])]).toEqual([part, comparable(wanted[part])])
  })

  test.each([...RECORDED.slice(2), ...OF_2021])('%s: its facts', (name, node) => {
    const place = placeIn(node())
    const wanted = factsOf(name)
    const stars = Object.values(fields(wanted.histogram)).map((count, star) => [star + 1, count])
    const facts = {
      ...Object.fromEntries(SAME_NAME.map((name) => [name, wanted[name] ?? undefined])),
      website: typeof wanted.website === 'string' ? readWebsiteUrl(wanted.website) : undefined,
      reviews_per_rating: Object.fromEntries(stars),
      price_range: wanted.price,
      latitude: wanted.lat,
      longitude: wanted.lng,
      status: wanted.status_text,
      user_reviews: wanted.reviews,
      time_spent: wanted.people_typically_spend,
    }
    const ours = comparable({ ...place, user_reviews: place.user_reviews?.length })
    expect(ours).toMatchObject(fields(comparable(facts)))
    const { posts, services, questions, popular_times } = fields(place)
    expect([posts, services, questions, popular_times].map((part) => part !== undefined)).toEqual([
      Number(wanted.owner_posts) > 0,
      wanted.has_services_125,
      wanted.has_qa_126,
      wanted.popular_times,
    ])
  })

  test('a place that nobody has claimed has no owner, although its page names one', () => {
    expect(placeIn(RECORDED[2]?.[1]())).toMatchObject({ claimed: false })
    expect(placeIn(RECORDED[2]?.[1]())).not.toHaveProperty('owner')
  })
})

test('a page of a bare address holds no business', () => {
  const page = capture('place-page-2026-address-pin-in.html')
  expect(parsePlacePage(page).payload).toBeUndefined()
  expect(parseDrawnPlace(page, { language: 'en' })).toEqual({ ok: false, reason: 'no_title' })
})

describe('recorded search pages', () => {
  test('the payload in the page gives all places, of which the page has drawn eight', () => {
    const page = capture('search-page-embedded-2025.html')
    const wanted = list(factsOf('search-page-embedded-2025'), 'places')
    const found = embeddedSearch(page, { now })?.places ?? []
    expect(found).toHaveLength(20)
    for (const [index, { place }] of found.entries()) {
      const { data_id, title, rating, review_count, lat, lng, website } = wanted[index] ?? {}
      expect(comparable(place)).toMatchObject(
        fields(comparable({ data_id, title, rating, review_count, latitude: lat, longitude: lng, website })),
      )
    }
    expect(parseFeed(page)?.cards).toHaveLength(8)
  })

  test('a card that is a bare address is no place', () => {
    const page = capture('feed-limited-address-2026.html')
    expect(page).toContain('/maps/place/')
    expect(parseFeed(page)).toEqual({ cards: [], spinner: false })
    expect(isLimitedView(page)).toBe(true)
  })
})

describe('recorded search payloads', () => {
  test.each(['search-a', 'search-ads-a'])('%s gives its places in order, without its ads', (name) => {
    const wanted = expected(name)
    const found = parseSearchPayload(parseBody(capture(`${name}.json`)), { now })
    const { altitude: _, ...viewport } = fields(wanted.viewport)
    expect(found).toMatchObject({ shape: 'found', viewport })
    expectFound(found.places, list(wanted, 'places'))
  })

  test('a single row is read', () => {
    const row = parseBody(capture('search-row-a.json'))
    expectFound(parseSearchPayload([['', [row]]], { now }).places, [expected('search-row-a')])
  })

  test('a bare node of a trimmed answer has a rating, no count, and the hours of one day', () => {
    const node = parseBody(capture('search-node-2026.json'))
    expectPlace(readPlaceNode(node, now), expected('search-node-2026'))
    expect(missingParts([0, 1, 2, 3, 4, 5, node])).toEqual(['review_count', 'hours', 'reviews'])
  })
})

function expectFound(found: SearchHit[], wanted: Record<string, unknown>[]): void {
  expect(found).toHaveLength(wanted.length)
  for (const [index, { place, whole }] of found.entries()) {
    expect(whole().place).toMatchObject(place)
    expect(wanted[index]?.sponsored ?? false).toBe(false)
    expectPlace({ ok: true, ...whole() }, wanted[index] ?? {})
  }
}
