import { isComplete, missingParts, parsePlacePayload } from '@placefleet/agent/maps/place/payload/payload'
import { Place } from '@placefleet/shared/place'
import { describe, expect, test } from 'vitest'
import { fullPayload, KEY, node, payload, sparse } from '../sample.ts'

function read(members: Readonly<Record<number, unknown>>) {
  const result = parsePlacePayload(payload(members))
  if (!result.ok) throw new Error(result.reason)
  expect(Place.parse(result.place)).toEqual(result.place)
  return result
}
const place = (members: Readonly<Record<number, unknown>>): Place => read(members).place

test('a place with only name and key has just those, and the fields that follow from the key', () => {
  expect(read({})).toEqual({
    ok: true,
    place: {
      place_key: KEY,
      title: 'Kafe',
      review_count: 0,
      data_id: KEY,
      cid: '16519582940102929223',
      link: `https://www.google.com/maps/place/data=!4m2!3m1!1s${KEY}!10m1!1e1`,
    },
    extra: { photos: [] },
  })
})

test('a full payload gives every field', () => {
  const result = parsePlacePayload(fullPayload())
  if (!result.ok) throw new Error(result.reason)
  const later = ['limited', 'user_reviews_extended', 'emails', 'email_details', 'social_links', 'phones', 'closed'] // or of closed places only
  expect(Object.keys(result.place).sort()).toEqual(
    Object.keys(Place.shape)
      .filter((key) => !later.includes(key))
      .sort(),
  )
  const published_at = '2025-11-23T09:05:16.000Z'
  const link = 'https://posts.example/1'
  const post = { text: 'New cakes #cakes', published_at, link, image: 'https://lh3.example/post' }
  const apple = { name: 'Apple', price: 'From €4.00', description: 'With cream' }
  expect(result.place).toMatchObject({
    website: 'https://kafe.example/',
    description: 'Long words on the place',
    open_hours: { Monday: ['9–12', '13–17'], Tuesday: ['Geschlossen'] },
    popular_times: { Sunday: { 10: 20, 11: 100 } },
    thumbnail: 'https://lh5.example/t=w408',
    street_view_url: 'https://www.google.com/maps/@?api=1&map_action=pano&pano=T76',
    credit_cards_accepted: ['Visa'],
    about: [{ id: 'payments', name: 'Payments', options: [{ name: 'Credit cards', enabled: true, values: ['Visa'] }] }],
    claimed: true,
    local_title: 'Καφέ',
    local_address: 'Old port, Λεμεσός',
    phone_e164: '+35725101555',
    time_spent: 'People typically spend 30 min here',
    booking_links: [{ link: 'https://visits.example/kafe', source: 'visits.example' }],
    posts: [post],
    services: [{ name: 'Cakes', items: [apple, { name: 'Plum' }] }],
    questions: [
      { question: 'Parking?', answers: ['Yes.'] },
      { question: 'Dogs?', answers: [] },
    ],
    popular_dishes: [{ name: 'Meze', image: 'https://lh5.example/m=w400' }],
    also_searched: [{ title: 'Bar Nord', place_id: 'ChIJx', rating: 3.9 }, { title: 'Bar Süd' }],
    review_topics: [{ topic: 'cake', count: 21 }],
    user_reviews: [{ id: 'r1', text: 'Good', text_original: 'Gut', reply: { text: 'Thanks' } }, { id: 'r2' }],
  })
  expect(result.extra).toMatchObject({ photo_count: 12, photos: [{ id: 'a' }, { id: 'c' }] })
})

describe('no place', () => {
  test.each([
    ['the stub of a page', [[KEY, 'Kafe'], ['x']], 'malformed'],
    ['a list that is too short', [0, 1, 2, 3, 4, 5], 'malformed'],
    ['another value at the node', [0, 1, 2, 3, 4, 5, 'x'], 'malformed'],
    ['text', 'x', 'malformed'],
    ['nothing', undefined, 'malformed'],
    ['a node without name', payload({ 11: null }), 'no_title'],
    ['a node with an empty name', payload({ 11: ' ' }), 'no_title'],
    ['a node without key', payload({ 10: 'x' }), 'no_key'],
  ])('is read from %s: $2', (_, value, reason) => {
    expect(parsePlacePayload(value)).toEqual({ ok: false, reason })
  })
})

