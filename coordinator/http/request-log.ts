import { randomUUID } from 'node:crypto'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

/** The form of a request id: short, and safe in a header and in a log. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/

/** Returns the client's `X-Request-Id` when it is well-formed, else a new id. */
export function requestIdOf(header?: string | string[]): string {
  return typeof header === 'string' && CLIENT_REQUEST_ID.test(header) ? header : randomUUID()
}

/** What watchers ask every few seconds. */
const PROBES = new Set(['/livez', '/health'])

/**
 * Logs one line for each request when it ends, and failures below our routes. Never logs the query or a header, where
 * clients put keys. Successful probes are logged with `LOG_LEVEL=debug` only.
 */
export function createRequestLog(): LogController {
  const controller = new LogController({ requestIdLogLabel: 'request_id' })
  controller.incomingRequest = () => undefined
  controller.requestCompleted = (error, request, reply) => {
    const isProbe = PROBES.has(request.routeOptions.url ?? '') && reply.statusCode < 400
    const level = isProbe ? 'debug' : reply.statusCode >= 500 ? 'warn' : 'info'
    request.log[level]({ ...summary(request, reply), ...(error ? { err: error } : {}) }, 'request')
  }
  controller.streamError = (error, request, reply) => {
    const disconnected = 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (disconnected) request.log.info(summary(request, reply), 'the client disconnected before the response ended')
    else request.log.error({ ...summary(request, reply), err: error }, 'a response broke off')
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

/** Counts a request when its response has ended. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => void

/** From a cached answer (5 ms) to a slow export (30 s). */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Registers the histogram of requests by method, route and status. Unknown paths share the route `unknown`, so that
 * clients cannot create new series.
 */
export function createRequestMetrics(registry: Registry): CountRequest {
  const seconds = new Histogram({
    name: 'placefleet_http_request_seconds',
    help: 'time from the request to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  return (request, reply) => {
    const route = request.routeOptions.url
    const labels = { method: route === undefined ? 'other' : request.method, route: route ?? 'unknown' }
    seconds.observe({ ...labels, status: reply.statusCode }, reply.elapsedTime / 1_000)
  }
}
