import type { components } from './schema.d.ts'

type ErrorBody = components['schemas']['Error']

/** An error response of the API, or a stream that cannot be resumed. */
export class PlacefleetError extends Error {
  override readonly name = 'PlacefleetError'
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** An identifier for programs, e.g. `insufficient_credits`. */
  readonly code: string
  /** The wrong fields of an invalid request. */
  readonly details: NonNullable<ErrorBody['details']>
  /**
   * The id of the request. The id of the request. The id of the request. The id of the request. The id of the request.
   * The id of the request. Quote it when you ask for help.
   */
  readonly requestId: string | undefined
  /** How long to wait before the next attempt, in seconds, as requested by the API. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Partial<ErrorBody>, retryAfter?: number) {
    super(body.message ?? `The server answered with HTTP status ${status}.`)
    this.status = status
    this.code = body.error ?? 'unknown'
    this.details = body.details ?? []
    this.requestId = body.request_id
    this.retryAfter = retryAfter
  }
}

type Answer<Data> = { data?: Data | undefined; error?: unknown; response: Response }

/**
 * Returns the body of a successful response.
 * @throws PlacefleetError for any other response.
 */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call
  if (response.ok) return data as Data
  const body = typeof error === 'object' && error !== null ? error : {}
  throw new PlacefleetError(response.status, body, retryAfterOf(response))
}

/** Returns the seconds of the header `Retry-After`. */
export function retryAfterOf(response: Response): number | undefined {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isNaN(seconds) ? undefined : seconds
}
