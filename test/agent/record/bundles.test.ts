import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readBundle } from '@placefleet/agent/record/bundle'
import { replay } from '@placefleet/agent/record/replay'
import { expect, test } from 'vitest'

// Recordings of users, see agent/record/README.md.
const BUNDLES = join(import.meta.dirname, 'bundles')

test.each(readdirSync(BUNDLES).filter((name) => name.endsWith('.tgz')))('%s is read as was agreed', async (name) => {
  const { pairs } = replay(await readBundle(join(BUNDLES, name)))
  expect(pairs.length).toBeGreaterThan(0)
  for (const { file, is, was } of pairs) expect({ file, ...is }).toEqual({ file, ...was })
})
