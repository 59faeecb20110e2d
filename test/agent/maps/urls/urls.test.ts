import { preloadUrl } from '@placefleet/agent/maps/place/page'
import { localBoqUrl } from '@placefleet/agent/maps/reviews/local-boq'
import { searchPageUrl, searchPayloadUrl } from '@placefleet/agent/maps/search/url'
import { doorOf } from '@placefleet/agent/maps/urls/door'
import { altitude } from '@placefleet/agent/maps/urls/parameters'
import { cidFromKey, keyFromPlaceId, placeKey } from '@placefleet/shared/place-key'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PLACE_OPTIONS, SEARCH_OPTIONS } from '../../../../agent/maps/urls/pb-options.ts'
import { parsePlaceUrl, placePageUrl, placePayloadUrl } from '../../../../agent/maps/urls/place-url.ts'
import { capture, expected, list } from '../captures.ts'

const base = new URL('http://127.0.0.1:8080')
const locale = { language: 'en', country: 'cy' }
const site = { base, locale }
const key = '0x14e732fd76f0d90d:0xe5415928d6702b47'
const kafe = {
  place_key: key,
  title: 'Kafe & Bar',
  latitude: 34.67,
  longitude: 33.04,
  place_id: 'ChIJDdnwdv0y5xQRRytw1ihZQeU',
}
const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true })
const text = fc.string({ unit: 'grapheme', minLength: 1 })

/** Returns the `pb` of a request, decoded. */
const pbOf = (url: string) => URL.parse(url, base.href)?.searchParams.get('pb') ?? ''

/** Returns the place id of a key, by the recorded framing: field 1, and in it both halves as fixed 64-bit numbers. */
function placeIdOf(data: string): string {
  const [high = 0n, low = 0n] = data.split(':').map(BigInt)
  const bytes = Buffer.from('0a1209'.padEnd(22, '0') + '11'.padEnd(18, '0'), 'hex')
  bytes.writeBigUInt64LE(high, 3)
  bytes.writeBigUInt64LE(low, 12)
  return bytes.toString('base64url')
}

/** Fails unless every message of a `pb` holds as many tokens as it says. */
function expectCounts(pb: string): void {
  const tokens = pb.split('!').slice(1)
  expect(pb.startsWith('!')).toBe(true)
  const read = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      expect(tokens[at]).toMatch(/^\d+[msdfiebz]/)
      const inside = Number(/^\d+m(\d+)$/.exec(tokens[at] ?? '')?.[1] ?? 0)
      expect(at + inside).toBeLessThan(to)
      read(at + 1, at + 1 + inside)
      at += inside
    }
  }
  read(0, tokens.length)
}

describe('ids of a place', () => {
  test.each([
    [key, 'ChIJDdnwdv0y5xQRRytw1ihZQeU', '16519582940102929223'],
    ['0x89c259ab2216e2e9:0x317f07e09aefcac', 'ChIJ6eIWIqtZwokRrPyuCX7wFwM', '222911130697137324'],
  ])('%s is the place id %s and the cid %s', (data, id, cid) => {
    expect(placeIdOf(data)).toBe(id)
    expect(keyFromPlaceId(id)).toBe(data)
    expect(cidFromKey(data)).toBe(cid)
  })

  test('a key turned into a place id is the same key again', () => {
    const half = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    const property = fc.property(half, half, (high, low) => {
      const made = `0x${high.toString(16)}:0x${low.toString(16)}`
      expect(placeKey(made)).toBe(made)
      expect(keyFromPlaceId(placeIdOf(made))).toBe(made)
      expect(cidFromKey(made)).toBe(low.toString())
    })
    fc.assert(property)
  })

  const NO_PLACE_IDS = ['', 'ChIJ', 'EicxMyBNYXJrZXQgU3QsIFdpbG1pbmd0b24sIE5D', 'ChIJDdnwdv0y5xQRRytw1ihZQe!', '%%%']

  test.each(NO_PLACE_IDS)('%j is no place id', (id) => {
    expect(keyFromPlaceId(id)).toBeUndefined()
  })

  const NO_KEYS = ['', '0x1', '0x1:', '1:2', '0xg:0x1', `0x1:0x${'f'.repeat(17)}`, undefined, null, 7]

  test.each(NO_KEYS)('%j is no key', (value) => {
    expect(placeKey(value)).toBeUndefined()
  })
})

describe('the altitude of a zoom', () => {
  test.each([
    [34.1176, 13_212.492109076788],
    [47.6138171, 10_758.53371548834],
  ])('at latitude %d equals that of recorded pages', (latitude, recorded) => {
    expect(altitude(latitude, 15)).toBeCloseTo(recorded, 4)
  })

  test('halves with each level', () => {
    expect(altitude(34, 16)).toBeCloseTo(altitude(34, 15) / 2, 9)
  })
})

