import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'

/** Short, and safe in a header and in a log. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/

/** Returns the client's `X-Request-Id` when it is well-formed, else a new id. */
export function requestIdOf(given?: string | string[]): string {
  return typeof given === 'string' && CLIENT_REQUEST_ID.test(given) ? given : randomUUID()
}

/**
 * Logs one line for each request when it ends, and failures below our routes. Never logs the query or a header, where
 * clients put keys.
 */
export function createRequestLog(): LogController {
  const controller = new LogController({ requestIdLogLabel: 'request_id' })
  controller.incomingRequest = () => undefined
  controller.requestCompleted = (error, request, reply) => {
    request.log.info({ ...summary(request, reply), ...(error ? { err: error } : {}) }, 'request')
  }
  controller.streamError = (error, request, reply) => {
    const disconnected = 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (disconnected) request.log.info(summary(request, reply), 'the client disconnected before the response ended')
    else request.log.error({ ...summary(request, reply), err: error }, 'a response failed half way')
  }
  controller.writeHeadError = (error, request, reply) => {
    request.log.error({ ...summary(request, reply), err: error }, 'a response has an invalid header')
  }
  return controller
}

const summary = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: request.routeOptions.url ?? 'unknown',
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
  user_id: request.account?.user_id,
})
