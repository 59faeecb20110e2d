import { embeddedSearch, isElsewhere, parseSearchPayload } from '@placefleet/agent/maps/search/payload'
import { describe, expect, test } from 'vitest'
import { KEY, node, searchPayload, sparse } from '../sample.ts'

const other = '0x14de1786bd2659b9:0xb7f6e65826fa9ddb'
const titles = (payload: unknown) => parseSearchPayload(payload).places.map(({ place }) => place.title)
const area = [[3_826.9, 33.04, 34.67]]

test('places are read in order after the header row, without ads', () => {
  const found = parseSearchPayload(searchPayload([node(), node({ 10: other, 11: 'Bar' })], [node({ 11: 'Ad' })]))
  expect(found).toMatchObject({
    shape: 'found',
    viewport: { longitude: 33.04, latitude: 34.67 },
    places: [{ place: { place_key: KEY } }, { place: { place_key: other } }],
  })
})

test('a single match is read from the first row, without header', () => {
  expect(titles([['kafe', [sparse({ 14: node() })]], area])).toEqual(['Kafe'])
})

test('an address gives the businesses at it', () => {
  const address = node({ 11: '12 High St', 68: [[node({ 11: 'Shop' })], [node({ 10: other, 11: 'Bar' })]] })
  expect(titles([['12 high st', [sparse({ 14: address })]], area])).toEqual(['Shop', 'Bar'])
})

test('the newer envelope has its list elsewhere', () => {
  const row = (members = {}) => [null, node(members)]
  const payload = sparse({ 0: ['kafe'], 1: area, 64: [row(), row({ 10: other, 11: 'Bar' })] })
  expect(titles(payload)).toEqual(['Kafe', 'Bar'])
})

test.each([
  ['in a list', (text: string) => [null, null, text]],
  ['under a key that changes', (text: string) => ({ qx: [null, null, text] })],
])('the search that a page holds is read from its state, %s', (_where, keep) => {
  const state = [0, 0, 0, keep(`)]}'\n${JSON.stringify(searchPayload([node()]))}`)]
  const html = `<script>window.APP_INITIALIZATION_STATE=${JSON.stringify(state)};window.APP_FLAGS=[1];</script>`
  expect(embeddedSearch(html)?.places).toMatchObject([{ place: { place_key: KEY } }])
})

test('a row that cannot be read costs no other', () => {
  const found = parseSearchPayload(searchPayload([node({ 11: null }), node()]))
  expect(found).toMatchObject({ shape: 'found', places: [{ place: { place_key: KEY } }] })
})

test.each([
  ['across the date line', { latitude: -17, longitude: 179.9 }, { latitude: -17, longitude: -179.9 }, false],
  ['in the same city', { latitude: 52.5, longitude: 13.4 }, { latitude: 52.6, longitude: 13.3 }, false],
  ['at another longitude', { latitude: 52.5, longitude: 13.4 }, { latitude: 52.5, longitude: -1.9 }, true],
])('whether an answer %s is about another part of the world', (_where, viewport, answered, expected) => {
  expect(isElsewhere({ places: [], shape: 'empty', viewport: answered }, { viewport })).toBe(expected)
})

test.each([
  ['another member', [['kafe'], area, null, [[null, node()]]]],
  ['a list around it', [['kafe', [['header'], sparse({ 14: [node()] })]], area]],
  ['another member, with a new one in each node', [['kafe'], area, null, [[null, ['new', ...node()]]]]],
])('places that have moved into %s are found by what a place looks like', (_where, payload) => {
  expect(parseSearchPayload(payload)).toMatchObject({ shape: 'found', places: [{ place: { place_key: KEY } }] })
})

describe('no place', () => {
  test.each([
    ['a header row alone', searchPayload([]), 'empty'],
    ['no list', [['kafe'], area], 'empty'],
    ['an empty list', [['kafe', []], area], 'empty'],
    ['no viewport', [['kafe', []]], 'doubtful'],
    ['no query', [[null, []], area], 'doubtful'],
    ['nothing but a viewport', [null, area], 'doubtful'],
    ['no member at all', [], 'doubtful'],
    ['a header row with another node', searchPayload([['x']]), 'doubtful'],
    ['rows of another layout', searchPayload([['x', [KEY]]]), 'malformed'],
    ['similar places alone', [['kafe'], area, sparse({ 11: [[node()]] })], 'empty'],
    ['ads alone', searchPayload([], [node()]), 'empty'],
    ['text', 'x', 'foreign'],
    ['nothing', undefined, 'foreign'],
    ['an object', {}, 'foreign'],
  ])('is read from %s: $2', (_, payload, shape) => {
    expect(parseSearchPayload(payload)).toMatchObject({ shape, places: [] })
  })
})

test.each([
  ['its street as name', { 183: [null, [null, '2800 S Joyce St', '2800 S Joyce St', 'Arlington']] }, 'empty', 0],
  ['its address begin with its name', { 39: '2800 S Joyce St, Arlington' }, 'empty', 0],
  ['a category too', { 39: '2800 S Joyce St, Arlington', 13: ['Pizza'] }, 'found', 1],
  ['a rating too', { 39: '2800 S Joyce St, Arlington', 4: sparse({ 7: 4.1 }) }, 'found', 1],
  ['another address', { 39: 'Old port, Limassol' }, 'found', 1],
])('the only result of a search, which has %s, is read as $2', (_, members, shape, places) => {
  const found = parseSearchPayload(searchPayload([node({ 11: '2800 S Joyce St', ...members })]))
  expect([found.shape, found.places.length]).toEqual([shape, places])
})