describe('identity', () => {
  test.each([
    ['in upper case', { 10: KEY.toUpperCase().replaceAll('X', 'x') }],
    ['with leading zeros', { 10: '0x014e732fd76f0d90d:0x00e5415928d6702b47' }],
    ['among the ids', { 10: null, 227: [[KEY]] }],
    ['only in the place id', { 10: null, 78: 'ChIJDdnwdv0y5xQRRytw1ihZQeU' }],
    ['only in the place id among the ids', { 10: null, 227: [sparse({ 4: 'ChIJDdnwdv0y5xQRRytw1ihZQeU' })] }],
  ])('a key %s is the same key', (_, members) => {
    expect(place(members)).toMatchObject({ place_key: KEY, data_id: KEY })
  })

  test('the name in the local language stands in for a missing one', () => {
    expect(place({ 11: null, 101: 'Κυπριακόν' }).title).toBe('Κυπριακόν')
  })

  test.each([
    ['beyond the poles', [null, null, 91, 0], {}],
    ['as text', [null, null, '34', '33'], {}],
    ['with one half', [null, null, 34, null], {}],
    ['on the equator', [null, null, 0, 0], { latitude: 0, longitude: 0 }],
  ])('a position %s', (_, position, found) => {
    const { latitude, longitude } = place({ 9: position })
    expect({ latitude, longitude }).toEqual({ latitude: undefined, longitude: undefined, ...found })
  })

  test('the pin gives the position when the node does not', () => {
    expect(place({ 208: [[null, null, 34, 33]] })).toMatchObject({ latitude: 34, longitude: 33 })
  })

  test.each([
    ['CLOSED', 'permanently'],
    ['CLOSED_PERMANENTLY', 'permanently'],
    ['CLOSED_TEMPORARILY', 'temporarily'],
    ['Dogs allowed', undefined],
    ['constructor', undefined],
  ])('the code %s means closed: %s', (code, closed) => {
    const found = read({ 88: [code] })
    const inWords = closed && `${closed === 'permanently' ? 'Permanently' : 'Temporarily'} closed`
    expect(found.place).toMatchObject({ ...(closed && { closed, status: inWords }) })
    expect('closed' in found.place).toBe(closed !== undefined)
  })

  const edits = (...codes: unknown[]) => ({ 96: sparse({ 5: codes.map((code) => sparse({ 6: code })) }) })

  test.each([
    ['3, 1, 2', edits(3, 1, 2), 'temporarily'],
    ['3, 2', edits(3, 2), 'permanently'],
    ['1, 2', edits(1, 2), undefined],
    ['2, 1, 3 and a new code', edits(2, 1, 9, 3), 'temporarily'],
    ['another type', edits('3', null, [3]), undefined],
    ['none', { 96: sparse({ 5: 'x' }) }, undefined],
    ['3, 1, 2 beside a code that says more', { ...edits(3, 1, 2), 88: ['CLOSED_PERMANENTLY'] }, 'permanently'],
    ['3, 1, 2 beside a code that says less', { ...edits(3, 1, 2), 88: ['CLOSED'] }, 'temporarily'],
    ['1, 2 beside the number of a closed place', { ...edits(1, 2), 23: 1 }, 'permanently'],
  ])('the codes of the suggested edits are %s', (_, members, closed) => {
    expect(place(members).closed).toBe(closed)
  })

  test.each([
    ['Closed ⋅ Opens 8 am Mon', 'CLOSED', 'permanently', 'Permanently closed'],
    ['Geschlossen ⋅ Öffnet Mo um 08:00', 'CLOSED_TEMPORARILY', 'temporarily', 'Temporarily closed'],
    ['Dauerhaft geschlossen', 'CLOSED', 'permanently', 'Dauerhaft geschlossen'],
    ['Dauerhaft geschlossen', 'CLOSED_TEMPORARILY', 'temporarily', 'Temporarily closed'],
    ['Fermé temporairement', null, 'temporarily', 'Fermé temporairement'],
    ['Cerrado permanentemente', null, 'permanently', 'Cerrado permanentemente'],
    ['Closed ⋅ Opens 8 am Mon', null, undefined, 'Closed ⋅ Opens 8 am Mon'],
    ['臨時営業', null, undefined, '臨時営業'],
  ])('the status "%s" beside the code %s: closed %s, status "%s"', (words, code, closed, status) => {
    for (const members of [{ 34: sparse({ 4: sparse({ 4: words }) }) }, { 203: [null, sparse({ 4: [words] })] }]) {
      const read = place({ ...members, 88: [code] })
      expect([read.closed, read.status]).toEqual([closed, status])
    }
  })
})

