import { auditSample } from '@placefleet/coordinator/coverage/sample'
import { expect, test } from 'vitest'

const boundsOf = (nth: number) => ({ south: nth / 100, north: (nth + 1) / 100, west: 0, east: 0.01 })
const cells = (count: number, keyword = 'cafe') =>
  Array.from({ length: count }, (_, nth) => ({
    keyword,
    bounds: boundsOf(nth),
    state: 'searched' as const,
    places: 0,
  }))

test.each([
  [0, 0],
  [8, 8],
  [9, 8],
  [160, 8],
  [161, 9],
  [781, 40],
  [801, 40],
])('of $0 cells an audit searches $1 again', (count, audited) => {
  expect(auditSample(cells(count), 'seed')).toHaveLength(audited)
})

test('a cell with very many places is always in the sample, whatever the seed', () => {
  const rich = { ...cells(1)[0], keyword: 'cafe', bounds: boundsOf(500), state: 'searched' as const, places: 1e12 }
  for (let seed = 0; seed < 30; seed++) {
    expect(auditSample([...cells(100), rich], String(seed))[0]?.bounds).toEqual(rich.bounds)
  }
})

test('a sample is of answered cells with bounds, of the keyword with the most of them', () => {
  const unanswered = cells(50, 'bar').map(
    (cell, nth) => ({ ...cell, state: nth % 2 ? 'blocked' : 'unsearched' }) as const,
  )
  const cut = cells(3, 'cafe').map((cell) => ({ ...cell, state: 'cut' as const }))
  const without = { keyword: 'cafe', state: 'searched' as const, places: 3 }
  expect(auditSample([...unanswered, ...cells(2, 'bar'), without, ...cut], 'seed')).toEqual(expect.arrayContaining(cut))
  expect(auditSample([...unanswered, ...cells(2, 'bar'), without, ...cut], 'seed')).toHaveLength(3)
})
