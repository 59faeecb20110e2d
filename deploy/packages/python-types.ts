import { z } from 'zod'

// What the API's document uses of JSON Schema. A key that says only which values are valid has no part in a type.
type Schema = {
  $ref?: string | undefined
  type?: string | undefined
  description?: string | undefined
  enum?: unknown[] | undefined
  const?: unknown
  items?: Schema | undefined
  oneOf?: Schema[] | undefined
  anyOf?: Schema[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  additionalProperties?: Schema | boolean | undefined
}
const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    items: Schema.optional(),
    oneOf: z.array(Schema).optional(),
    anyOf: z.array(Schema).optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
  }),
)

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  requestBody: z.unknown().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        description: z.string().optional(),
        schema: Schema,
      }),
    )
    .default([]),
  responses: z.record(
    z.string(),
    z.object({ content: z.record(z.string(), z.object({ schema: Schema })).default({}) }),
  ),
})
type Operation = z.infer<typeof Operation>

const Document = z.object({
  components: z.object({ schemas: z.record(z.string(), Schema) }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})

const HEAD = `"""The types of the API. Made by \`npm run api:types\` from the API's own document; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict`

/** The tags of the calls that the client has. */
const TAGS = ['jobs', 'results', 'monitors', 'known places', 'webhooks', 'API keys', 'credits', 'towns']

/** What the service sends, not what it answers. */
const EVENT = 'WebhookEvent'

/** A job with the settings of another one has its required fields from there. */
const CHANGES = ['CreateJobRequest']

/** The lists of the client read page after page. */
const PAGING = ['page', 'before']

/** Writes the Python types of an OpenAPI document: dictionaries for its schemas, the queries and the streams. */
export function pythonTypes(json: unknown): string {
  const { components, paths } = Document.parse(json)
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags }) => tags.some((tag) => TAGS.includes(tag)))
    .sort((a, b) => a.operationId.localeCompare(b.operationId))
  const used = reachable(components.schemas, [...namesIn(operations), EVENT])
  const classes: string[] = []
  const aliases: string[] = []
  const define = (name: string, schema: Schema): void => {
    if (schema.properties !== undefined) classes.push(...classOf(name, schema))
    else aliases.push(aliasOf(name, schema, classes))
  }
  for (const [name, schema] of Object.entries(components.schemas).sort(([a], [b]) => a.localeCompare(b))) {
    if (used.has(name)) define(name, schema)
  }
  for (const name of CHANGES) define(`${name}Changes`, { ...components.schemas[name], required: [] })
  for (const operation of operations) {
    const name = capitalized(operation.operationId)
    const query = queryOf(operation)
    if (query !== undefined) define(`${name}Query`, query)
    const event = operation.responses['200']?.content['application/x-ndjson']?.schema
    if (event !== undefined) define(`${name}Event`, event)
  }
  return `${[HEAD, ...classes, aliases.join('\n')].join('\n\n\n')}\n`
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

const namesIn = (part: unknown): string[] => [...JSON.stringify(part).matchAll(REFERENCE)].map(([, name = '']) => name)

/** Returns the names of schemas, and of those that they refer to. */
function reachable(schemas: Record<string, Schema>, names: string[]): Set<string> {
  const found = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    waiting.push(...namesIn(schemas[name]))
  }
  return found
}

function queryOf({ parameters }: Operation): Schema | undefined {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && !PAGING.includes(parameter.name))
  if (inQuery.length === 0) return undefined
  return {
    properties: Object.fromEntries(inQuery.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: inQuery.flatMap(({ name, required }) => (required ? [name] : [])),
  }
}

