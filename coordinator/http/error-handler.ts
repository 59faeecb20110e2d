import { AppError, type ErrorCode } from './errors.ts'
import type { ErrorBody } from './responses.ts'

/** What the framework refuses by itself, in our words. */
const OF_FRAMEWORK: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is larger than 256 KiB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The `Content-Type` cannot be read. Send `application/json`.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body is not as long as `Content-Length` says.'],
  FST_ERR_BAD_URL: ['bad_request', 'The path is not a valid URL path.'],
  FST_ERR_NOT_FOUND: ['not_found', 'There is no such path.'],
}

/** Codes that only say what the status says. The others identify a failure, and stand in the body as `error`. */
const WITHOUT_IDENTIFIER: readonly ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'too_large',
  'unsupported_media_type',
  'unprocessable',
  'bad_gateway',
  'unavailable',
]

/** A failure as it is answered. */
export type Failure = { status: number; headers: Record<string, string>; body: Omit<ErrorBody, 'request_id'> }

/**
 * What to answer for something thrown. Whatever is not an AppError says nothing about itself.
 * @param isUnavailable whether the error means that the database or the queue is down.
 */
export function failureOf(error: unknown, isUnavailable: (error: unknown) => boolean): Failure {
  if (error instanceof AppError) return known(error)
  const ofFramework = OF_FRAMEWORK[stringMember(error, 'code')]
  if (ofFramework) return known(new AppError(...ofFramework))
  if (isUnavailable(error)) {
    const headers = { 'retry-after': '5' }
    return known(
      new AppError('unavailable', 'The service cannot reach its database for now. Try again soon.', { headers }),
    )
  }
  if (brokenByClient(error)) return known(new AppError('bad_request', 'The request could not be read to its end.'))
  return {
    status: 500,
    headers: {},
    body: { code: 500, message: 'Something went wrong on our side. It has been logged.' },
  }
}

function known(error: AppError): Failure {
  const body: Failure['body'] = { code: error.status, message: error.message }
  if (!WITHOUT_IDENTIFIER.includes(error.code)) body.error = error.code
  if (error.details) body.details = error.details
  return { status: error.status, headers: error.headers, body }
}

/** The framework marks what happened while it read a body with status 400. */
const brokenByClient = (error: unknown) =>
  error instanceof Error &&
  'statusCode' in error &&
  error.statusCode === 400 &&
  stringMember(error, 'code') === 'ECONNRESET'

function stringMember(value: unknown, name: string): string {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof member === 'string' ? member : ''
}
