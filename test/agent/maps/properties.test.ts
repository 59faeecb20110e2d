import { parseBody } from '@placefleet/agent/maps/answers/body'
import { classifyAnswer } from '@placefleet/agent/maps/answers/classify'
import { loadPage } from '@placefleet/agent/maps/answers/dom'
import { pageState, placeOfState } from '@placefleet/agent/maps/answers/page-state'
import { parsePhotoList, photoImage } from '@placefleet/agent/maps/photos/payload'
import { parseDrawnPlace } from '@placefleet/agent/maps/place/drawn'
import { parsePlacePage } from '@placefleet/agent/maps/place/page'
import { missingParts, parsePlacePayload } from '@placefleet/agent/maps/place/payload/payload'
import { parseReviewList } from '@placefleet/agent/maps/reviews/payload'
import { parseFeed } from '@placefleet/agent/maps/search/drawn'
import { parseSearchPayload } from '@placefleet/agent/maps/search/payload'
import { Image, Place, PlaceReference } from '@placefleet/shared/place'
import { Review } from '@placefleet/shared/review'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { volume } from '../../harness/volume.ts'
import { capture } from './captures.ts'
import { fullPayload, node, searchPayload } from './sample.ts'

// One change to one of the lists in a payload, counted through all of them.
interface Change {
  readonly list: number
  readonly kind: 'cut' | 'null' | 'replace' | 'swap' | 'wrap' | 'drop'
  readonly at: number
  readonly value: unknown
}

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 0, -1, 0.5, Number.MAX_VALUE, 2 ** 60, true),
  fc.constantFrom<unknown>([], [[]], {}, '\ud800', '\0', 'x'.repeat(30_000)),
  fc.jsonValue(),
  fc.constant(Array.from({ length: 1_000 }, () => ['x', 1, ['y']])),
)
const change: fc.Arbitrary<Change> = fc.record({
  list: fc.nat(100_000),
  kind: fc.constantFrom('cut', 'null', 'replace', 'swap', 'wrap', 'drop'),
  at: fc.nat(300),
  value: odd,
})
const changes = fc.array(change, { minLength: 1, maxLength: 25 })

function changed(payload: unknown, list: readonly Change[]): unknown {
  const copy: unknown = structuredClone(payload)
  const lists = listsIn(copy)
  for (const { list: number, kind, at, value } of list) apply(lists[number % lists.length] ?? [], kind, at, value)
  return copy
}

function listsIn(value: unknown): unknown[][] {
  return Array.isArray(value) ? [value, ...value.flatMap(listsIn)] : []
}

function apply(list: unknown[], kind: Change['kind'], at: number, value: unknown): void {
  const index = at % Math.max(1, list.length)
  if (kind === 'cut') list.length = index
  if (kind === 'null') list[index] = null
  if (kind === 'replace') list[index] = value
  if (kind === 'swap') list.reverse()
  if (kind === 'wrap') list[index] = [list[index]]
  if (kind === 'drop') list.splice(index, 1)
}

function expectValid(payload: unknown): void {
  const result = parsePlacePayload(payload)
  if (result.ok) expect(Place.parse(result.place)).toEqual(result.place)
  if (result.ok) expect(noEmptyMember(result.place)).toBe(true)
  missingParts(payload)
}

function expectValidSearch(payload: unknown): void {
  for (const { place, whole } of parseSearchPayload(payload).places) {
    expect(Place.parse(place)).toEqual(place)
    expect(Place.parse(whole().place)).toEqual(whole().place)
  }
}

function noEmptyMember(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined && value !== '' && value !== null
  const { answers: _, ...members } = Object.fromEntries(Object.entries(value)) // a question may have none
  return Object.keys(members).length > 0 && Object.values(members).every(noEmptyMember)
}

/** Checks the result for any changes of a payload. */
const forChanges = (payload: unknown, check: (changed: unknown) => void, numRuns: number) =>
  fc.assert(
    fc.property(changes, (list) => check(changed(payload, list))),
    { numRuns },
  )

