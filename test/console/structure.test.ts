import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../coordinator/console/src')

/** Where keys of the cache are made: files of queries, the session, the connection, and the one reader of a query. */
const MAKES_KEYS =
  /-queries\.ts$|^api\/|^session\/|^sign-in\/sign-in-api\.ts$|^job\/use-places\.ts$|^(connect\/connect|account\/account)-page\.tsx$/

test('only the queries of a folder know the keys of the cache', () => {
  const others = globSync('**/*.{ts,tsx}', { cwd: SRC })
    .filter((file) => !MAKES_KEYS.test(file))
    .filter((file) => /queryKey: \[/.test(readFileSync(join(SRC, file), 'utf8')))
  expect(others).toEqual([])
})

test('every part of the console with code of its own waits for the server and survives an upgrade', () => {
  const others = globSync('**/*.{ts,tsx}', { cwd: SRC })
    .filter((file) => file !== 'parts/chunk.ts')
    .filter((file) => /[^\w]lazy\(/.test(readFileSync(join(SRC, file), 'utf8')))
  expect(others).toEqual([])
})

test('every table with columns is drawn by one component', () => {
  const others = globSync('**/*.tsx', { cwd: SRC })
    .filter((file) => file !== 'parts/data-table.tsx')
    .filter((file) => /<Table\.Thead/.test(readFileSync(join(SRC, file), 'utf8')))
  expect(others).toEqual([])
})
