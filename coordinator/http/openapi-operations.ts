import { exampleOf, FAILURES } from './responses.ts'

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
  const failure = Object.entries(FAILURES).find(([other]) => other === status)?.[1]
  if (media?.schema && nameOf(media.schema) === 'Error' && failure) media.example = exampleOf(failure)
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
