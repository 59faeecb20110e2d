import { Bounds, coverageOf, SearchedCell } from '@placefleet/shared/coverage'
import { expect, test } from 'vitest'

const BOUNDS = { south: 0, north: 1, west: 0, east: 1 }

test.each([
  { edge: 'south', least: -90, most: 90 },
  { edge: 'north', least: -90, most: 90 },
  { edge: 'west', least: -540, most: 540 },
  { edge: 'east', least: -540, most: 540 },
])('the $edge of a cell lies from $least to $most', ({ edge, least, most }) => {
  const isTaken = (value: number) => Bounds.safeParse({ ...BOUNDS, [edge]: value }).success
  expect([least - 0.001, least, most, most + 0.001].map(isTaken)).toEqual([false, true, true, false])
})

test.each([
  { field: 'places', least: 0, most: 1_000 },
  { field: 'look', least: 0, most: 100 },
])('the $field of a searched cell are from $least to $most', ({ field, least, most }) => {
  const isTaken = (value: number) => SearchedCell.safeParse({ state: 'cut', places: 0, [field]: value }).success
  expect([least - 1, least, most, most + 1].map(isTaken)).toEqual([false, true, true, false])
})

test('a search of an audit names at most 1,000 places, each by a key of 1 to 100 characters', () => {
  const isTaken = (place_keys: string[]) => SearchedCell.safeParse({ state: 'cut', places: 0, place_keys }).success
  expect([1_000, 1_001].map((count) => isTaken(Array(count).fill('k')))).toEqual([true, false])
  expect([0, 1, 100, 101].map((length) => isTaken(['k'.repeat(length)]))).toEqual([false, true, true, false])
})

test.each([
  [{ radius: 0 }, 'none'],
  [{ radius: 1 }, 'cells'],
  [{ radius: 0, coverage: 'audited' }, 'audited'],
  [{ radius: 1, coverage: 'none' }, 'none'],
  [{ radius: 1, coverage: 'none', exhaust: true }, 'cells'],
] as const)('a job with $0 records $1', (fields, coverage) => {
  expect(coverageOf(fields)).toBe(coverage)
})
