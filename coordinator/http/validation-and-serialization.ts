import { nearestName } from '@placefleet/shared/text'
import fastJson from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { AppError, type ErrorDetail } from './errors.ts'
import { faultText } from './fault-text.ts'

/** A body with thousands of faults must not cause a response with thousands of details. */
const MAX_DETAILS = 20

type Issue = z.core.$ZodIssue

/**
 * Parses a part of a request: `body`, `params`, `querystring` or `headers`.
 * @throws AppError with one detail for each fault.
 */
export function parsePart<Schema extends z.ZodType>(schema: Schema, data: unknown, part?: string): z.output<Schema> {
  const parsed = schema.safeParse(data, { error: faultText, reportInput: true })
  if (parsed.success) return parsed.data
  throw validationFailure(parsed.error.issues, schema, part)
}

/** Validates requests by their zod schemas. Fastify expects that errors are returned. */
export const validateByZod: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    try {
      return { value: parsePart(schema, data, httpPart) }
    } catch (error) {
      if (error instanceof AppError) return { error }
      throw error
    }
  }
}

/**
 * Returns the error of an invalid request: 422 for a malformed id in a path, or when malformed ids are the only faults
 * of a body, else 400.
 */
export function validationFailure(issues: readonly Issue[], schema: z.ZodType, part: string | undefined): AppError {
  const details = firstDetails(issues, schema, part)
  const onlyIds = issues.every((issue) => issue.code === 'invalid_format' && issue.format === 'uuid')
  const message = details
    .slice(0, 3)
    .map(({ path, message }) => (path === '' ? message : `\`${path}\` ${message}`))
    .join('; ')
  return new AppError(part === 'params' || (part === 'body' && onlyIds) ? 'unprocessable' : 'bad_request', message, {
    details,
  })
}

/** Returns the first fault of each path: zod also counts the characters of a string that should be an array. */
function firstDetails(issues: readonly Issue[], schema: z.ZodType, part: string | undefined): ErrorDetail[] {
  const byPath = new Map<string, ErrorDetail>()
  for (const issue of issues) {
    if (byPath.size >= MAX_DETAILS) break
    for (const detail of detailsOf(issue, schema, part)) {
      if (!byPath.has(detail.path)) byPath.set(detail.path, detail)
    }
  }
  return [...byPath.values()].slice(0, MAX_DETAILS)
}

function detailsOf(issue: Issue, schema: z.ZodType, part: string | undefined): ErrorDetail[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: pathOf(issue.path), message: messageOf(issue, part) }]
  const names = fieldNames(schema, issue.path)
  const noun = part === 'querystring' ? 'parameter' : 'field'
  const unknown = issue.keys.slice(0, MAX_DETAILS).map((key) => {
    const written = key.slice(0, 100).toWellFormed()
    return { written, meant: nameAsMeant(written, names) }
  })
  const puzzling = unknown.find(({ meant }) => meant === undefined) // its fault lists all names, the others need not
  return unknown.map((key) => {
    const hint = key.meant === undefined ? '' : `; did you mean \`${key.meant}\`?`
    const list = key === puzzling ? `; the ${noun}s are ${names.join(', ')}` : ''
    return { path: pathOf([...issue.path, key.written]), message: `is not a ${noun} here${hint}${list}` }
  })
}

/** What other services call a field of ours. */
const ELSEWHERE: Partial<Record<string, string>> = {
  latitude: 'lat',
  longitude: 'lon',
  lng: 'lon',
  limit: 'max_results',
  query: 'keywords',
  queries: 'keywords',
  location: 'near',
}

function nameAsMeant(written: string, names: readonly string[]): string | undefined {
  const ours = ELSEWHERE[written.toLowerCase()]
  return ours !== undefined && names.includes(ours) ? ours : nearestName(written, names)
}

function messageOf(issue: Issue, part: string | undefined): string {
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  if (isMissing) return 'is required'
  if (part === 'params' && issue.input === '') return 'is empty; leave out the slash at the end of the path'
  if (part === 'querystring' && Array.isArray(issue.input)) return 'must not be repeated'
  return issue.message
}

const pathOf = (path: readonly PropertyKey[]) => path.map(String).join('.')

/** Returns the field names of a schema at a path, or none where it is not an object with fixed fields. */
function fieldNames(schema: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return fieldNames(schema.unwrap(), path)
  const [first, ...rest] = path
  if (schema instanceof z.ZodObject) {
    return first === undefined ? Object.keys(schema.shape) : fieldNames(schema.shape[String(first)], rest)
  }
  return schema instanceof z.ZodArray && first !== undefined ? fieldNames(schema.element, rest) : []
}

type Serialize = (answer: unknown) => string

/**
 * Serializes responses by their schemas: unknown members are dropped, and a missing one is a server error. The code is
 * compiled when a route first answers, once for all routes with the same schema.
 */
export function createSerializer(): FastifySerializerCompiler<z.ZodType> {
  const compiled = new Map<string, Serialize>()
  const compile = (schema: z.ZodType): Serialize => {
    const text = JSON.stringify(jsonSchemaOf(schema))
    const serialize: Serialize = compiled.get(text) ?? fastJson(JSON.parse(text))
    compiled.set(text, serialize)
    return serialize
  }
  return ({ schema }) => {
    let serialize: Serialize | undefined
    return (answer) => {
      serialize ??= compile(schema)
      return serialize(answer)
    }
  }
}

/**
 * Serializes responses exactly as their route built them. Use it only for pages of places: they are built field by
 * field, and they are so large that the compiled code takes twice as long.
 */
export const serializeAsBuilt: FastifySerializerCompiler<unknown> = () => (answer) => JSON.stringify(answer)

/**
 * Returns the schema without descriptions, so that equal shapes share code, and without formats, because values with a
 * format are not escaped.
 */
function jsonSchemaOf(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      for (const member of ['description', 'examples', 'format'] as const) delete jsonSchema[member]
    },
  })
}
