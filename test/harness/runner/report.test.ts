import { expect, test } from 'vitest'
import { lackingLine } from './report.ts'

test('a run says in one line what this machine lacks, and how many tests need it', () => {
  const names = ['the alerts (needs promtool) > check', 'the alerts (needs promtool) > test', 'a lint (needs helm)']
  expect(lackingLine(names)).toBe('Skipped, because this machine lacks: promtool (2 tests), helm (1 test)')
})

test('a test that a filter leaves out lacks nothing', () => {
  expect(lackingLine(['a test of another name'])).toBeUndefined()
})
