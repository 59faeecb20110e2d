import type { components } from './schema.d.ts'

type ErrorBody = components['schemas']['Error']

/** What an error knows. Errors without a response have only a `message` and an `error`. */
export type ErrorFacts = {
  status: number
  body: Partial<ErrorBody>
  retryAfter?: number | undefined
  cause?: unknown
}

/** A failed call. Its subclasses say how it failed. */
export class PlacefleetError extends Error {
  override name = 'PlacefleetError'
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** An identifier for programs, e.g. `insufficient_credits`. */
  readonly code: string
  /** The wrong fields of an invalid request. */
  readonly details: NonNullable<ErrorBody['details']>
  /** The id of the request. Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** How long to wait before the next attempt, in seconds, as requested by the API. */
  readonly retryAfter: number | undefined

  constructor({ status, body, retryAfter, cause }: ErrorFacts) {
    super(body.message ?? `The server answered with HTTP status ${status}.`, { cause })
    this.status = status
    this.code = body.error ?? `http_${status}`
    this.details = body.details ?? []
    this.requestId = body.request_id
    this.retryAfter = retryAfter
  }
}

/** The client has no address or no key. */
export class ConfigurationError extends PlacefleetError {
  override name = 'ConfigurationError'
}

/** There was no answer. `cause` says why. */
export class APIConnectionError extends PlacefleetError {
  override name = 'APIConnectionError'
}

/** There was no answer in time. */
export class APITimeoutError extends APIConnectionError {
  override name = 'APITimeoutError'
}

/** The answer does not come from Placefleet, e.g. because a proxy answered with a page of its own. */
export class InvalidResponseError extends PlacefleetError {
  override name = 'InvalidResponseError'
}

/** A field of the request is wrong (400, 413, 415, 422). `details` names the fields. */
export class InvalidRequestError extends PlacefleetError {
  override name = 'InvalidRequestError'
}

/** The API key is missing, unknown or revoked (401). */
export class AuthenticationError extends PlacefleetError {
  override name = 'AuthenticationError'
}

/** The job failed, so it has no results (402 with the code `job_failed`). Its `failure_reason` says why. */
export class JobFailedError extends PlacefleetError {
  override name = 'JobFailedError'
}

/** The account has not enough credits, or the key has reached its limit (402). */
export class InsufficientCreditsError extends PlacefleetError {
  override name = 'InsufficientCreditsError'
}

/** The key may not do this (403). */
export class PermissionDeniedError extends PlacefleetError {
  override name = 'PermissionDeniedError'
}

/** It does not exist, or it is not yours (404). */
export class NotFoundError extends PlacefleetError {
  override name = 'NotFoundError'
}

/** The present state does not allow this, e.g. the job has ended (409). */
export class ConflictError extends PlacefleetError {
  override name = 'ConflictError'
}

/** Too many requests or active jobs (429). `retryAfter` says how long to wait. */
export class RateLimitError extends PlacefleetError {
  override name = 'RateLimitError'
}

/** The service failed, or it is not available (5xx). */
export class ServerError extends PlacefleetError {
  override name = 'ServerError'
}

const BY_STATUS: Readonly<Record<number, typeof PlacefleetError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: InsufficientCreditsError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
}

/** Errors that a status does not tell apart. */
const BY_CODE: Readonly<Record<string, typeof PlacefleetError>> = { job_failed: JobFailedError }

type Answer<Data> = { data?: Data | undefined; error?: unknown; response: Response }

/**
 * Returns the body of a successful response.
 * @throws PlacefleetError for any other response, and when there is none. An aborted call throws the reason of its signal.
 */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call.catch(throwInvalidResponse)
  if (response.ok) return data as Data
  const body = typeof error === 'object' && error !== null ? error : {}
  const kind =
    BY_CODE[('error' in body && typeof body.error === 'string' && body.error) || ''] ??
    BY_STATUS[response.status] ??
    (response.status >= 500 ? ServerError : PlacefleetError)
  throw new kind({ status: response.status, body, retryAfter: retryAfterOf(response) })
}

function throwInvalidResponse(cause: unknown): never {
  if (!(cause instanceof SyntaxError)) throw cause
  const message = 'The answer is not JSON, so it does not come from Placefleet. Check the address of the service.'
  throw new InvalidResponseError({ status: 200, body: { error: 'invalid_response', message }, cause })
}

/** Returns the seconds of the header `Retry-After`. */
export function retryAfterOf(response: Response): number | undefined {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isNaN(seconds) ? undefined : seconds
}
