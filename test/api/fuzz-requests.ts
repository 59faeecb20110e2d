import fc from 'fast-check'
import { anyPath, anyText } from '../harness/any-text.ts'
import {
  type ApiDocument,
  type ApiOperation,
  type JsonSchema,
  operationsOf,
  resolved,
} from '../harness/coordinator/open-api.ts'

/** A request as bytes, and the operation it is meant for; none where the path itself is wild. */
export type FuzzRequest = {
  operation: ApiOperation | undefined
  method: string
  path: string
  headers: Headers
  body: Buffer | undefined
}

type Headers = Record<string, string | string[]>

/** Ids that exist, by the start of the paths that take them. */
export type KnownIds = (path: string) => readonly string[]

const NASTY_TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '\ufeff',
    '𝕏'.repeat(201),
    'x'.repeat(5_001),
    '٥',
    '１',
    'é'.repeat(101),
  ],
  ...['$where', '$gt', "' OR 1=1 --", '../../etc/passwd', '=1+1', '<script>', '%00', '\r\nx: y', '{{7*7}}', '(a+)+$'],
  ...['1e400', 'NaN', 'null', 'true', '-1', '0', '1', '101', '9007199254740993', ' 5', '05', '5.0', '__proto__'],
  ...['https://127.0.0.1/', 'https://[::ffff:a9fe:a9fe]/', 'http://10.0.0.1:1', 'USD', 'en', 'all', 'no_website'],
] as const

const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  anyText({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 250 }),
)
const NUMBERS = [0, -0, -1, 1, 0.5, 20, 21, 500, 501, 2 ** 31, 2 ** 53 + 1, -(2 ** 63), 1e308, 1e-308]
const nastyNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.double({ noNaN: true }))
const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  '$set',
  'a.b',
  '',
]
const key = fc.oneof(fc.constantFrom(...PROTOTYPE_KEYS), fc.string({ maxLength: 12 }))
const junk = fc.oneof(
  nastyText,
  nastyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.array(nastyText, { maxLength: 120 }),
  fc.dictionary(key, fc.oneof(nastyText, nastyNumber), { maxKeys: 5 }),
  fc.jsonValue({ maxDepth: 5 }),
)

/** Values that fit a schema, mostly at its edges. */
export function fitting(document: ApiDocument, given: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolved(document, given)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(document, one, depth)))
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2 ** 31) })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(document, schema.items ?? {}, depth + 1), {
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    case 'object':
      return object(document, schema, depth)
    case 'string':
      return fc.oneof(
        fc.constantFrom('', '52.5', '5', 'https://127.0.0.1:9/', 'socks5://u:p@93.184.216.34:1080'),
        fc.uuid(),
        fc.string({ minLength: 10, maxLength: Math.min(schema.maxLength ?? 40, 40) }),
      )
    default:
      return junk
  }
}

function object(document: ApiDocument, { properties = {}, required = [] }: JsonSchema, depth: number) {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, fitting(document, schema, depth + 1)] as const,
  )
  const requiredKeys = required.filter((name) => name in properties)
  return fc.record(Object.fromEntries(members), { requiredKeys })
}

/** Returns a valid body, a body with one or two wrong members, or an arbitrary body. */
function jsonBody(document: ApiDocument, schema: JsonSchema): fc.Arbitrary<string> {
  const right = fitting(document, schema)
  const names = Object.keys(resolved(document, schema).properties ?? {})
  const wrong = fc.dictionary(fc.oneof(fc.constantFrom(...names, ...PROTOTYPE_KEYS), key), junk, {
    minKeys: 1,
    maxKeys: 2,
  })
  const spoiled = fc.tuple(right, wrong).map(([value, changes]) => withMembers(value, changes))
  return fc.oneof(
    { weight: 5, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: spoiled },
    { weight: 1, arbitrary: junk.map((value) => JSON.stringify(value)) },
  )
}

/** Writes the members behind each other, so that names may come twice and `__proto__` is a member like any other. */
function withMembers(value: unknown, changes: Record<string, unknown>): string {
  const members = [...Object.entries(Object(value)), ...Object.entries(changes)]
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member) ?? 'null'}`).join(',')}}`
}

const rawBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('{"a":', '[', '{}x', '{"a":1e400}', '{"a":NaN}', '', '"\ud800"', `${'['.repeat(50_000)}`, '\ufeff{}')
    .map((text) => Buffer.from(text)),
  fc.constantFrom(270_000, 262_144).map((size) => Buffer.from(`"${'x'.repeat(size - 2)}"`)),
)

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'application/json, x'],
      ...['multipart/form-data', 'APPLICATION/JSON', 'application/json\t; a', 'x', '', 'application/octet-stream'],
    ),
  },
)
const headerText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 33, max: 126 }), fc.integer({ min: 160, max: 255 }))
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
})
const EXTRA_HEADERS = [
  'idempotency-key',
  'x-request-id',
  'accept',
  'accept-encoding',
  'cookie',
  'origin',
  'x-forwarded-for',
]
const extraHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Headers>({}) },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...EXTRA_HEADERS), headerText, { maxKeys: 2 }) },
  { weight: 1, arbitrary: fc.constant<Headers>({ 'idempotency-key': ['one', 'two'] }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('gzip', 'br', 'identity', 'x')
      .map((encoding): Headers => ({ 'content-encoding': encoding })),
  },
)

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

function queryOf(operation: ApiOperation): fc.Arbitrary<string> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const name = fc.oneof(
    { weight: 4, arbitrary: names.length > 0 ? fc.constantFrom(...names) : fc.constant('x') },
    { weight: 1, arbitrary: key },
  )
  const value = fc.oneof(fc.constantFrom('1', '5', 'asc', 'name', 'none,has', 'csv', 'bonus'), nastyText)
  const pair = fc.tuple(name, value).map(([left, right]) => `${encoded(left)}=${encoded(right)}`)
  const pairs = fc.array(pair, { maxLength: 4 }).map((all) => all.join('&'))
  return fc.oneof({ weight: 3, arbitrary: pairs }, { weight: 1, arbitrary: fc.constant('') })
}

function pathOf(operation: ApiOperation, known: KnownIds): fc.Arbitrary<string> {
  const text = fc.oneof(fc.constantFrom('x', '..', '%', 'a/b', '\0', 'x'.repeat(300)), nastyText)
  const ids = known(operation.path)
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: text },
  )
  return fc.array(id, { minLength: 2, maxLength: 2 }).map((values) => {
    let next = 0
    return operation.path.replaceAll(/\{\w+\}/g, () => encoded(values[next++] ?? ''))
  })
}

function requestTo(document: ApiDocument, operation: ApiOperation, known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const json = operation.body
    ? jsonBody(document, operation.body).map((text) => Buffer.from(text))
    : fc.constant(undefined)
  const body = fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: rawBody })
  return fc
    .record({ path: pathOf(operation, known), query: queryOf(operation), body, type: contentType, extra: extraHeaders })
    .map(({ path, query, body, type, extra }) => ({
      operation,
      method: operation.method,
      path: query === '' ? path : `${path}?${query}`,
      headers: { ...extra, ...(body && type !== '' ? { 'content-type': type } : {}) },
      body,
    }))
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
const wildPath = fc.oneof(
  anyPath.map((path) => `/api/v1${path}`),
  fc.constantFrom(
    '/',
    '/api',
    '/api/v1/',
    '//',
    '/api/v1/jobs/',
    '/api/v1/jobs/../jobs',
    '/health?x',
    '/api/v1/jobs/%zz',
    '/%',
  ),
  fc
    .string({ unit: fc.integer({ min: 33, max: 255 }).map((code) => String.fromCharCode(code)) })
    .map((text) => `/${text}`),
)
const wildRequest: fc.Arbitrary<FuzzRequest> = fc.record({
  operation: fc.constant(undefined),
  method: fc.constantFrom(...METHODS),
  path: wildPath,
  headers: extraHeaders,
  body: fc.option(rawBody, { nil: undefined }),
})

/** A method that the path has for no operation. */
const wrongMethod: fc.Arbitrary<FuzzRequest> = fc.record({
  operation: fc.constant(undefined),
  method: fc.constantFrom('PUT', 'PATCH'),
  path: fc.constantFrom('/api/v1/jobs', '/api/v1/monitors', '/api/v1/estimate', '/api/v1/api-keys'),
  headers: extraHeaders,
  body: fc.constant(undefined),
})

/** Requests to every operation of the document, from right to absurd. */
export function fuzzRequests(document: ApiDocument, known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const perOperation = operationsOf(document).map((operation) => ({
    weight: isForOperators(operation) ? 1 : operation.body ? 8 : 4,
    arbitrary: requestTo(document, operation, known),
  }))
  return fc.oneof(...perOperation, { weight: 12, arbitrary: wildRequest }, { weight: 12, arbitrary: wrongMethod })
}

/** Returns whether an operation is for operators. The key is a user's, so all of these are refused. */
const isForOperators = ({ path }: ApiOperation) => path.startsWith('/api/v1/admin/')
