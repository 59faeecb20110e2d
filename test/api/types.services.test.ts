import { pythonTypes } from '@placefleet/deploy/packages/python-types'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'

const HEAD = `// Made by \`npm run api:types\` from the API's own document; do not edit.\n\n`

type Operation = { operationId: string; responses: Record<string, { content?: Record<string, { example?: unknown }> }> }

test('each operation lists its statuses and the examples of its errors; to change them, run `npm run api:types`', async () => {
  const { url } = await addCoordinator(await startWorld())
  const answer = await fetch(`${url}/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> }

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )
  const lines = operations.map(({ name, operationId, responses }) =>
    [operationId, name, ...Object.keys(responses)].join(' '),
  )
  const examples = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const example = content?.['application/json']?.example
      return example === undefined ? [] : `${status} ${JSON.stringify(example)}`
    }),
  )
  const text = [...lines.sort(), '', ...[...new Set(examples)].sort(), ''].join('\n')

  await expect(text).toMatchFileSnapshot('operations.txt')
})

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
