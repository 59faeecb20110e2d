import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from './errors.ts'
import type { ErrorBody } from './responses.ts'

/** Errors of the framework, with our code and text. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'too_large',
    'The body is larger than 256 KiB, or than 4 KiB where no account is needed.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The `Content-Type` is malformed. Send `application/json`.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body length does not match `Content-Length`.'],
  FST_ERR_BAD_URL: ['bad_request', 'The path is not a valid URL path.'],
  FST_ERR_NOT_FOUND: ['not_found', 'This path does not exist.'],
}

type ErrorResponse = { status: number; headers: Record<string, string>; body: Omit<ErrorBody, 'request_id'> }

/** Creates the handler that turns thrown errors into responses, and logs errors of the server. */
export function createErrorHandler(isUnavailable: (error: unknown) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, headers, body } = errorResponse(error, isUnavailable)
    if (status === 503) request.log.warn({ err: error }, 'unavailable')
    else if (status >= 500) request.log.error({ err: error }, 'a request failed')
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .type('application/json; charset=utf-8')
      .send({ ...body, request_id: request.id })
  }
}

/**
 * Returns the response for a thrown value. Only an AppError reveals its message.
 * @param isUnavailable whether an error means that the database or the queue is down.
 */
export function errorResponse(error: unknown, isUnavailable: (error: unknown) => boolean): ErrorResponse {
  if (error instanceof AppError) return responseOf(error)
  const framework = FRAMEWORK_ERRORS[stringMember(error, 'code')]
  if (framework) return responseOf(new AppError(...framework))
  if (isUnavailable(error)) {
    const headers = { 'retry-after': '5' }
    return responseOf(new AppError('unavailable', 'The database is unavailable. Try again soon.', { headers }))
  }
  if (abortedByClient(error)) return responseOf(new AppError('bad_request', 'The request ended before its body did.'))
  return {
    status: 500,
    headers: {},
    body: { code: 500, error: 'internal', message: 'Something went wrong on our side. It has been logged.' },
  }
}

function responseOf(error: AppError): ErrorResponse {
  const body: ErrorResponse['body'] = { code: error.status, error: error.code, message: error.message }
  if (error.details) body.details = error.details
  return { status: error.status, headers: error.headers, body }
}

/**
 * Returns whether the client disconnected. The framework sets status 400 on errors that occur while it reads a body.
 */
const abortedByClient = (error: unknown) =>
  error instanceof Error &&
  'statusCode' in error &&
  error.statusCode === 400 &&
  stringMember(error, 'code') === 'ECONNRESET'

function stringMember(value: unknown, name: string): string {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof member === 'string' ? member : ''
}