describe('address', () => {
  test.each([
    ['as a whole', { 39: 'Old port', 18: 'Kafe, x', 2: ['y'] }, 'Old port'],
    ['behind the name', { 18: 'Kafe, Old port, Limassol', 2: ['y'] }, 'Old port, Limassol'],
    ['not behind the name', { 18: 'M2CR+6X, Limassol' }, 'M2CR+6X, Limassol'],
    ['in lines', { 2: ['Old port', null, 'Limassol'] }, 'Old port, Limassol'],
    ['that is only the name', { 18: 'Kafe' }, undefined],
    ['of a business without one', { 39: null, 18: null, 2: null }, undefined],
  ])('%s is read as $2', (_, members, address) => {
    expect(place(members).address).toBe(address)
  })

  test('the older copy of its parts is used with the country beside it', () => {
    const { complete_address } = place({ 82: ['Centre', 'Old port', 'Old port', 'Limassol'], 243: 'CY' })
    expect(complete_address).toEqual({ borough: 'Centre', street: 'Old port', city: 'Limassol', country: 'CY' })
  })

  test('a business without address has no address parts in any country', () => {
    expect(place({ 243: 'CY', 14: 'Centre' }).complete_address).toBeUndefined()
  })

  test('the global plus code stands in for the local one', () => {
    expect(place({ 183: [null, null, [null, ['8G6MM2CR+6X']]] }).plus_code).toBe('8G6MM2CR+6X')
  })
})

describe('phone', () => {
  const phone = (national: string, international?: string) => ({
    178: [[national, [[national, 1], ...(international ? [[international, 2]] : [])]]],
    243: 'CY',
  })

  test.each([
    ['as the site writes it', phone('(212) 580-6900', '+1 212-580-6900'), '+12125806900'],
    ['with an extension', phone('25 101555', '+357 25 101555 ext. 7'), '+35725101555'],
    ['only within its country', phone('25 101555'), '+35725101555'],
    ['too short for its country', phone('112'), undefined],
    ['too short although its country code is there', phone('112', '+357 112'), undefined],
  ])('a number %s has the form E.164 if it can', (_, members, expected) => {
    expect(place(members).phone_e164).toBe(expected)
  })
})

