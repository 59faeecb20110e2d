import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import { jobFunctions } from './jobs.ts'
import { type RetryOptions, retryingFetch } from './retry.ts'
import type { paths } from './schema.d.ts'

export { answered, PlacefleetError } from './errors.ts'
export type { FollowEvent, FollowOptions, Progress } from './follow.ts'
export { type CreateJobRequest, firstOf, hasEnded, type Job, type Place, type RunOptions } from './jobs.ts'
export type { components, operations, paths } from './schema.d.ts'

export type ClientOptions = {
  /** The URL of the service, e.g. `https://fleet.example`. Default in a browser: the site of the page. */
  url?: string
  /** Without a key, a browser sends the cookie of the current session. */
  apiKey?: string
  fetch?: (request: Request) => Promise<Response>
  retry?: Partial<RetryOptions>
}

const RETRY: RetryOptions = { attempts: 6, longestWaitMs: 30_000 }

/** Every call of the API, with types from its OpenAPI document. Pass the result of a call to `answered`. */
export type Api = Client<paths>
export type PlacefleetClient = ReturnType<typeof createClient>

/**
 * Creates a client of the Placefleet API. `jobs` has the functions that most programs need; `api` has every call. It
 * sends nothing before the first call.
 */
export function createClient({ url = '', apiKey, fetch = sendNow, retry }: ClientOptions = {}) {
  const api: Api = createFetchClient<paths>({
    baseUrl: url,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    fetch: retryingFetch(fetch, { ...RETRY, ...retry }),
  })
  api.use(idempotentCreation)
  return { url, api, jobs: jobFunctions(api) }
}

/** Reads the global `fetch` at each call, so that a later replacement takes effect. */
const sendNow = (request: Request): Promise<Response> => globalThis.fetch(request)

/** Adds an idempotency key to each creation of a job, so that a retry after a lost response creates no second job. */
const idempotentCreation: Middleware = {
  onRequest({ request, schemaPath }) {
    const isCreation = request.method === 'POST' && schemaPath === '/api/v1/jobs'
    if (!isCreation || request.headers.has('idempotency-key')) return undefined
    request.headers.set('idempotency-key', crypto.randomUUID())
    return request
  },
}
