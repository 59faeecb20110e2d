import { parseBody } from '@placefleet/agent/maps/answers/body'
import { countIn, countsIn, ratingIn } from '@placefleet/agent/maps/answers/dom'
import { pageState, placeOfState } from '@placefleet/agent/maps/answers/page-state'
import { parseDrawnPlace } from '@placefleet/agent/maps/place/drawn'
import { parsePlacePage, placePayloadOfState } from '@placefleet/agent/maps/place/page'
import { parseFeed } from '@placefleet/agent/maps/search/drawn'
import { Place } from '@placefleet/shared/place'
import { describe, expect, test } from 'vitest'
import { KEY, payload } from '../sample.ts'

const text = (value: unknown) => `)]}'\n${JSON.stringify(value)}`
const stub = text([[KEY, 'Kafe', null, [null, null, 34, 33]]])
const place = text(payload())

describe('the payload in the state of a page', () => {
  test.each([
    ['as it was sent', [0, 0, 0, [0, 0, 0, 0, 0, stub, place]]],
    ['under a changing key', [0, 0, 0, { qm: [0, 0, 0, 0, 0, stub, place] }]],
    ['beside other lists', [0, 0, 0, { aa: [1], bb: null, qm: [0, 0, 0, 0, 0, null, place] }]],
    ['in the place of the stub', [0, 0, 0, [0, 0, 0, 0, 0, place]]],
  ])('is found %s', (_, state) => {
    expect(placePayloadOfState(state)).toEqual(payload())
  })

  test.each([
    ['only the stub', [0, 0, 0, [0, 0, 0, 0, 0, stub, null]]],
    ['nothing yet', [0, 0, 0, null]],
    ['half a payload', [0, 0, 0, [0, 0, 0, 0, 0, stub, place.slice(0, 40)]]],
    ['a search payload', [0, 0, 0, { qm: [0, 0, 0, 0, 0, 0, text([['kafe', []]])] }]],
    ['a payload without guard', [0, 0, 0, [0, 0, 0, 0, 0, 0, JSON.stringify(payload())]]],
    ['text', 'x'],
  ])('%s is none', (_, state) => {
    expect(placePayloadOfState(state)).toBeUndefined()
  })
})

const page = (state: unknown, head = '') =>
  `<html><head>${head}<script>window.APP_INITIALIZATION_STATE=${JSON.stringify(state)};window.APP_FLAGS=[1]</script></head>`

describe('a place page', () => {
  test('names its place by the stub when its address does not', () => {
    const state = pageState(page([0, 0, 0, [0, 0, 0, 0, 0, stub]]))
    expect(placeOfState(state)).toEqual({ place_key: KEY, title: 'Kafe', latitude: 34, longitude: 33 })
  })

  test.each([
    ['a script', '<link href="/maps/preview/place?pb=x" as="script" rel="preload">'],
    ['another path', '<link href="/maps/preview/other?pb=x" as="fetch" rel="preload">'],
    ['nothing', ''],
  ])('has no request to repeat where its head announces %s', (_, head) => {
    expect(parsePlacePage(page(null, head)).preload_url).toBeUndefined()
  })

  test('gives the request in its preload link, with attributes in any order', () => {
    const head = "<link rel=preload as=fetch crossorigin href='/maps/preview/place?hl=en&amp;q=a%26b&amp;pb=%211m1'>"
    expect(parsePlacePage(page(null, head)).preload_url).toBe('/maps/preview/place?hl=en&q=a%26b&pb=%211m1')
  })

  test.each(['', '<html>', 'window.APP_INITIALIZATION_STATE=', 'window.APP_INITIALIZATION_STATE=[1;window.APP_FLAGS='])(
    'without readable state gives nothing: %j',
    (html) => expect(parsePlacePage(html)).toEqual({}),
  )
})

