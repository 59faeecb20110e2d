import { expect, test } from 'vitest'
import { nextSorting, sortedRows } from '../../../coordinator/console/src/parts/rows.ts'

const sorted = (values: (string | number | undefined)[], descending = false) =>
  sortedRows(
    values.map((value, index) => ({ value, index })),
    ({ value }) => value,
    descending,
  )

test.each([
  ['numbers by their size', [10, 9, 100], [9, 10, 100]],
  ['texts by the alphabet, in any letter case', ['b', 'A', 'c'], ['A', 'b', 'c']],
  ['numbers in texts as numbers', ['agent 10', 'agent 9'], ['agent 9', 'agent 10']],
])('rows are sorted: %s', (_, values, expected) => {
  expect(sorted(values).map(({ value }) => value)).toEqual(expected)
  expect(sorted(values, true).map(({ value }) => value)).toEqual(expected.toReversed())
})

test('rows without a value come last in both directions', () => {
  expect(sorted([undefined, 2, 1]).map(({ value }) => value)).toEqual([1, 2, undefined])
  expect(sorted([undefined, 2, 1], true).map(({ value }) => value)).toEqual([2, 1, undefined])
})

test('rows with equal values keep their order', () => {
  expect(sorted([1, 1, 0]).map(({ index }) => index)).toEqual([2, 0, 1])
})

test('a head sorts up, then down, then not at all; another head begins anew', () => {
  const up = nextSorting(undefined, 'Name')
  const down = nextSorting(up, 'Name')
  expect([up, down, nextSorting(down, 'Name')]).toEqual([
    { by: 'Name', descending: false },
    { by: 'Name', descending: true },
    undefined,
  ])
  expect(nextSorting(down, 'State')).toEqual({ by: 'State', descending: false })
})
