import { pythonTypes } from '@placefleet/deploy/packages/python-types'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { z } from 'zod'

const HEAD = `// Made by \`npm run api:types\` from the API's own document; do not edit.\n\n`

const Operation = z.object({
  operationId: z.string(),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.looseObject({})).optional() })),
})
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

/** Returns the files that are made from the API's document, by their paths from the root of the repository. */
export async function apiFiles(openapi: string): Promise<Map<string, string>> {
  const document: OpenAPI3 = JSON.parse(openapi, essential)
  const types = astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }))
  return new Map([
    ['coordinator/clients/typescript/schema.d.ts', HEAD + types],
    ['coordinator/clients/python/placefleet/types.py', pythonTypes(JSON.parse(openapi))],
    ['test/api/operations.txt', operationsOf(Document.parse(JSON.parse(openapi)))],
    ['test/api/openapi.json', schemasOf(openapi)],
  ])
}

/**
 * Examples are omitted, because documentation in an editor has no room for them. Failures have the same body
 * everywhere.
 */
function essential(key: string, value: unknown): unknown {
  if (key === 'examples' && Array.isArray(value)) return undefined
  if (key !== 'responses' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([status]) => Number(status) < 400))
}

const TEXTS = ['description', 'summary', 'title', 'examples', 'tags', 'security']

/** Returns undefined in place of what no answer is held against: texts, examples and headers, but not fields so named. */
function withoutTexts(key: string, value: unknown): unknown {
  const isText = TEXTS.includes(key) && (typeof value === 'string' || Array.isArray(value))
  const isHeaders = key === 'headers' && typeof value === 'object' && value !== null && !('type' in value)
  return isText || isHeaders || key === 'example' ? undefined : value
}

/**
 * Returns the document as tests hold requests and answers against it, with a path or a schema on each line. The schemas
 * are sorted: a coordinator lists them in the order in which their modules were imported.
 */
function schemasOf(openapi: string): string {
  const document = JSON.parse(openapi, withoutTexts)
  const lines = (members: object) =>
    Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const of = (members: object) => `{\n${lines(members).join(',\n')}\n}`
  const { openapi: version, paths, components } = document
  const sorted = Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return `{"openapi":"${version}","paths":${of(paths)},"components":{"schemas":${of(sorted)}}}\n`
}

/**
 * Returns each operation with its statuses, and the examples of errors: a change of the API that nobody meant shows
 * here.
 */
function operationsOf({ paths }: z.infer<typeof Document>): string {
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
  return [...lines.sort(), '', ...[...new Set(examples)].sort(), ''].join('\n')
}
