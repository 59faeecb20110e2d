import { z } from 'zod'

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
  .meta({
    id: 'Error',
    description: 'An error.',
    examples: [
      {
        code: 400,
        error: 'bad_request',
        message: '`max_result` is not a field here; did you mean `max_results`?',
        details: [{ path: 'max_result', message: 'is not a field here; did you mean `max_results`?' }],
        request_id: 'b0c0a1f2-9a51-4a53-8c1e-2f6f3d1f7c55',
      },
    ],
  })
export type ErrorBody = z.infer<typeof ErrorBody>

const MEANING = {
  400: 'A field or parameter is wrong; see `details`',
  401: 'The API key or session is missing or not valid',
  402: 'Not enough credits, the limit of the API key is reached, or the job failed',
  403: 'Not allowed with this credential, or a call with a session cookie that does not come from this site',
  404: 'Not found, or it belongs to another user',
  409: 'Not possible in the current state',
  413: 'The body is larger than 256 KiB',
  415: 'The body is not `application/json`',
  422: 'The body is not JSON, or an id is malformed',
  429: 'Too many requests; see `Retry-After`',
  502: 'The payment processor sent an invalid answer',
  503: 'Temporarily unavailable; see `Retry-After`',
} as const

type FailureStatus = keyof typeof MEANING
type ErrorResponses = Partial<Record<FailureStatus, typeof ErrorBody>>

/** All routes share these schemas. */
const RESPONSES = new Map(
  Object.entries(MEANING).map(([status, meaning]) => [Number(status), ErrorBody.describe(meaning)]),
)

/** Returns the errors of a route, for its schema. 401, 429 and 503 are always included. */
export const errorResponses = (...statuses: FailureStatus[]): ErrorResponses =>
  Object.fromEntries([...statuses, 401, 429, 503].map((status) => [status, RESPONSES.get(status)]))

/** Returns the errors of every call with a body. */
export const bodyFailures = (): ErrorResponses => errorResponses(400, 403, 413, 415, 422)

/** Returns a JSON response, for a route's schema. */
export function jsonResponse<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  return schema.describe(description)
}

/**
 * Returns a response without a body, for a route's schema: `reply.code(204).send()`. The API description shows it as
 * type null.
 */
export const noContent = (description: string) => z.void().meta({ type: 'null', description })
