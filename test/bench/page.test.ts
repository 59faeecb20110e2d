import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGE } from './page.ts'

test('every figure of the page has its command, date and machine', () => {
  const sections = [...readFileSync(PAGE, 'utf8').matchAll(/<!-- bench ([\w-]+) -->(.*?)<!-- end of bench \1 -->/gs)]
  expect(sections.length).toBeGreaterThan(5)
  for (const [, name, text] of sections) {
    expect(text?.trim(), name).toMatch(
      /^`npm run bench -- [^`]+`, \d{4}-\d\d-\d\d, [0-9a-f]+, \d+ cores of .+:\n\n\*\*/,
    )
  }
})
