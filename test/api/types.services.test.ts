import { pythonTypes } from '@placefleet/deploy/packages/python-types'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'

const HEAD = `// Made by \`npm run api:types\` from the API's own document; do not edit.\n\n`

test('the generated types of both clients are those of the API; if not, run `npm run api:types`', async () => {
  const { url } = await addCoordinator(await startWorld())
  const answer = await fetch(`${url}/openapi.json`)
  const text = await answer.text()

  const document = JSON.parse(text, essential) as OpenAPI3
  const types = astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }))
  const python = pythonTypes(JSON.parse(text))

  await expect(HEAD + types).toMatchFileSnapshot('../../coordinator/clients/typescript/schema.d.ts')
  await expect(python).toMatchFileSnapshot('../../coordinator/clients/python/placefleet/types.py')
})

/** Examples are omitted, because documentation in an editor has no room for them. Failures have the same body everywhere. */
function essential(key: string, value: unknown): unknown {
  if (key === 'examples' && Array.isArray(value)) return undefined
  if (key !== 'responses' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([status]) => Number(status) < 400))
}
