import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from './error-handler.ts'

/** Answers a request with what was thrown, and logs what is our own fault. */
export function createFailureAnswer(isUnavailable: (error: unknown) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, headers, body } = failureOf(error, isUnavailable)
    if (status === 503) request.log.warn({ err: error }, 'unavailable')
    else if (status >= 500) request.log.error({ err: error }, 'a request failed')
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .type('application/json; charset=utf-8')
      .send({ ...body, request_id: request.id })
  }
}
