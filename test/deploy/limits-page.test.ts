import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'coordinator/guides/limits.md'), 'utf8')
const rows = [...page.matchAll(/^\| (.+?) \| .+ \| `(.+?)`: (.+) \|$/gm)].map(
  ([, input = '', file = '', title = '']) => ({
    input,
    file,
    title,
  }),
)

test('each row of the page of limits names a test', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('| '))
  expect(rows).toHaveLength(lines.length - 1) // without the head
  expect(rows.length).toBeGreaterThan(20)
})

test.for(rows)('the limit of "$input" has the test that the page names', ({ file, title }) => {
  expect(readFileSync(join(root, 'test', file), 'utf8')).toContain(`'${title}'`)
})
