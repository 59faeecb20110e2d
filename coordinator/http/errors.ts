/** The HTTP status of every failure that a user can cause, by identifier. */
export const STATUS = {
  bad_request: 400,
  authorization_pending: 400,
  access_denied: 400,
  expired_token: 400,
  invalid_grant: 400,
  unauthorized: 401,
  sign_in_link_invalid: 401,
  insufficient_credits: 402,
  key_limit: 402,
  job_failed: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  run_in_progress: 409,
  idempotency_key_in_use: 409,
  idempotency_key_in_use_with_different_body: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  concurrent_job_limit: 429,
  bad_gateway: 502,
  unavailable: 503,
  billing_unavailable: 503,
  billing_not_configured: 503,
} as const

export type ErrorCode = keyof typeof STATUS

export type ErrorDetail = { path: string; message: string }

type ErrorExtras = {
  cause?: unknown
  /** The faults of a rejected request, with the path of each field. */
  details?: ErrorDetail[]
  /** Response headers, names in lower case. */
  headers?: Record<string, string>
}

/** A failure with a text for the user that says what to do, and a cause for the log that users never see. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, { cause: extras.cause })
    this.code = code
    this.details = extras.details
    this.headers = extras.headers ?? {}
  }

  /** The HTTP status of the response. */
  get status(): number {
    return STATUS[this.code]
  }
}

/** What a path, a tool or a command names by its id. */
type ResourceName =
  | 'job'
  | 'task'
  | 'monitor'
  | 'webhook'
  | 'delivery'
  | 'API key'
  | 'session'
  | 'checkout session'
  | 'user'

/** What is kept after its end, so that its id is still known. */
const REVOCABLE: readonly ResourceName[] = ['webhook', 'API key']

/**
 * Returns what was found.
 * @param found nothing or false when it does not exist, or is not of this user.
 * @param name the id or name that an operator gave. Users do not see theirs again.
 * @throws AppError `not_found`.
 */
export function orNotFound<Found extends NonNullable<unknown>>(
  found: Found | undefined | false,
  resource: ResourceName,
  name?: string,
): Found {
  if (found !== undefined && found !== false) return found
  const subject =
    name === undefined ? `This ${resource}` : `${resource.charAt(0).toUpperCase()}${resource.slice(1)} ${name}`
  throw new AppError(
    'not_found',
    `${subject} does not exist${REVOCABLE.includes(resource) ? ', or it is revoked' : ''}.`,
  )
}