describe('a drawn place', () => {
  const rows = ['Donnerstag', 'Freitag (Feiertag)', 'Montag']
    .map((day) => `<tr class="y0skZc"><td class="ylH6lf">${day}</td><td><li class="G8aQO">9–5</li></td></tr>`)
    .join('')
  const html = `<h1>Anzeige</h1><h1 class="DUwDvf">Kafe</h1><table class="eK4R0e">${rows}</table>
    <div class="F7nice"><span><span aria-hidden="true">4,7</span></span><span>(1.234)</span></div>
    <button data-item-id="address" aria-label="Adresse: Alter Hafen"></button>`
  const url = `https://maps.example/maps/place/Kafe/data=!4m2!3m1!1s${KEY}`

  test('is read in its language, its key from the address bar', () => {
    expect(parseDrawnPlace(html, { language: 'de', url })).toMatchObject({
      ok: true,
      place: {
        place_key: KEY,
        title: 'Kafe',
        rating: 4.7,
        review_count: 1_234,
        address: 'Alter Hafen',
        open_hours: { Monday: ['9–5'], Thursday: ['9–5'], Friday: ['9–5'] },
      },
    })
  })

  test('is the place of the address, not the one the page was first opened with', () => {
    const state = page([0, 0, 0, null, 0, [0, 0, 0, [0, 0, ['0x1:0x2', 'Bar', 0, 0, 0, 0, 0, [0, 0, 91, 200]]]]])
    expect(parseDrawnPlace(state + html, { language: 'de', url })).toMatchObject({ place: { place_key: KEY } })
    const result = parseDrawnPlace(state + html, { language: 'de' })
    if (!result.ok) throw new Error(result.reason)
    expect(Place.parse(result.place)).toMatchObject({ place_key: '0x1:0x2', title: 'Kafe' })
  })

  test.each([
    ['its language is another', { language: 'fr', url }],
    ['its language is no language', { language: 'de_x!', url }],
  ])('has no hours when %s', (_, options) => {
    const result = parseDrawnPlace(html, options)
    expect(result.ok && result.place.open_hours).toBeUndefined()
  })

  test('without name or key is undefined', () => {
    expect(parseDrawnPlace(html, { language: 'de' })).toEqual({ ok: false, reason: 'no_key' })
    expect(parseDrawnPlace('<h1>x</h1>', { language: 'de', url })).toEqual({ ok: false, reason: 'no_title' })
  })
})

describe('a drawn list', () => {
  const link = (key: string, name: string) =>
    `<a href="https://maps.example/maps/place/${name}/data=!4m2!3m1!1s${key}" aria-label="${name} · Visited link"></a>`
  const feed = (inside: string) => `<div role="feed" aria-label="Results">${inside}</div>`

  test('needs no class names for the places themselves', () => {
    const html = feed(`<div>${link(KEY, 'Kafe')}</div><div><h1>Ad</h1>${link('0x1:0x2', 'Bar')}</div>`)
    expect(parseFeed(html)?.cards).toMatchObject([
      { place_key: KEY, title: 'Kafe · Visited link', sponsored: false },
      { place_key: '0x1:0x2', sponsored: true },
    ])
  })

  test('a card with two links is one card', () => {
    const html = feed(`<div class="Nv2PK">${link(KEY, 'Kafe')}${link(KEY, 'Reviews')}</div>`)
    expect(parseFeed(html)?.cards).toHaveLength(1)
  })

  test('the name beside a visited link is the better one', () => {
    const html = feed(`<div class="Nv2PK">${link(KEY, 'Kafe')}<div class="qBF1Pd">Kafe</div></div>`)
    expect(parseFeed(html)?.cards[0]?.title).toBe('Kafe')
  })

  test.each([
    ['a spinner', '<div><div class="lXJj5c"></div></div>', true],
    ['the closing paragraph', '<div><p class="fontBodyMedium"><span><span>Fin</span></span></p></div>', false],
    ['neither', '<div></div>', false],
  ])('%s at its end says whether more follows', (_, last, more) => {
    expect(parseFeed(feed(`<div>${link(KEY, 'Kafe')}</div>${last}`))?.spinner).toBe(more)
  })

  test('a page without a list has no cards', () => {
    expect(parseFeed('<html><div role="main"></div>')).toBeUndefined()
  })
})

test.each([
  ['(1,856)', 1_856],
  ['(1.856)', 1_856],
  ['(17 059)', 17_059],
  ['(1\u202f856\u202f000)', 1_856_000],
  ['(1,23,456)', 123_456],
  ['(١٬٨٥٦)', 1_856],
  ['(12)', 12],
  ['(1.2K)', undefined],
  ['(12K)', undefined],
  ['4 (12)', undefined],
  ['', undefined],
  [undefined, undefined],
])('the count of %j is %j', (written, count) => {
  expect(countIn(written)).toBe(count)
})

test('a label has its counts in the order of its language', () => {
  expect(countsIn('5 stars, 13,894 reviews')).toEqual([5, 13_894])
  expect(countsIn('5 étoiles, 13\u202f894 avis')).toEqual([5, 13_894])
})

test.each([
  ['4.7', 4.7],
  ['4,7', 4.7],
  ['٤٫٧', 4.7],
  ['5', 5],
  ['0', undefined],
  ['47', undefined],
  ['4.7 stars', undefined],
])('the rating of %j is %j', (written, rating) => {
  expect(ratingIn(written)).toBe(rating)
})

test.each([
  ["\n)]}'\n[1]", [1]],
  [")]}'[1]", [1]],
  ['[1]', [1]],
  ['{"c":0,"d":")]}\'\\n[1]","e":"x","p":true,"u":"y"}/*""*/', [1]],
  [")]}'", undefined],
  ['<html>', undefined],
])('the body %j holds %j', (body, value) => {
  expect(parseBody(body)).toEqual(value)
})
