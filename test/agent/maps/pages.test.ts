import { pageState, placeOfState } from '@placefleet/agent/maps/answers/page-state'
import { parseDrawnPlace } from '@placefleet/agent/maps/place/drawn'
import { parsePlacePage } from '@placefleet/agent/maps/place/page'
import { type Card, isLimitedView, parseFeed } from '@placefleet/agent/maps/search/drawn'
import { Place } from '@placefleet/shared/place'
import { describe, expect, test } from 'vitest'
import { capture, comparable, expected, fields, list } from './captures.ts'

describe('recorded search pages', () => {
  test.each(['feed-first-page', 'feed-limited', 'feed-end'])('%s gives its cards and marks', (name) => {
    const wanted = expected(name)
    const feed = parseFeed(capture(`${name}.html`))
    expect({
      cards_count: feed?.cards.length,
      unique_data_ids: new Set(feed?.cards.map(({ place_key }) => place_key)).size,
      spinner: feed?.spinner,
      limited_view: isLimitedView(capture(`${name}.html`)),
    }).toEqual({
      cards_count: wanted.cards_count,
      unique_data_ids: wanted.unique_data_ids,
      spinner: wanted.spinner,
      limited_view: wanted.limited_view,
    })
    for (const [index, card] of (feed?.cards ?? []).entries()) expectCard(card, list(wanted, 'cards')[index] ?? {})
  })

  test('the website of a card is the same, whatever the language of its actions', () => {
    const english = capture('feed-first-page.html')
    const french = english.replaceAll('data-value="Website"', 'data-value="Site Web"')
    const websites = parseFeed(french)?.cards.map(({ website }) => website)
    expect(websites).toEqual(parseFeed(english)?.cards.map(({ website }) => website))
    expect(websites?.filter(Boolean)).toHaveLength(9)
  })
})

function expectCard(card: Card, wanted: Record<string, unknown>): void {
  const { data_id, href, title, place_id, latitude, longitude, website, sponsored } = wanted
  const { place_key, link, ...ours } = card
  const members = { title, place_id, latitude, longitude, website, sponsored }
  expect(comparable({ ...ours, data_id: place_key, href: link })).toEqual(comparable({ ...members, data_id, href }))
}

describe('recorded place pages', () => {
  test.each(['place-page-2026', 'place-page-embedded'])('%s gives what it shows', (name) => {
    const wanted = fields(expected(name).dom)
    const result = parseDrawnPlace(capture(`${name}.html`), { language: 'en' })
    if (!result.ok) throw new Error(result.reason)
    expect(Place.parse(result.place)).toEqual(result.place)
    const place = fields(result.place)
    // A drawn page names no country, so a number without a code has no international form.
    expect(place.phone_e164).toBe(String(wanted.phone_e164).startsWith('+') ? wanted.phone_e164 : undefined)
    for (const member of Object.keys(wanted).filter((key) => key in Place.shape && key !== 'phone_e164')) {
      expect([member, comparable(place[member])]).toEqual([member, comparable(wanted[member])])
    }
    expect(result.place.place_key).toBe(wanted.data_id)
    const reviews = list(place, 'user_reviews')
    expect(reviews).toHaveLength(list(wanted, 'user_reviews_shown').length)
    for (const [index, shown] of list(wanted, 'user_reviews_shown').entries()) {
      expect(comparable(reviews[index])).toMatchObject(fields(comparable(shown)))
    }
  })

  test('a page of 2026 has only a stub, and the request for the payload', () => {
    const page = parsePlacePage(capture('place-page-2026.html'))
    const wanted = fields(expected('place-page-2026').dom)
    expect(page.payload).toBeUndefined()
    expect(page.preload_url).toMatch(
      /^\/maps\/preview\/place\?authuser=0&hl=en&gl=us.*&pb=%211m22%211s0x80c2bf61e9d408cb/,
    )
    expect(placeOfState(pageState(capture('place-page-2026.html')))).toEqual({
      place_key: wanted.data_id,
      title: wanted.title,
      latitude: wanted.latitude,
      longitude: wanted.longitude,
      place_id: wanted.place_id,
    })
  })

  test('a page of 2023 has the payload, not the stub before it', () => {
    const page = parsePlacePage(capture('place-page-embedded.html'))
    expect(page.payload).toHaveLength(32)
    expect(page.preload_url).toBeUndefined()
    expect(placeOfState(pageState(capture('place-page-embedded.html')))?.place_key).toBe(
      '0x14de1786bd2659b9:0xb7f6e65826fa9ddb',
    )
  })
})
