import { readFileSync } from 'node:fs'
import { classifyAnswer } from '@placefleet/agent/maps/answers/classify'
import { pageState, placeOfState } from '@placefleet/agent/maps/answers/page-state'
import { parseDrawnPlace } from '@placefleet/agent/maps/place/drawn'
import { parsePlacePage, preloadUrl } from '@placefleet/agent/maps/place/page'
import { parsePlacePayload } from '@placefleet/agent/maps/place/payload/payload'
import { isLimitedView, parseFeed, saysNothingFound } from '@placefleet/agent/maps/search/drawn'
import { Place } from '@placefleet/shared/place'
import { describe, expect, test } from 'vitest'
import { fullPayload } from './sample.ts'

const KETTLE = '0x4887c7a1b2c3d4e5:0x1a2b3c4d5e6f7081'
const url = 'https://www.google.com/maps'

/** Returns a page written by hand, see reductions/README.md. */
const reduction = (name: string): string =>
  readFileSync(new URL(`reductions/${name}.html`, import.meta.url), 'utf8').replaceAll('\r\n', '\n')

describe('a search page', () => {
  const page = reduction('feed')
  const withoutBanner = page.replace(/<div class="S3H0Nb[\s\S]*?<\/div>/, '')

  test('gives every card with all shown fields', () => {
    const link = (name: string) => expect.stringMatching(new RegExp(`^https://www.google.com/maps/place/${name}`))
    expect(parseFeed(page)?.cards).toEqual([
      {
        title: 'The Copper Kettle',
        place_key: KETTLE,
        place_id: 'ChIJ5dTDsqHHh0gRgXBvXk08Kxo',
        link: link('The'),
        latitude: 55.9501,
        longitude: -3.1902,
        website: 'https://copperkettle.example/',
        sponsored: false,
      },
      expect.objectContaining({
        title: 'Quay Tea Rooms',
        website: '/aclk?sa=l&adurl=x',
        sponsored: true,
      }),
      expect.objectContaining({ title: 'Unrated Tea', sponsored: false }),
    ])
  })

  test.each([
    ['while more results follow', page, { spinner: true }, true],
    ['without the banner', withoutBanner, { spinner: true }, false],
    ['at its end', withoutBanner.replace('<div class="lXJj5c"></div>', ''), { spinner: false }, false],
  ])('tells its state %s', (_, html, state, isLimited) => {
    expect(parseFeed(html)).toMatchObject(state)
    expect(isLimitedView(html)).toBe(isLimited)
    expect(saysNothingFound(html)).toBe(false)
  })

  test('announces the request for its payload', () => {
    expect(preloadUrl(page, '/search')).toBe('/search?tbm=map&hl=en&gl=us&q=tea+house&pb=%211stea+house%217i20')
  })
})

describe('a place page', () => {
  const page = reduction('place-page')

  test('of 2026 has a stub and the request for the payload', () => {
    expect(parsePlacePage(page)).toEqual({
      preload_url: `/maps/preview/place?authuser=0&hl=en&gl=gb&q=The+Copper+Kettle&pb=%211m22%211s${KETTLE.replace(':', '%3A')}`,
    })
    expect(placeOfState(pageState(page))).toEqual({
      place_key: KETTLE,
      title: 'The Copper Kettle',
      latitude: 55.9501,
      longitude: -3.1902,
      place_id: 'ChIJ5dTDsqHHh0gRgXBvXk08Kxo',
    })
  })

  test.each([
    ['Permanently closed', 'permanently'],
    ['Vorübergehend geschlossen', 'temporarily'],
    ['閉業', 'permanently'],
    ['Closed ⋅ Opens 10 AM', undefined],
  ])('drawn with the status "%s" is closed: %s', (status, closed) => {
    const drawn = page.replace('Open ⋅ Closes 6 PM', `<span>${status}</span>`)
    const result = parseDrawnPlace(drawn, { language: 'en' })
    expect(result.ok && [result.place.closed, result.place.status]).toEqual([closed, status])
  })

  test('gives every drawn field', () => {
    const result = parseDrawnPlace(page, { language: 'en' })
    if (!result.ok) throw new Error(result.reason)
    expect(Place.parse(result.place)).toEqual(result.place)
    expect(result.place).toEqual({
      place_key: KETTLE,
      data_id: KETTLE,
      cid: String(0x1a2b3c4d5e6f7081n),
      link: `https://www.google.com/maps/place/data=!4m2!3m1!1s${KETTLE}!10m1!1e1`,
      place_id: 'ChIJ5dTDsqHHh0gRgXBvXk08Kxo',
      latitude: 55.9501,
      longitude: -3.1902,
      title: 'The Copper Kettle',
      category: 'Tea house',
      categories: ['Tea house'],
      address: '12 Orchard Lane, Edinburgh',
      plus_code: 'XRX5+2W Edinburgh',
      phone: '0131 496 0101',
      website: 'https://copperkettle.example/',
      menu: { link: 'https://copperkettle.example/menu', source: 'copperkettle.example' },
      reservations: [{ link: 'https://tables.example/kettle', source: 'tables.example' }],
      rating: 4.6,
      review_count: 1_208,
      reviews_per_rating: { 1: 18, 2: 30, 3: 60, 4: 200, 5: 900 },
      open_hours: { Monday: ['9 AM–6 PM'], Tuesday: ['9 AM–12 PM', '1–6 PM'], Sunday: ['Closed'] },
      status: 'Open ⋅ Closes 6 PM',
      user_reviews: [
        {
          id: 'review-1',
          author: 'Ida Marsh',
          rating: 5,
          text: 'Warm scones. Kind people.',
          relative_time: '2 weeks ago',
        },
        { id: 'review-2', author: 'Tom Reed', rating: 3 },
      ],
    })
  })
})

describe('walls', () => {
  test.each([
    ['consent', 'consent'],
    ['sorry', 'blocked'],
    ['feed', 'feed'],
    ['place-page', 'place'],
  ])('the page %s is classified as %s', (name, kind) => {
    expect(classifyAnswer({ url, status: 200, text: reduction(name) })).toBe(kind)
  })

  test.each([403, 503])('the captcha page is a block, and the consent page a wall, also with status %d', (status) => {
    expect(classifyAnswer({ url, status, text: reduction('sorry') })).toBe('blocked')
    expect(classifyAnswer({ url, status, text: reduction('consent') })).toBe('consent')
  })
})

/** The paths of a full payload that an answer of this kind lacks, and the fields that replace them. */
const VINTAGES: [name: string, absent: number[], has: Partial<Place>, lacks: (keyof Place)[]][] = [
  [
    '2021, with flat reviews and older hours',
    [175, 203, 84, 100],
    { reviews_per_rating: { 1: 1, 2: 0, 3: 0, 4: 1, 5: 4 } },
    ['popular_times', 'about'],
  ],
  ['2023-04, without price and popular times', [84, 243], { price_range: '€€' }, ['popular_times']],
  ['2024, without link and flat reviews', [27, 52], { link: expect.stringContaining('!1s0x') }, []],
  ['2024, without the list of address parts', [39, 183], { address: 'Old port, Limassol 3042' }, ['plus_code']],
  ['2024, with the address as parts only', [18, 39], { address: 'Old port, Limassol 3042' }, []],
  [
    '2026, trimmed: no phone, photos, links and popular times',
    [37, 38, 46, 57, 72, 75, 84, 171, 175, 52, 178],
    { rating: 4.2, review_count: 6 },
    ['phone', 'menu', 'reservations', 'order_online', 'thumbnail', 'images', 'owner', 'user_reviews', 'popular_times'],
  ],
]

describe('a place payload', () => {
  const without = (absent: number[]): unknown[] => {
    const payload = fullPayload()
    const node = payload[6] as unknown[]
    return payload.with(
      6,
      node.map((member, index) => (absent.includes(index) ? null : member)),
    )
  }

  test.each(VINTAGES)('of %s gives its fields', (_, absent, has, lacks) => {
    const result = parsePlacePayload(without(absent))
    if (!result.ok) throw new Error(result.reason)
    expect(Place.parse(result.place)).toEqual(result.place)
    expect(result.place).toMatchObject(has)
    for (const name of lacks) expect(result.place).not.toHaveProperty(name)
  })
})
