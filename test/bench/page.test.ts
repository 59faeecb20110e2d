import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGE, withReport } from './page.ts'
import type { Report } from './report.ts'

const page = readFileSync(PAGE, 'utf8')
const report = (seconds: number): Report => ({
  figures: {},
  tables: [{ title: 'Time', head: ['case', 's'], rows: [['plain | fast', seconds]] }],
  aims: [{ aim: 'quick', reached: 'yes', met: true }],
  remarks: ['Two cores.'],
})

test('a report replaces the last one in the section of its benchmark, and changes nothing else', () => {
  const once = withReport(page, 'follow', ['--followers', '9'], report(1234.5), '2026-01-02, abc, 2 cores')
  expect(once).toContain('`npm run bench -- follow --followers 9`, 2026-01-02, abc, 2 cores:')
  expect(once).toContain('| case | s |\n| --- | ---: |\n| plain \\| fast | 1,235 |')
  const [before = '', after = ''] = page.split(/<!-- bench follow -->.*?<!-- end of bench follow -->/s)
  expect(once.startsWith(before) && once.endsWith(after)).toBe(true)
  const twice = withReport(once, 'follow', [], report(2), '2026-01-03, abd, 2 cores')
  expect(twice).not.toContain('1,235')
  expect(twice).toContain('Two cores.')
  expect(twice).not.toContain('quick')
  expect(twice.length).toBeLessThan(once.length)
})

test('a benchmark without a section is refused, with the lines that it needs', () => {
  expect(() => withReport(page, 'other', [], report(1), '')).toThrow('Add the lines <!-- bench other -->')
})

test('every figure of the page has its command, date and machine', () => {
  const sections = [...page.matchAll(/<!-- bench ([\w-]+) -->(.*?)<!-- end of bench \1 -->/gs)]
  expect(sections.length).toBeGreaterThan(5)
  for (const [, name, text] of sections) {
    expect(text?.trim(), name).toMatch(
      /^`npm run bench -- [^`]+`, \d{4}-\d\d-\d\d, [0-9a-f]+, \d+ cores of .+:\n\n\*\*/,
    )
  }
})
