import type { FastifyReply, FastifyRequest } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

/** Counts a request when its response has ended. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => void

/** From a cached answer (5 ms) to a slow export (30 s). */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Registers the histogram of requests by method, route and status. Unknown paths share the route `unknown`, so that a
 * stranger cannot create series.
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
