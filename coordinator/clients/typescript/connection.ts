import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import type { Send } from './attempt.ts'
import { type RetryOptions, sendWithRetries } from './retry.ts'
import type { operations, paths } from './schema.d.ts'

/** Options of any call. */
export type CallOptions = {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** The longest time of one attempt, in milliseconds. The default is that of the client. */
  timeoutMs?: number | undefined
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
  sent(options?: CallOptions & { streams?: boolean }): { signal: AbortSignal | null; fetch: Send }
}

export type ConnectionOptions = {
  url: string
  apiKey: string | undefined
  fetch: Send
  retry: RetryOptions
  timeoutMs: number
}

/** Creates the connection to a service. It sends nothing before the first call. */
export function createConnection({ url, apiKey, fetch, retry, timeoutMs }: ConnectionOptions): Connection {
  const sent: Connection['sent'] = (options = {}) => {
    const send = { ...retry, timeoutMs: options.timeoutMs ?? timeoutMs, streams: options.streams === true }
    return { signal: options.signal ?? null, fetch: (request) => sendWithRetries(fetch, request, send) }
  }
  const api: Api = createFetchClient<paths>({
    baseUrl: url,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
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
