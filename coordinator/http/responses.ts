import { z } from 'zod'
import { type ErrorCode, STATUS } from './errors.ts'

/** What a status means, and a typical error with it. */
type Failure = { meaning: string; error: ErrorCode; message: string; details?: { path: string; message: string }[] }

/** The statuses of errors that operations list. */
export const FAILURES = {
  400: {
    meaning: 'A field or parameter is wrong; see `details`',
    error: 'bad_request',
    message: '`max_result` is not a field here; did you mean `max_results`?',
    details: [{ path: 'max_result', message: 'is not a field here; did you mean `max_results`?' }],
  },
  401: {
    meaning: 'The API key or session is missing or not valid',
    error: 'unauthorized',
    message: 'The API key is unknown or revoked.',
  },
  402: {
    meaning: 'Not enough credits, the limit of the API key is reached, or the job failed',
    error: 'insufficient_credits',
    message: 'The job costs at least 0.157000; 0.120000 credits are available.',
  },
  403: {
    meaning: 'Not allowed with this credential, or a call with a session cookie that does not come from this site',
    error: 'forbidden',
    message: 'A request with a session cookie must come from this site.',
  },
  404: {
    meaning: 'Not found, or it belongs to another user',
    error: 'not_found',
    message: 'This job does not exist.',
  },
  409: { meaning: 'Not possible in the current state', error: 'conflict', message: 'The job has already ended.' },
  413: {
    meaning: 'The body is larger than 256 KiB',
    error: 'too_large',
    message: 'The body is larger than 256 KiB.',
  },
  415: {
    meaning: 'The body is not `application/json`',
    error: 'unsupported_media_type',
    message: 'Send the body as `application/json`.',
  },
  422: {
    meaning: 'The body is not JSON, or an id is malformed',
    error: 'unprocessable',
    message: 'The body is not valid JSON.',
  },
  429: {
    meaning: 'Too many requests; see `Retry-After`',
    error: 'rate_limited',
    message: 'Too many requests. Try again in 1 second.',
  },
  502: {
    meaning: 'The payment processor sent an invalid answer',
    error: 'bad_gateway',
    message: 'The payment processor sent an invalid answer. Try again.',
  },
  503: {
    meaning: 'Temporarily unavailable; see `Retry-After`',
    error: 'unavailable',
    message: 'The database is unavailable. Try again soon.',
  },
} as const satisfies Record<number, Failure>

export type FailureStatus = keyof typeof FAILURES

/** The body of a typical error. */
export const exampleOf = ({ error, message, details }: Failure) => ({
  code: STATUS[error],
  error,
  message,
  ...(details && { details }),
  request_id: 'b0c0a1f2-9a51-4a53-8c1e-2f6f3d1f7c55',
})

/** The body of every error response. */
export const ErrorBody = z
  .object({
    code: z.int().describe('repeats the HTTP status'),
    message: z.string().describe('what is wrong and what to do'),
    error: z.string().describe('an identifier for programs, for example `insufficient_credits`'),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('for validation errors: each wrong field'),
    request_id: z.string().describe('same as the header X-Request-Id; quote it when you ask for help'),
  })
  .meta({ id: 'Error', description: 'An error.', examples: [exampleOf(FAILURES[400])] })
export type ErrorBody = z.infer<typeof ErrorBody>

/** All routes share these schemas. */
const RESPONSES = new Map(
  Object.entries(FAILURES).map(([status, { meaning }]) => [Number(status), ErrorBody.describe(meaning)]),
)

/** The errors of a route that do not follow from its access, parameters and body, for its schema. */
export const errorResponses = (...statuses: FailureStatus[]): Partial<Record<FailureStatus, typeof ErrorBody>> =>
  Object.fromEntries(statuses.map((status) => [status, RESPONSES.get(status)]))

/** Returns a JSON response, for a route's schema. */
export function jsonResponse<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  return schema.describe(description)
}

/**
 * Returns a response without a body, for a route's schema: `reply.code(204).send()`. The API description shows it as
 * type null.
 */
export const noContent = (description: string) => z.void().meta({ type: 'null', description })

/** A response that a route writes itself, by content type, for its schema. */
export const writtenResponse = (description: string, content: Record<string, { schema: z.ZodType }>) => ({
  description,
  content,
})
