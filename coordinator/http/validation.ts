import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { AppError, type ErrorDetail } from './errors.ts'
import { nearestName } from './nearest-name.ts'

/** A body with thousands of faults must not cause a response with thousands of details. */
const MAX_DETAILS = 20

type Issue = z.core.$ZodIssue

/** Validates requests by their zod schemas. A rejected request throws an AppError with one detail for each fault. */
export const validateByZod: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const parsed = schema.safeParse(data, { reportInput: true })
    return parsed.success ? { value: parsed.data } : { error: validationFailure(parsed.error.issues, schema, httpPart) }
  }
}

/**
 * Returns the error of an invalid request: 422 for a malformed id in a path, or when malformed ids are the only faults,
 * else 400 (DECISIONS, "Errors").
 */
export function validationFailure(issues: readonly Issue[], schema: z.ZodType, part: string | undefined): AppError {
  const details = issues.flatMap((issue) => detailsOf(issue, schema, part)).slice(0, MAX_DETAILS)
  const onlyIds = issues.every((issue) => issue.code === 'invalid_format' && issue.format === 'uuid')
  const message = details
    .slice(0, 3)
    .map(({ path, message }) => (path === '' ? message : `\`${path}\` ${message}`))
    .join('; ')
  return new AppError(part === 'params' || onlyIds ? 'unprocessable' : 'bad_request', message, { details })
}

function detailsOf(issue: Issue, schema: z.ZodType, part: string | undefined): ErrorDetail[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: pathOf(issue.path), message: messageOf(issue, part) }]
  const names = fieldNames(schema, issue.path)
  return issue.keys.slice(0, MAX_DETAILS).map((key) => {
    const written = key.slice(0, 100).toWellFormed()
    return { path: pathOf([...issue.path, written]), message: unknownField(written, names) }
  })
}

function messageOf(issue: Issue, part: string | undefined): string {
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  if (isMissing) return 'is required'
  if (part === 'querystring' && Array.isArray(issue.input)) return 'must not be repeated'
  return issue.message
}

function unknownField(written: string, names: readonly string[]): string {
  const nearest = nearestName(written, names)
  const hint = nearest === undefined ? `the fields are ${names.join(', ')}` : `did you mean \`${nearest}\`?`
  return `is not a field here; ${hint}`
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
