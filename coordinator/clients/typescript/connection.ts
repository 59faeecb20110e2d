import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import type { Send } from './attempt.ts'
import { InvalidResponseError } from './errors.ts'
import { type Logger, type RetryOptions, sendWithRetries } from './retry.ts'
import type { operations, paths } from './schema.d.ts'
import { isPage } from './settings.ts'
import { VERSION } from './version.ts'

/** Options of any call. */
export type CallOptions = {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** The longest time of one attempt, in milliseconds. The default is that of the client. */
  timeoutMs?: number | undefined
  /** Headers besides those of the client. */
  headers?: Readonly<Record<string, string>> | undefined
  /** How this call is retried, in place of the client's options. */
  retry?: Partial<RetryOptions> | undefined
  /** Called with each response that the call ends with. Its body is read already, or by the caller of a download. */
  onResponse?: ((response: Response) => void) | undefined
}

export type CreateOptions = CallOptions & {
  /** A repeated request with the same key does nothing again within 24 hours. Default: a new key. */
  idempotencyKey?: string | undefined
}

/** Every call of the API, with types from its OpenAPI document. Pass the result of a call to `unwrap`. */
export type Api = Client<paths>

/** The query of an operation. */
export type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>

/** Calls, and how each one is sent. Every resource has it. */
export type Connection = {
  api: Api
  /** Returns the options of openapi-fetch for a call. */
  sent(options?: CallOptions & { streams?: boolean }): {
    signal: AbortSignal | null
    fetch: Send
    headers: Readonly<Record<string, string>>
  }
}

export type ConnectionOptions = {
  url: string
  apiKey: string | undefined
  fetch: Send
  retry: RetryOptions
  timeoutMs: number
  headers: Readonly<Record<string, string>>
  logger: Logger | undefined
}

/** Creates the connection to a service. It sends nothing before the first call. */
export function createConnection(options: ConnectionOptions): Connection {
  const { url, apiKey, fetch, retry, timeoutMs, headers, logger } = options
  const sent: Connection['sent'] = (call = {}) => {
    const limits = { timeoutMs: call.timeoutMs ?? timeoutMs, streams: call.streams === true }
    const send = { ...retry, ...call.retry, ...limits, logger }
    return {
      signal: call.signal ?? null,
      headers: call.headers ?? {},
      async fetch(request) {
        const response = await sendWithRetries(fetch, request, send)
        call.onResponse?.(response)
        return response
      },
    }
  }
  const api: Api = createFetchClient<paths>({
    baseUrl: url,
    headers: {
      ...(isPage() ? {} : { 'user-agent': `placefleet-js/${VERSION}` }), // a page has that of its browser
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    fetch: sent().fetch,
  })
  api.use(idempotency)
  return { api, sent }
}

type PostHeaders<Path extends keyof paths> = paths[Path] extends { post: { parameters: { header?: infer Headers } } }
  ? keyof NonNullable<Headers>
  : never

/** The paths whose POST takes an idempotency key. */
type WithKey = { [Path in keyof paths]: 'Idempotency-Key' extends PostHeaders<Path> ? Path : never }[keyof paths]

const WITH_KEY: Readonly<Record<WithKey, true>> = {
  '/api/v1/jobs': true,
  '/api/v1/monitors': true,
  '/api/v1/monitors/{id}/run': true,
}

/** Adds an idempotency key where one is possible, so that a retry after a lost response does nothing twice. */
const idempotency: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method !== 'POST' || !(schemaPath in WITH_KEY)) return undefined
    if (request.headers.has('idempotency-key')) return undefined
    request.headers.set('idempotency-key', crypto.randomUUID())
    return request
  },
}

/** Returns the header of the caller's own idempotency key. */
export const keyHeader = (key: string | undefined) => (key === undefined ? {} : { 'Idempotency-Key': key })

/** What a call returned, with the status and the headers of its last response. */
export type WithResponse<Data> = { data: Data; status: number; headers: Headers; requestId: string | undefined }

/**
 * Makes a call, and returns its result with the response: `withResponse((options) => placefleet.jobs.get(id,
 * options))`. The headers say for example what remains of a rate limit. A call of several requests has the response of
 * the last one.
 * @throws the errors of the call.
 */
export async function withResponse<Data>(call: (options: CallOptions) => Promise<Data>): Promise<WithResponse<Data>> {
  let last: Response | undefined
  const onResponse = (response: Response) => {
    last = response
  }
  const data = await call({ onResponse })
  if (last === undefined) throw new TypeError('The call sent no request. Pass it the options that it is called with.')
  const { status, headers } = last
  return { data, status, headers, requestId: headers.get('x-request-id') ?? undefined }
}

/** The bytes of a file while they arrive. `fs.writeFile` and `new Response()` take them. */
export type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Returns the body of a download. @throws InvalidResponseError when it has none. */
export function bodyOf<Body>(body: Body | null | undefined): Body {
  if (body !== null && body !== undefined) return body
  throw new InvalidResponseError({
    status: 200,
    body: { error: 'invalid_response', message: 'The answer has no body.' },
  })
}