describe('rating', () => {
  const link = (words: string) => ({ 3: ['https://search.google.com/local/reviews?placeid=x', words] })

  test.each([
    ['unrated: nobody has, which is known', null, { review_count: 0 }],
    ['without rating or count', [], {}],
    ['rated 5', sparse({ 7: 5, 8: 1 }), { rating: 5, review_count: 1 }],
    ['rated, count hidden', sparse({ 7: 4.5 }), { rating: 4.5 }],
    ['rated out of scale', sparse({ 7: 45 }), {}],
    ['a count in words', sparse({ 7: 4.5, 8: '12' }), { rating: 4.5 }],
    ['a negative count', sparse({ 7: 4.5, 8: -1 }), { rating: 4.5 }],
    ['a count in the words of the link', link('27 reviews'), { rating: 3.7, review_count: 27 }],
    ['a count in German', link('1.234 Rezensionen'), { rating: 3.7, review_count: 1_234 }],
    ['a count in French', link('1\u202f234 avis'), { rating: 3.7, review_count: 1_234 }],
    ['a count in Hindi', link('१,२३,४५६ समीक्षाएं'), { rating: 3.7, review_count: 123_456 }],
    ['a count in Japanese', link('クチコミ 27 件'), { rating: 3.7, review_count: 27 }],
    ['a count in Arabic', link('٢٧ مراجعة'), { rating: 3.7, review_count: 27 }],
    ['a count beside words with another', { ...link('28 reviews'), 8: 27 }, { rating: 3.7, review_count: 27 }],
    ['words with two numbers', link('3.7 stars, 27 reviews'), { rating: 3.7 }],
    ['words with a rounded number', link('1.2K reviews'), { rating: 3.7 }],
    ['words with a round number of thousands', link('2K reviews'), { rating: 3.7 }],
    ['words with a German abbreviation', link('2 Tsd. Rezensionen'), { rating: 3.7 }],
    ['words with a Spanish thousand', link('2 mil opiniones'), { rating: 3.7 }],
    ['words with a Chinese ten thousand', link('2万条评价'), { rating: 3.7 }],
    ['words with a plus sign', link('100+ reviews'), { rating: 3.7 }],
    ['words without a number', link('Reviews'), { rating: 3.7 }],
  ])('%s is read as $2', (_, given, found) => {
    const members = given === null || Array.isArray(given) ? given : sparse({ 7: 3.7, ...given })
    const { rating, review_count } = place({ 4: members })
    expect({ rating, review_count }).toEqual({ rating: undefined, review_count: undefined, ...found })
  })

  test.each([
    ['newer', { 175: sparse({ 3: [1, 2, 3, 4, 5] }), 52: sparse({ 3: [9, 9, 9, 9, 9] }) }],
    ['older', { 52: sparse({ 3: [1, 2, 3, 4, 5] }) }],
  ])('counts per star from the %s place, which also give the number of reviews', (_, members) => {
    expect(place(members)).toMatchObject({ reviews_per_rating: { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 }, review_count: 15 })
  })

  test('four counts per star are ignored', () => {
    expect(place({ 175: sparse({ 3: [1, 2, 3, 4] }) }).reviews_per_rating).toBeUndefined()
  })
})