describe('any change of a payload gives a valid place or none', () => {
  const search = searchPayload([node(), fullPayload()[6] ?? []], [node()])

  test('a place payload, and no empty member', () => forChanges(fullPayload(), expectValid, volume(40, 1_300)))

  test('a search payload', () => forChanges(search, expectValidSearch, volume(20, 500)))

  test('any JSON at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expectValid(value)
        expectValidSearch(value)
        expectValid([0, 1, 2, 3, 4, 5, value])
      }),
    )
  })

  test('a list nested 100,000 deep', () => {
    let deep: unknown[] = []
    for (let i = 0; i < 100_000; i += 1) deep = [deep]
    expectValid([0, 1, 2, 3, 4, 5, deep])
    expectValidSearch(deep)
  })
})

describe('no cut or changed text makes a parser throw', () => {
  const page = `<html><link rel="preload" as="fetch" href="/search?pb=x"><script>window.APP_INITIALIZATION_STATE=${JSON.stringify([0, 0, 0, [0, 0, 0, 0, 0, 0, JSON.stringify(fullPayload())]])};window.APP_FLAGS=[]</script><h1 class="DUwDvf">Kafe</h1><div role="feed"><div class="Nv2PK"><a href="/maps/place/x/data=!1s0x1:0x2"></a><span class="MW4etd">4.7</span></div></div>`
  const reviews = JSON.stringify([null, 'x', fullPayload().flatMap((member) => (Array.isArray(member) ? member : []))])
  const edit = fc.record({ from: fc.nat(4_000), to: fc.nat(4_000), put: anyText({ maxLength: 20 }) })
  const edited = (text: string) =>
    fc.oneof(
      anyText(),
      edit.map(({ from, to, put }) => text.slice(0, from) + put + text.slice(to)),
    )

  const AnyPart = Place.partial().optional()

  test('pages', () => {
    const property = fc.property(edited(page), fc.string(), (html, language) => {
      for (const card of parseFeed(html)?.cards ?? []) expect(() => PlaceReference.parse(card)).not.toThrow()
      const { payload } = parsePlacePage(html)
      expectValid(payload)
      expect(() => AnyPart.parse(placeOfState(pageState(html)))).not.toThrow()
      classifyAnswer({ url: language, status: 200, text: html })
      const drawn = parseDrawnPlace(html, { language, url: html })
      if (drawn.ok) expect(Place.parse(drawn.place)).toEqual(drawn.place)
    })
    fc.assert(property, { numRuns: volume(20, 300) })
  })

  // Reading all of such a page takes minutes: the parser's stack makes it quadratic.
  test('pages that nest 1,000,000 deep', () => {
    const html = page.replace('</a>', '<b>'.repeat(1_000_000))
    expect(parseFeed(html)).toBeUndefined()
    expect(parseDrawnPlace(html, { language: 'en' })).toEqual({ ok: false, reason: 'no_title' })
    expect(classifyAnswer({ url: '', status: 200, text: `<p>set_eom${'<b>'.repeat(1_000_000)}` })).toBe('unmarked')
  })

  test('pages that nest as deep as a browser allows are read, deeper ones are not', () => {
    const nested = (depth: number) =>
      `${'<b>'.repeat(depth - 1)}<h1 class="DUwDvf">Kafe</h1>${'</b>'.repeat(depth - 1)}`
    const titleAt = (depth: number) => loadPage(nested(depth))('h1').text()
    expect([titleAt(1), titleAt(512), titleAt(513)]).toEqual(['Kafe', 'Kafe', ''])
  })

  test('lists', () => {
    const property = fc.property(edited(reviews), (text) => {
      for (const review of parseReviewList(text).reviews) expect(Review.parse(review)).toEqual(review)
      for (const photo of parsePhotoList(text).photos) expect(() => Image.parse(photoImage(photo))).not.toThrow()
    })
    fc.assert(property, { numRuns: volume(20, 300) })
  })
})

describe('recorded answers, changed', () => {
  test.each(['place-a.json', 'place-2026.json', 'place-2026-full.txt'])('%s gives a valid place or none', (name) =>
    forChanges(parseBody(capture(name)), expectValid, volume(15, 100)),
  )

  test.each(['search-a.json', 'search-ads-a.json'])('%s gives valid places or none', (name) =>
    forChanges(parseBody(capture(name)), expectValidSearch, volume(10, 30)),
  )
})