describe('search', () => {
  test('the page', () => {
    const search = { query: 'kafe & bar/pub', viewport: { latitude: 34.67, longitude: -33.04, zoom: 15 } }
    expect(searchPageUrl(site, search).href).toBe(
      'http://127.0.0.1:8080/maps/search/kafe+%26+bar%2Fpub/@34.67,-33.04,15z?hl=en&gl=cy',
    )
    expect(searchPageUrl({ base, locale: { language: 'en' } }, { query: 'kafe' }).href).toBe(
      'http://127.0.0.1:8080/maps/search/kafe/?hl=en',
    )
  })

  test('the request behind it, with the number of its first result', () => {
    const search = { query: 'kafe bar', viewport: { latitude: 34.67, longitude: 33.04, zoom: 15 } }
    const { href, searchParams } = searchPayloadUrl(site, search, 40)
    expect(href).toMatch(
      /^http:\/\/127\.0\.0\.1:8080\/search\?tbm=map&authuser=0&hl=en&gl=cy&q=kafe\+bar&pb=!1skafe\+bar!4m8!1m3!1d13/,
    )
    expect(searchParams.get('pb')).toMatch(/!2d33\.04!3d34\.67!3m2!1i1024!2i768!4f13\.1!7i20!8i40!10b1/)
  })

  test('without a viewport and on the first page these parts are omitted', () => {
    const pb = pbOf(searchPayloadUrl(site, { query: 'kafe' }).href)
    expect(pb).toMatch(/^!1skafe!7i20!10b1/)
  })

  test.each(['.', '..'])('a query of dots alone (%s) stays one', (query) => {
    expect(searchPageUrl(site, { query }).pathname).toBe(`/maps/search/${query}+/`)
  })

  test('for any search every count is right and `!` is never encoded', () => {
    const viewport = fc.option(
      fc.record({ latitude: degrees(85), longitude: degrees(180), zoom: fc.integer({ min: 1, max: 21 }) }),
      { nil: undefined },
    )
    const property = fc.property(text, viewport, fc.nat(200), (query, where, offset) => {
      const url = searchPayloadUrl(site, { query, viewport: where }, offset)
      expect(url.search).not.toContain('%21')
      expect(url.searchParams.get('q')).toBe(query)
      expectCounts(url.searchParams.get('pb') ?? '')
      expect(searchPageUrl(site, { query, viewport: where }).pathname).toMatch(
        /^\/maps\/search\/[^/]+\/(@[-\d.]+,[-\d.]+,\d+z)?$/,
      )
    })
    fc.assert(property)
  })
})

describe('place', () => {
  test('the page, in the form of the cards', () => {
    expect(placePageUrl(site, kafe).href).toBe(
      `http://127.0.0.1:8080/maps/place/Kafe+%26+Bar/data=!4m6!3m5!1s${key}!8m2!3d34.67!4d33.04!19sChIJDdnwdv0y5xQRRytw1ihZQeU?authuser=0&hl=en&gl=cy&rclk=1`,
    )
    expect(placePageUrl({ base, locale: { language: 'en' } }, { place_key: key }).href).toBe(
      `http://127.0.0.1:8080/maps/place/data=!4m2!3m1!1s${key}?authuser=0&hl=en&rclk=1`,
    )
  })

  test('the request for its payload, in full and in its shortest form', () => {
    expect(pbOf(placePayloadUrl(site, kafe).href)).toMatch(
      /^!1m21!1s0x14e732fd76f0d90d:0xe5415928d6702b47!2sKafe & Bar!3m12!1m3!1d[\d.]+!2d33\.04!3d34\.67!2m3!1f0!2f0!3f0!3m2!1i1024!2i768!4f13\.1!4m2!3d34\.67!4d33\.04!15m2!1m1!5sChIJDdnwdv0y5xQRRytw1ihZQeU!12m4/,
    )
    const short = placePayloadUrl(site, { place_key: key })
    expect(short.href).toContain(`/maps/preview/place?authuser=0&hl=en&gl=cy&pb=!1m1!1s${key.replace(':', '%3A')}!12m4`)
  })

  test('a page made of a place is read as that place, and every count is right', () => {
    const made = fc.record({
      place_key: fc.constant(key),
      title: text
        .map((title) => title.trim())
        .filter((title) => title !== '' && title.isWellFormed() && !/^\.{1,2}$/.test(title)),
      latitude: degrees(90).map((value) => Math.round(value * 1e7) / 1e7 + 0),
      longitude: degrees(180).map((value) => Math.round(value * 1e7) / 1e7 + 0),
      place_id: fc.constantFrom('ChIJDdnwdv0y5xQRRytw1ihZQeU', undefined),
    })
    const property = fc.property(made, (place) => {
      expect(parsePlaceUrl(placePageUrl(site, place).href)).toEqual(place)
      expectCounts(placePayloadUrl(site, place).searchParams.get('pb') ?? '')
    })
    fc.assert(property)
  })

  const KAFE = '/maps/place/Kafe/@34.1,33.1,17z/data=!4m6!3m5'
  const PLACE_ID = 'ChIJ55fLWVtBkFQR0v31eadEoLM'

  test.each([
    [
      'of the address bar',
      `https://www.google.com${KAFE}!1s${key}!8m2!3d34.67!4d33.04!16s%2Fg%2F11x?entry=ttu`,
      { title: 'Kafe', latitude: 34.67, longitude: 33.04 },
    ],
    [
      'with other ids',
      `/maps/place/A/data=!4m7!3m6!1s${key}!8m2!3d1!4d-2!16zL20vMDMweHI4!19s${PLACE_ID}`,
      { title: 'A', latitude: 1, longitude: -2, place_id: PLACE_ID },
    ],
    ['encoded as a whole', encodeURI(`/maps/place/A/data=!1s${key}`).replaceAll('!', '%21'), { title: 'A' }],
    ['by place id', `/maps/place/?q=place_id:${kafe.place_id}`, { place_id: kafe.place_id }],
    [
      'with a stray percent sign',
      `/maps/place/100%/data=!1s${key}!3d1!4d2`,
      { title: '100%', latitude: 1, longitude: 2 },
    ],
    ['off the globe', `/maps/place/A/data=!1s${key}!3d91!4d181`, { title: 'A' }],
  ])('a URL %s is read', (_, href, place) => {
    expect(parsePlaceUrl(href)).toEqual({ place_key: key, ...place })
  })

  test.each(['', '/maps/search/kafe', '/maps/place/Kafe/@34,33,17z', '/maps?cid=123'])('%j names no place', (href) => {
    expect(parsePlaceUrl(href)).toBeUndefined()
  })
})