/** A class of Python cannot have a field with the name of one of its keywords. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** Returns the dictionary of an object, behind those of the objects in it. */
function classOf(name: string, schema: Schema): string[] {
  const { properties = {}, required = [], description } = schema
  if (Object.keys(properties).some((field) => KEYWORDS.has(field))) return dictionaryOf(name, schema)
  const inner: string[] = []
  const fields = Object.entries(properties).map(([field, schema]) => {
    if (!/^[a-z_][a-z0-9_]*$/i.test(field)) throw new Error(`${name}.${field} cannot be a name in Python.`)
    const type = typeOf(schema, name + pascalCased(field), inner)
    const line = `    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}`
    return schema.description === undefined ? line : `${line}\n    ${docstring(schema.description)}`
  })
  const head = `class ${name}(TypedDict):`
  const body = fields.length === 0 ? ['    pass'] : fields
  return [
    ...inner,
    [head, ...(description === undefined ? [] : [`    ${docstring(description)}`, '']), ...body].join('\n'),
  ]
}

/** Returns a dictionary without a class. Its types are texts: they may stand before what they name. */
function dictionaryOf(name: string, { properties = {}, required = [], description }: Schema): string[] {
  const inner: string[] = []
  const fields = Object.entries(properties).map(([field, schema]) => {
    const type = typeOf(schema, name + pascalCased(field), inner)
    const line = `        "${field}": ${JSON.stringify(required.includes(field) ? type : `NotRequired[${type}]`)},`
    return schema.description === undefined ? line : `        # ${schema.description}\n${line}`
  })
  const text = [`${name} = TypedDict(`, `    "${name}",`, '    {', ...fields, '    },', ')']
  return [...inner, [...text, ...(description === undefined ? [] : [docstring(description)])].join('\n')]
}

/** A union of more types than these has a line for each. */
const TYPES_OF_A_LINE = 3

function aliasOf(name: string, schema: Schema, classes: string[]): string {
  const types = (schema.oneOf ?? schema.anyOf ?? [schema]).map((option, index) =>
    typeOf(option, `${name}${tagOf(option) ?? index + 1}`, classes),
  )
  const text = types.length > TYPES_OF_A_LINE ? `(\n    ${types.join('\n    | ')}\n)` : types.join(' | ')
  return `${name}: TypeAlias = ${text}`
}

/** Returns what the field \`type\` of an event says, which names its class. */
function tagOf({ properties }: Schema): string | undefined {
  const tag = properties?.type?.const ?? properties?.type?.enum?.[0]
  return typeof tag === 'string' ? pascalCased(tag) : undefined
}

/** Returns the type of a schema. The class of an object in it gets a name, and goes to `classes`. */
function typeOf(schema: Schema, name: string, classes: string[]): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '')
  if (isLiteral(schema.const)) return `Literal[${literal(schema.const)}]`
  if (schema.enum?.every(isLiteral)) return `Literal[${schema.enum.map(literal).join(', ')}]`
  const options = schema.oneOf ?? schema.anyOf
  if (options !== undefined) {
    const types = options.map((option, index) => typeOf(option, `${name}${tagOf(option) ?? index + 1}`, classes))
    return [...new Set(types)].join(' | ')
  }
  if (schema.properties !== undefined) {
    classes.push(...classOf(name, schema))
    return name
  }
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`, classes)}]`
  if (schema.type === 'object') {
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
    return `dict[str, ${typeOf(values, `${name}Value`, classes)}]`
  }
  return (schema.type && PRIMITIVES[schema.type]) ?? 'Any'
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** Python has no literal types of fractions. */
const isLiteral = (value: unknown): boolean =>
  value === null || Number.isInteger(value) || typeof value === 'string' || typeof value === 'boolean'

/** Writes a value in Python. */
function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** A raw string, because the texts have backslashes of their own. */
function docstring(text: string): string {
  const quoted = text.replaceAll('"""', "'''")
  const mark = quoted.includes('\\') ? 'r' : ''
  return `${mark}"""${quoted}${quoted.endsWith('"') ? ' ' : ''}"""`
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const pascalCased = (name: string): string =>
  name
    .split(/[^a-z0-9]+/i)
    .map(capitalized)
    .join('')
