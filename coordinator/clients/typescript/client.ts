import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import { jobFunctions } from './jobs.ts'
import { type RetryOptions, retryingFetch } from './retry.ts'
import type { paths } from './schema.d.ts'

export { answered, PlacefleetError } from './errors.ts'
export type { FollowEvent, FollowOptions, Progress } from './follow.ts'
export { type CreateJobRequest, firstOf, hasEnded, type Job, type Place, type RunOptions } from './jobs.ts'
export type { components, operations, paths } from './schema.d.ts'

export type ClientOptions = {
  /** Where the service runs, e.g. `https://fleet.example`. Default: the page's own site, in a browser. */
  url?: string
  /** Without a key, a browser sends the session of who is signed in. */
  apiKey?: string
  fetch?: (request: Request) => Promise<Response>
  retry?: Partial<RetryOptions>
}

const RETRY: RetryOptions = { attempts: 6, longestWaitMs: 30_000 }

/** Every call of the API, by the types of its own document. Pass what a call returns to `answered`. */
export type Api = Client<paths>
export type PlacefleetClient = ReturnType<typeof createClient>

/**
 * Creates a client of the Placefleet API. `jobs` has what most programs need; `api` has every call.
 * Nothing is sent before the first call.
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

/** Read at each call, so that a `fetch` that is replaced later counts. */
const sendNow = (request: Request): Promise<Response> => globalThis.fetch(request)

/** Gives each creation of a job a key, so that a retry after a lost answer creates no second one. */
const idempotentCreation: Middleware = {
  onRequest({ request, schemaPath }) {
    const isCreation = request.method === 'POST' && schemaPath === '/api/v1/jobs'
    if (!isCreation || request.headers.has('idempotency-key')) return undefined
    request.headers.set('idempotency-key', crypto.randomUUID())
    return request
  },
}
