import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'

/**
 * What the framework logs: one line a request, when it is over, and what went wrong below our routes. Never the query or
 * a header, where people put keys.
 */
export function createRequestLog(): LogController {
  const controller = new LogController({ requestIdLogLabel: 'request_id' })
  controller.incomingRequest = () => undefined
  controller.requestCompleted = (error, request, reply) => {
    request.log.info({ ...summary(request, reply), ...(error ? { err: error } : {}) }, 'request')
  }
  controller.streamError = (error, request, reply) => {
    const gone = 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (gone) request.log.info(summary(request, reply), 'the client left before the end')
    else request.log.error({ ...summary(request, reply), err: error }, 'a response broke off')
  }
  controller.writeHeadError = (error, request, reply) => {
    request.log.error({ ...summary(request, reply), err: error }, 'a response had a header that cannot be sent')
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
