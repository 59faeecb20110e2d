import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { afterAll, expect, test } from 'vitest'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { apiFiles } from './api-files.ts'

const { url } = await addCoordinator(await startWorld(afterAll))
const files = await apiFiles(await (await fetch(`${url}/openapi.json`)).text())

test.each([...files])('%s is that of the API; if not, run `npm run api:types` and read its changes', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text)
})