describe('hours', () => {
  test('the older copy takes the weekday from the date, not from its name', () => {
    const rows = [
      ['lundi', ['9–12', '14–18'], null, null, '2021-03-15'],
      ['dimanche', ['Fermé'], null, null, '2021-03-21'],
      ['x', ['y'], null, null, '2021-13-99'],
    ]
    expect(place({ 34: [null, rows] }).open_hours).toEqual({ Monday: ['9–12', '14–18'], Sunday: ['Fermé'] })
  })

  test('of two rows of a weekday the first counts, which is the next day; a day has at most 20 slots', () => {
    const day = (number: number, slots: string[]) => ['x', number, null, slots.map((slot) => [slot])]
    const week = Array.from({ length: 7 }, (_, n) => day(n + 1, [`${n + 1}–12`]))
    const { open_hours } = place({ 203: [[...week, day(1, ['in a week'])]] })
    expect(open_hours).toMatchObject({ Monday: ['1–12'], Sunday: ['7–12'] })
    const slots = Array.from({ length: 21 }, (_, n) => `${n}–${n + 1}`)
    expect(place({ 203: [[day(2, slots.slice(0, 20)), day(3, slots)]] }).open_hours).toEqual({
      Tuesday: slots.slice(0, 20),
      Wednesday: slots.slice(0, 20),
    })
  })

  test('rows without weekday or words are omitted', () => {
    const row = (day: unknown, ...slots: string[]) => ['x', day, null, slots.map((slot) => [slot])]
    const rows = [row(0, '1'), row(8, '1'), row(1), row('2', '1'), row(3, '9–5')]
    expect(place({ 203: [rows] }).open_hours).toEqual({ Wednesday: ['9–5'] })
  })

  describe('as numbers', () => {
    type Slot = [words: string, times?: unknown]
    const row = (day: unknown, slots: Slot[], state = 1) => ['x', day, null, slots, 0, state]
    const open = (from: unknown, to?: unknown): Slot => ['x', to === undefined ? [from] : [from, to]]
    const closed = (day: number) => row(day, [['Closed']], 2)
    const weekWith = (monday: unknown) => [monday, ...[2, 3, 4, 5, 6, 7].map(closed)]
    const monday = (...slots: Slot[]) => weekWith(row(1, slots))
    const read = (rows: unknown[]) => place({ 203: [rows] }).open_intervals

    test.each<[what: string, slot: Slot, from: number, to: number]>([
      ['whole hours', open([9], [17]), 540, 1_020],
      ['minutes', open([9, 30], [17, 45]), 570, 1_065],
      ['until midnight', open([7], []), 420, 1_440],
      ['until midnight, as 24', open([7], [24]), 420, 1_440],
      ['past midnight', open([18], [2]), 1_080, 1_560],
      ['all day', open([], []), 0, 1_440],
      ['from after midnight', open([0, 30], [1]), 30, 60],
      ['for 24 hours', open([9], [9]), 540, 1_980],
      ['until a minute before', open([9], [8, 59]), 540, 1_979],
      ['from the last minute', open([23, 59], []), 1_439, 1_440],
    ])('open %s', (_, slot, from, to) => {
      expect(read(monday(slot))).toEqual([{ day: 1, from, to }])
    })

    test('a day may have several, and the week begins with Monday whatever day is first', () => {
      const week = [row(1, [open([17], [22]), open([9], [12])]), ...[2, 3, 4, 5, 6].map(closed)]
      expect(read([row(7, [open([10], [11])]), ...week, row(1, [open([1], [2])])])).toEqual([
        { day: 1, from: 540, to: 720 },
        { day: 1, from: 1_020, to: 1_320 },
        { day: 7, from: 600, to: 660 },
      ])
    })

    test.each<[what: string, rows: unknown[]]>([
      ['a day is missing', monday(open([9], [17])).slice(0, 6)],
      ['a day has words only, and is not closed', monday(['Hours vary'])],
      ['one slot of two has words only', monday(open([9], [12]), ['x'])],
      ['one slot of two never closes', monday(open([9], [12]), open([14]))],
      ['a closed day has times', weekWith(row(1, [open([9], [17])], 2))],
      ['an hour is out of range', monday(open([9], [24, 1]))],
      ['a minute is out of range', monday(open([9, 60], [17]))],
      ['a time has seconds', monday(open([9, 0, 0], [17]))],
      ['a time is a fraction', monday(open([9.5], [17]))],
      ['a weekday is unknown', weekWith(row(8, [open([9], [17])]))],
      ['it is closed all week', weekWith(closed(1))],
    ])('absent when %s', (_, rows) => {
      expect(read(rows)).toBeUndefined()
    })

    test('the older copy gives the same', () => {
      const date = (day: number) => `2021-03-${14 + day}`
      const older = (day: number, state: number, slots: unknown) =>
        sparse({ 0: 'x', 1: ['x'], 4: date(day), 5: state, 6: slots })
      const rows = [older(1, 1, [[18, 0, 2, 30]]), ...[2, 3, 4, 5, 6, 7].map((day) => older(day, 2, null))]
      expect(place({ 34: [null, rows] }).open_intervals).toEqual([{ day: 1, from: 1_080, to: 1_590 }])
      expect(place({ 34: [null, rows.slice(1)] }).open_intervals).toBeUndefined()
    })
  })

  test("departments' hours are not the place's", () => {
    expect(place({ 118: [['Delivery', null, null, [[['x', 1, null, [['9–5']]]]]]] }).open_hours).toBeUndefined()
  })

  test.each([
    ['without hours', { 203: [null, sparse({ 4: ['Open now'] })] }, 'Open now'],
    ['in the older copy', { 34: sparse({ 4: sparse({ 4: 'Open' }) }) }, 'Open'],
  ])('a status %s', (_, members, status) => {
    expect(place(members).status).toBe(status)
  })

  test('percent and hours out of range are clamped or omitted, and so are days without hours', () => {
    const rows = Object.entries({ 6: -3, 24: 10, 23: 130, 5.5: 1 }).map(([hour, percent]) => [Number(hour), percent])
    const days = [
      [7, [...rows, ['7', 1]]],
      [1, null],
      [0, [[1, 1]]],
      [2, [[9, 49.6]]],
    ]
    expect(place({ 84: [days] }).popular_times).toEqual({ Sunday: { 6: 0, 23: 100 }, Tuesday: { 9: 50 } })
  })
})