describe('a page of reviews', () => {
  const place = { place_key: key }

  test('from the review window of the web search', () => {
    const first = localBoqUrl(site, { place, order: 'newest' })
    expect(first.pathname).toBe('/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy')
    expect(Object.fromEntries(first.searchParams)).toMatchObject({ hl: 'en', gl: 'cy', msc: 'gwsrpc' })
    const [, request] = JSON.parse(first.searchParams.get('reqpld') ?? '')
    expect(request).toHaveLength(10)
    expect(request[9]).toHaveLength(24)
    expect(request[9]).toMatchObject({ 1: 2, 9: 60, 11: [key], 19: '', 23: 0 })
    const next = localBoqUrl(site, { place, order: 'lowest' }, 'CAE=:10')
    expect(JSON.parse(next.searchParams.get('reqpld') ?? '')[1][9]).toMatchObject({ 1: 4, 19: 'CAE=:10' })
  })
})

describe('recorded requests', () => {
  // The browser's session, and its window, are not ours.
  const withoutSession = (pb: string) => pb.replace(/!22m5!1s.*!15i9937/, '').replace(/!14m3!1s[^!]*!7e81!15i10112/, '')

  test('a search requests the fields that the page requests', () => {
    const recorded = pbOf(preloadUrl(capture('feed-first-page.html'), '/search') ?? '')
    const viewport = { latitude: 47.6138171, longitude: -122.3665457, zoom: 15 }
    const ours = searchPayloadUrl(site, { query: 'central library', viewport })
    const exact = /!1d[\d.]+/
    expect(ours.searchParams.get('pb')?.replace(exact, '')).toBe(withoutSession(recorded).replace(exact, ''))
    expect(recorded).toContain(SEARCH_OPTIONS.slice(0, 300))
  })

  test('a place requests the fields that the page requests', () => {
    const recorded = pbOf(preloadUrl(capture('place-page-2026.html'), '/maps/preview/place') ?? '')
    expect(withoutSession(recorded).endsWith(PLACE_OPTIONS)).toBe(true)
    expectCounts(recorded)
  })

  test.each(['feed-first-page', 'feed-limited', 'feed-end'])('all cards of %s have the ids their keys tell', (name) => {
    for (const { data_id, place_id, href } of list(expected(name), 'cards')) {
      expect(placeIdOf(String(data_id))).toBe(place_id)
      expect(parsePlaceUrl(String(href))).toMatchObject({ place_key: data_id, place_id })
    }
  })
})

test.each([
  ['https://www.google.com/maps?hl=en', 'front'],
  ['https://www.google.com/search?tbm=map&q=cafe', 'search'],
  ['https://www.google.com/maps/search/cafe/@34.6,33.0,14z', 'search'],
  ['https://www.google.com/maps/preview/place?q=a', 'place'],
  ['https://www.google.com/maps/place/A/data=!4m2', 'place'],
  ['https://www.google.com/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy?x', 'reviews'],
  ['https://www.google.com/maps/_/LocalMapsUi/data/batchexecute', 'data'],
  ['https://www.google.com/sorry/index', 'other'],
  ['about:blank', 'other'],
])('the door of $0 is $1', (url, door) => expect(doorOf(url)).toBe(door))
