import { type ErrorCode, STATUS } from './errors.ts'

type Schema = {
  default?: unknown
  description?: string
  properties?: Record<string, Schema>
  $ref?: string
}
type Media = { schema?: Schema; example?: unknown }
type Response = { description: string; content?: Record<string, Media>; headers?: Record<string, unknown> }
type Operation = {
  operationId?: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content?: Record<string, Media> }
  responses?: Record<string, Response>
}
type DescribedDocument = {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

const HEADER_NAMES = new Map([
  ['idempotency-key', 'Idempotency-Key'],
  ['last-event-id', 'Last-Event-ID'],
])

/** The header that every operation takes. */
const REQUEST_ID_PARAMETER = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'an id for this request, of 1 to 128 letters, digits and `_.:/+=@-`; another text is replaced',
  schema: { type: 'string' },
}

const REQUEST_ID = 'b0c0a1f2-9a51-4a53-8c1e-2f6f3d1f7c55'

/** A typical error of each status, for the examples. */
const EXAMPLES: Partial<Record<string, { error: ErrorCode; message: string; details?: unknown }>> = {
  400: {
    error: 'bad_request',
    message: '`max_result` is not a field here; did you mean `max_results`?',
    details: [{ path: 'max_result', message: 'is not a field here; did you mean `max_results`?' }],
  },
  401: { error: 'unauthorized', message: 'The API key is unknown or revoked.' },
  402: { error: 'insufficient_credits', message: 'The job costs at least 0.157000; 0.120000 credits are available.' },
  403: { error: 'forbidden', message: 'A request with a session cookie must come from this site.' },
  404: { error: 'not_found', message: 'This job does not exist.' },
  409: { error: 'conflict', message: 'The job has already ended.' },
  413: { error: 'too_large', message: 'The body is larger than 256 KiB.' },
  415: { error: 'unsupported_media_type', message: 'Send the body as `application/json`.' },
  422: { error: 'unprocessable', message: 'The body is not valid JSON.' },
  429: { error: 'rate_limited', message: 'Too many requests. Try again in 1 second.' },
  502: { error: 'bad_gateway', message: 'The payment processor sent an invalid answer. Try again.' },
  503: { error: 'unavailable', message: 'The database is unavailable. Try again soon.' },
}

const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema })
const REPLAYED = {
  'Idempotent-Replayed': header('`true` when an earlier request with this Idempotency-Key created the job'),
}
/** The headers of the responses with status 201 that have some of their own, by operation. */
const CREATED: Readonly<Record<string, object>> = {
  createJob: { Location: header('the path of the job'), ...REPLAYED },
  runMonitor: REPLAYED,
}
const RETRY_AFTER = header('seconds to wait before the next attempt', { type: 'integer', minimum: 0 })

/**
 * Completes the operations of a document for people and generators. Each error shows an example of its status, and each
 * response shows its headers. Defaults of request fields move into their descriptions, because some generators treat a
 * field with a default as required. Header parameters get their usual letter case, and each operation takes X-Request-Id.
 */
export function describeOperations<Document extends object>(document: Document): Document {
  const { paths = {}, components } = document as DescribedDocument
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'header') parameter.name = HEADER_NAMES.get(parameter.name) ?? parameter.name
    }
    operation.parameters = [...(operation.parameters ?? []), REQUEST_ID_PARAMETER]
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      describeResponse(status, response, operation.operationId)
    }
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      if (schema) tellDefaults(components?.schemas?.[nameOf(schema)] ?? schema)
    }
  }
  return document
}

function describeResponse(status: string, response: Response, operation: string | undefined): void {
  response.headers = { ...headersOf(status), ...(status === '201' ? CREATED[operation ?? ''] : {}) }
  const media = response.content?.['application/json']
  const example = EXAMPLES[status]
  if (!media?.schema || nameOf(media.schema) !== 'Error' || !example) return
  const { error, message, details } = example
  media.example = { code: STATUS[error], error, message, ...(details ? { details } : {}), request_id: REQUEST_ID }
}

function headersOf(status: string): Record<string, unknown> {
  const id = { 'X-Request-Id': header('the id of this request, also in the logs') }
  return status === '429' || status === '503' ? { ...id, 'Retry-After': RETRY_AFTER } : id
}

const nameOf = (schema: Schema): string => schema.$ref?.split('/').at(-1) ?? ''

function tellDefaults(schema: Schema): void {
  for (const field of Object.values(schema.properties ?? {})) {
    if (!('default' in field)) continue
    const text = `Default: ${JSON.stringify(field.default)}.`
    field.description = field.description === undefined ? text : `${field.description}. ${text}`
    delete field.default
  }
}