describe('about', () => {
  const about = (...options: unknown[]) => place({ 100: [null, [['s', 'Section', options]]] })
  const yes = (name: string, flag: number) => [`/geo/${name}`, name, [1, [[flag, 'words']]]]
  const one = (name: string, value: string) => [`/geo/${name}`, name, [2, null, null, ['/m/1', null, value, value]]]
  const many = (id: string, name: string, ...values: string[]) => [
    id,
    name,
    sparse({ 0: 3, 4: [null, [[values.map((value) => ['/m/1', null, value, value])]]] }),
  ]

  test('yes, no, a value and a list', () => {
    const options = [yes('A', 1), yes('B', 0), one('Wi-Fi', 'Free'), many('x', 'Cards', 'Visa', 'Amex')]
    expect(about(...options).about?.[0]?.options).toEqual([
      { name: 'A', enabled: true },
      { name: 'B', enabled: false },
      { name: 'Wi-Fi', enabled: true, values: ['Free'] },
      { name: 'Cards', enabled: true, values: ['Visa', 'Amex'] },
    ])
  })

  test('options of one name are one, enabled when either is, with the values of both', () => {
    const options = [yes('Cards', 0), many('x', 'Cards', 'Visa'), many('y', 'Cards', 'Visa', 'Amex')]
    expect(about(...options).about?.[0]?.options).toEqual([{ name: 'Cards', enabled: true, values: ['Visa', 'Amex'] }])
  })

  test('credit cards are recognized by id, under any name', () => {
    const cards = many('/geo/type/establishment_poi/pay_credit_card_types_accepted', 'Kreditkarten', 'Visa')
    expect(about(cards, many('x', 'Credit cards', 'Other')).credit_cards_accepted).toEqual(['Visa'])
  })

  test('a section without options is omitted', () => {
    expect(about(['x', 'Unknown', [9]], ['x', 'No value', [2]]).about).toBeUndefined()
  })
})

describe('links', () => {
  const OTHER_REDIRECT = 'https://a.example/url?q=https://b.example/'
  const group = (type: number, host: string) => [type, null, [[[host], [null, null, [`https://${host}/`]]]]]

  test('groups are known by type, not by position', () => {
    expect(place({ 75: [[group(1, 'a.example'), group(3, 'b.example'), group(4, 'c.example')]] })).toMatchObject({
      reservations: [{ link: 'https://a.example/', source: 'a.example' }],
      booking_links: [{ link: 'https://b.example/', source: 'b.example' }],
      order_online: [{ link: 'https://c.example/', source: 'c.example' }],
    })
  })

  test('direct reservation links come before the group', () => {
    expect(place({ 46: [['https://own.example/']], 75: [[group(1, 'a.example')]] }).reservations).toEqual([
      { link: 'https://own.example/' },
    ])
  })

  test.each([
    ['plain', 'https://a.example/?x=1', 'https://a.example/?x=1'],
    ['without protocol', '//a.example/x', 'https://a.example/x'],
    ['behind a redirect', '/url?q=https%3A%2F%2Fa.example%2F%3Fb%3D1%26c&opi=7&sa=U', 'https://a.example/?b=1&c'],
    ['behind an absolute redirect', 'https://www.google.com/url?q=https://a.example/&sa=U', 'https://a.example/'],
    ["of a redirect that is not the site's", OTHER_REDIRECT, OTHER_REDIRECT],
    ['behind a redirect to a script', '/url?q=javascript:alert(1)', undefined],
    ['that is a script', 'javascript:alert(1)', undefined],
    ['without host', '/maps/x', undefined],
    ['escaped twice', 'https://a.example/?x\\u003d1\\u0026y\\u003d2', 'https://a.example/?x=1&y=2'],
    ['too long', `https://a.example/${'x'.repeat(8_192)}`, undefined],
    ['empty', ' ', undefined],
    ['without scheme', 'mybakery.com', 'https://mybakery.com/'],
    ['in capitals without scheme', 'LINKTR.EE/x', 'https://linktr.ee/x'],
    ['without colon', 'https//shop.de', 'https://shop.de/'],
    ['with backslashes', 'https:\\\\shop.de\\a', 'https://shop.de/a'],
    ['that is an email address', 'info@shop.de', undefined],
  ])('a website %s', (_, given, website) => {
    expect(place({ 7: [given] }).website).toBe(website)
  })
})

