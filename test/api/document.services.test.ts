import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { createConfig, lint } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fetchDocument, type JsonSchema, operationsOf, resolved } from '../harness/coordinator/open-api.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { apiFiles } from './api-files.ts'

const world = await startWorld(afterAll)
const { url } = await addCoordinator(world)
const document = await fetchDocument(url)
const operations = operationsOf(document).map(
  (operation) => [`${operation.method} ${operation.path}`, operation] as const,
)
const schemas = Object.entries(document.components.schemas)

const WithSchemas = z.object({ components: z.object({ schemas: z.record(z.string(), z.custom<object>()) }) })
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** The document as the parser reads it, from a file, because the parser accepts no loopback addresses. */
const directory = temporaryDir(afterAll)
const file = join(directory, 'openapi.json')
writeFileSync(file, JSON.stringify(document))
const whole = WithSchemas.parse(await SwaggerParser.dereference(file))

const files = await apiFiles(await (await fetch(`${url}/openapi.json`)).text())

test.each([...files])('%s is that of the API; if not, run `npm run api:types` and read its changes', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text)
})

test('the document is a valid OpenAPI 3.1 document', async () => {
  expect(document.openapi).toBe('3.1.0')
  await SwaggerParser.validate(file)
})

test('a linter finds nothing in the document', async () => {
  // Health answers 200 or 503 only.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-4xx-response': 'off' } })
  const problems = await lint({ ref: file, config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('each operation has a unique name for generated clients', () => {
  const names = operations.map(([, { operationId }]) => operationId)
  expect(new Set(names).size).toBe(operations.length)
  for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
})

test('no request has a field that generators take for required because of its default', () => {
  for (const [name, { body }] of operations) {
    const fields = Object.entries(body ? (resolved(document, body).properties ?? {}) : {})
    for (const [field, schema] of fields) expect(schema, `${name} ${field}`).not.toHaveProperty('default')
  }
})

test('every list in a request has a maximum of items, so that no body makes thousands of faults', () => {
  const unbounded = operations.flatMap(([name, { body }]) => (body ? unboundedLists(name, body) : []))
  expect(unbounded).toEqual([])
})

test('the headers of a request are parameters', () => {
  const id = { name: 'X-Request-Id', in: 'header' }
  for (const [name, { parameters }] of operations) expect(parameters?.at(-1), name).toMatchObject(id)
  const [, create] = operations.find(([name]) => name === 'POST /api/v1/jobs') ?? []
  expect(create?.parameters).toMatchObject([
    { name: 'Idempotency-Key', in: 'header' },
    { name: 'traceparent', in: 'header' },
    id,
  ])
})

test.each(schemas)('schema %s has a description and examples that fit it', async (name, { description, examples }) => {
  expect(description?.length ?? 0, name).toBeGreaterThan(5)
  expect(examples?.length ?? 0, name).toBeGreaterThan(0)
  const fits = ajv.compile(whole.components.schemas[name] ?? false)
  for (const example of examples ?? []) expect(fits(example), JSON.stringify(fits.errors)).toBe(true)
})

describe.each(operations)('%s', (_name, { summary, method, path, parameters, body, responses }) => {
  const statuses = Object.keys(responses)

  test('has a summary, and describes each parameter and field of a body', () => {
    expect(summary.length).toBeGreaterThan(3)
    for (const { name, description } of parameters) expect(description, name).toBeTruthy()
    const fields = Object.entries(body ? (resolved(document, body).properties ?? {}) : {})
    for (const [name, field] of fields) expect(resolved(document, field).description, name).toBeTruthy()
  })

  test('lists every failure there may be, each in the shape of an error', () => {
    if (path === '/health' || path === '/livez') return
    const always = ['401', '429', '503']
    const ofBodies = method === 'GET' ? [] : ['400', '403', '413', '415', '422']
    const ofIds = path.includes('{id}') ? ['404', '422'] : []
    expect(statuses).toEqual(expect.arrayContaining([...always, ...ofBodies, ...ofIds]))
    for (const status of statuses.filter((each) => Number(each) >= 400)) {
      const { description, content } = responses[status] ?? {}
      expect(description?.length, status).toBeGreaterThan(5)
      expect(content?.['application/json']?.schema).toMatchObject({ $ref: '#/components/schemas/Error' })
      expect(content?.['application/json']?.example).toMatchObject({ code: Number(status), error: expect.any(String) })
    }
    const goodStatuses = path.endsWith('/events') ? ['200', '204'] : [expect.any(String)]
    expect(statuses.filter((status) => /^[23]/.test(status))).toEqual(goodStatuses)
  })
})

/** Returns the path of each list below a schema that has no maximum. */
function unboundedLists(path: string, schema: JsonSchema): string[] {
  const { type, maxItems, items, properties, anyOf } = resolved(document, schema)
  const parts = [
    ...Object.entries(properties ?? {}),
    ...Object.entries(anyOf ?? []),
    ...(items ? [['[]', items] as const] : []),
  ]
  const below = parts.flatMap(([name, part]) => unboundedLists(`${path} ${name}`, part))
  return type === 'array' && maxItems === undefined ? [path, ...below] : below
}
