import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SYNC_FOLDER, syncFiles } from '@placefleet/deploy/packages/python-sync'
import { expect, test } from 'vitest'

test('the blocking half of the Python client is made from the asynchronous one; `npm run generate` writes it', () => {
  const written = readdirSync(SYNC_FOLDER).filter((name) => name.endsWith('.py'))
  const files = new Map(written.map((name) => [name, readFileSync(join(SYNC_FOLDER, name), 'utf8')]))
  expect(files).toEqual(syncFiles())
  for (const source of files.values()) expect(source).not.toMatch(/async (def|for|with)|await |Async/)
})