describe('owner and description', () => {
  const owner = { id: '1027', name: 'Kafe (Owner)', link: 'https://www.google.com/maps/contrib/1027' }

  test.each([
    ['the id', [null, 'Kafe (Owner)', '1027'], { claimed: true, owner }],
    ['a name alone', [null, 'Kafe (Owner)', null], { claimed: false, owner: undefined }],
    ['nothing', null, { claimed: undefined, owner: undefined }],
  ])('%s tells whether it is claimed, and an unclaimed place has no owner', (_, members, wanted) => {
    const found = place({ 57: members })
    expect({ claimed: found.claimed, owner: found.owner }).toEqual(wanted)
  })

  test.each([
    ['a link to claim it', { 49: ['https://business.google.com/create?fp=1'] }, false],
    ['such a link elsewhere', { 226: ['https://business.google.com/create?fp=1'] }, false],
    ['a link to manage it', { 49: ['https://business.google.com/verify/sitemanager/?fp=1'] }, undefined],
    ['an owner beside a link', { 49: ['https://business.google.com/create?fp=1'], 57: [null, 'x', '1027'] }, true],
  ])('%s tells whether it is claimed', (_, members, claimed) => {
    expect(place(members).claimed).toBe(claimed)
  })

  const text = (words: string) => ['', words]

  test.each([
    ['the editorial text', { 32: [text('short'), text('long')], 154: [['own']] }, 'long'],
    ['the short editorial text', { 32: [text('short')], 154: [['own']] }, 'short'],
    ["the owner's", { 154: [['own\nwords']] }, 'own\nwords'],
  ])('%s describes it', (_, members, description) => {
    expect(place(members).description).toBe(description)
  })
})

test("a visitor's picture in the street view tab is no street view", () => {
  const tab = ['CgIgARICCAI=', null, 'Street View & 360°', [sparse({ 6: ['https://lh5.example/x=w1-ro-8'] })]]
  expect(place({ 171: [[tab]] })).toMatchObject({
    images: [{ title: 'Street View & 360°', url: 'https://lh5.example/x=w1-ro-8' }],
  })
  expect(place({ 171: [[tab]] }).street_view_url).toBeUndefined()
})

test('the zone beside the node is used when the node has none', () => {
  const payload = sparse({ 6: node(), 31: ['0', [['Europe/Prague']]] })
  expect(parsePlacePayload(payload)).toMatchObject({ place: { timezone: 'Europe/Prague' } })
})

test('long texts and lists are cut to what a place may hold', () => {
  const found = place({
    11: 'x'.repeat(5_000),
    13: Array.from({ length: 300 }, (_, i) => `c${i}`),
    154: [['😀'.repeat(20_000)]],
  })
  expect(found.title).toHaveLength(2_000)
  expect(found.categories).toHaveLength(100)
  expect(found.description?.isWellFormed()).toBe(true)
})

describe('a trimmed payload', () => {
  const rated = sparse({ 7: 4.5, 8: 10 })
  const counts = sparse({ 3: [1, 2, 3, 4, 0] })
  test.each([
    ['an unrated place', {}, []],
    ['a rated place with counts', { 4: rated, 175: counts }, []],
    ['a rated place of 2021', { 4: sparse({ 7: 4.5 }), 52: counts }, []],
    ['a rating alone', { 4: sparse({ 7: 4.5 }) }, ['review_count', 'reviews']],
    ['no reviews at all', { 4: rated }, ['reviews']],
    ['a place that hides its count', { 4: sparse({ 7: 4.5 }), 175: sparse({ 9: [[[[]]]] }) }, []],
    ['hours of one day', { 203: [[['x', 1, null, [['9–5']]]]] }, ['hours']],
  ])('of %s lacks $2', (_, members, missing) => {
    expect(missingParts(payload(members))).toEqual(missing)
    expect(isComplete(payload(members))).toBe(missing.length === 0)
  })

  test('other values are not complete payloads', () => {
    expect(isComplete([[KEY]])).toBe(false)
  })
})
