import { expect, test } from 'vitest'
import { operations } from './operations/operations.ts'
import { operationsThatWrite } from './operations/scan.ts'
import { WITHOUT_ROW } from './operations/without-row.ts'

/** Rows that the rule does not ask for: a fault was found there, or one would be worst there. */
const BEYOND_THE_RULE = ['exits/grants.ts take', 'results/append.ts append', 'monitors/change.ts changeMonitor']

test('every operation of the coordinator that writes more than once has a row in the tables, or a reason', () => {
  const named = new Set(operations.map(({ name }) => name))
  const excused = Object.values(WITHOUT_ROW).flat()
  const found = operationsThatWrite()
  const missing = found.filter((name) => !named.has(name) && !excused.includes(name))
  const todo = 'Add a row for it in test/coordinator/operations/, or its reason in without-row.ts.'
  expect(missing, `These write more than once. ${todo}`).toEqual([])
  const gone = [...named, ...excused].filter((name) => !found.includes(name) && !BEYOND_THE_RULE.includes(name))
  expect(
    gone,
    'These no longer exist or write once at most: remove them from the tables or from without-row.ts.',
  ).toEqual([])
  const both = excused.filter((name) => named.has(name))
  expect(both, 'These have a row: remove them from without-row.ts.').toEqual([])
})
