import { parseBody } from '@placefleet/agent/maps/answers/body'
import { parsePlacePage } from '@placefleet/agent/maps/place/page'
import {
  isComplete,
  missingParts,
  type PlaceResult,
  parsePlacePayload,
  readPlaceNode,
} from '@placefleet/agent/maps/place/payload/payload'
import { type FoundPlace, parseSearchPayload } from '@placefleet/agent/maps/search/payload'
import { Place } from '@placefleet/shared/place'
import { describe, expect, test } from 'vitest'
import { capture, comparable, expected, expectReview, fields, list } from './captures.ts'

const now = Date.UTC(2026, 10, 20)
// Members of an expectation that no place has, or that another test compares.
const APART = [
  'kgmid',
  'photo_count',
  'claimed',
  'description',
  'description_from_owner',
  'user_reviews',
  'link',
  'about_sections',
  'open_hours_as_labelled',
  'position',
  'sponsored',
]

function expectPlace(result: PlaceResult, wanted: Record<string, unknown>): void {
  if (!result.ok) throw new Error(`no place: ${result.reason}`)
  const place: Record<string, unknown> = { ...result.place }
  expect(Place.parse(result.place)).toEqual(result.place)
  for (const name of Object.keys(wanted).filter((key) => !APART.includes(key))) {
    expect([name, comparable(place[name])]).toEqual([name, comparable(wanted[name])])
  }
  expectApart(result, wanted)
}

function expectApart({ place, extra }: PlaceResult & { ok: true }, wanted: Record<string, unknown>): void {
  expect(comparable(extra.kgmid)).toEqual(comparable(wanted.kgmid))
  if ('photo_count' in wanted) expect(comparable(extra.photo_count)).toEqual(comparable(wanted.photo_count))
  if ('claimed' in wanted) expect(extra.claimed).toBe(wanted.claimed)
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
    expect(flat.place.user_reviews).toEqual(nested.place.user_reviews)
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

function expectFound(found: FoundPlace[], wanted: Record<string, unknown>[]): void {
  expect(found).toHaveLength(wanted.length)
  for (const [index, { place, extra }] of found.entries()) {
    expect(wanted[index]?.sponsored ?? false).toBe(false)
    expectPlace({ ok: true, place, extra }, wanted[index] ?? {})
  }
}
