import type { Send } from './attempt.ts'
import { type Api, createConnection } from './connection.ts'
import { createCredits } from './resources/credits.ts'
import { createJobs } from './resources/jobs.ts'
import { createKeys } from './resources/keys.ts'
import { createKnownPlaces } from './resources/known-places.ts'
import { createMonitors } from './resources/monitors.ts'
import { createTowns } from './resources/towns.ts'
import { createWebhooks } from './resources/webhooks.ts'
import type { Logger, RetryOptions } from './retry.ts'
import { apiKeyOf, urlOf } from './settings.ts'

export { type Api, type Bytes, type CallOptions, type CreateOptions, withResponse } from './connection.ts'
export * from './errors.ts'
export type { FollowEvent, FollowOptions, Progress, WaitOptions } from './follow.ts'
export { firstOf } from './lists.ts'
export { type CreateJobRequest, hasEnded, type Job, jobParts, type Place } from './resources/job-parts.ts'
export type { RunOptions } from './resources/jobs-to-their-end.ts'
export type { Change, ChangeOptions, Monitor } from './resources/monitors.ts'
export type { Logger, RetryOptions } from './retry.ts'
export type { components, operations, paths } from './schema.d.ts'

export type ClientOptions = {
  /** The URL of the service. Default: `PLACEFLEET_URL`; in a browser without it, the site of the page. */
  url?: string | undefined
  /** Default: `PLACEFLEET_API_KEY`. With `null`, and in a browser without a key, the cookie of the session is sent. */
  apiKey?: string | null | undefined
  /** Sends a request in place of the global `fetch`. */
  fetch?: Send | undefined
  retry?: Partial<RetryOptions> | undefined
  /** The longest time of one attempt, in milliseconds. Default: one minute. */
  timeoutMs?: number | undefined
  /** Headers of every call. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Receives a line for each attempt and each retry, e.g. `console`. */
  logger?: Logger | undefined
}

const RETRY: RetryOptions = { attempts: 6, longestWaitMs: 30_000 }

const TIMEOUT_MS = 60_000

/** Reads the global `fetch` at each call, so that a later replacement takes effect. */
const globalFetch: Send = (request) => globalThis.fetch(request)

/**
 * A client of one Placefleet service. Each resource has the calls for it; `api` has every call of the service. It sends
 * nothing before the first call.
 */
export class Placefleet {
  readonly url: string
  readonly api: Api
  readonly jobs: ReturnType<typeof createJobs>
  readonly monitors: ReturnType<typeof createMonitors>
  readonly webhooks: ReturnType<typeof createWebhooks>
  readonly keys: ReturnType<typeof createKeys>
  readonly credits: ReturnType<typeof createCredits>
  readonly knownPlaces: ReturnType<typeof createKnownPlaces>
  readonly towns: ReturnType<typeof createTowns>

  /** @throws ConfigurationError when there is no address or no key. */
  constructor(options: ClientOptions = {}) {
    const { url, apiKey, fetch = globalFetch, retry, timeoutMs = TIMEOUT_MS, headers = {}, logger } = options
    this.url = urlOf(url)
    const connection = createConnection({
      url: this.url,
      apiKey: apiKeyOf(apiKey),
      fetch,
      retry: { ...RETRY, ...retry },
      timeoutMs,
      headers,
      logger,
    })
    this.api = connection.api
    this.jobs = createJobs(connection)
    this.monitors = createMonitors(connection)
    this.webhooks = createWebhooks(connection)
    this.keys = createKeys(connection)
    this.credits = createCredits(connection)
    this.knownPlaces = createKnownPlaces(connection)
    this.towns = createTowns(connection)
  }
}
