import { once } from 'node:events'
import { createServer } from 'node:http'
import { listening } from './listening.ts'

/** Something that can write its figures down, e.g. a registry of prom-client. */
export type Metrics = { contentType: string; metrics(): Promise<string> }

export type MetricsServer = { port: number; close(): Promise<void> }

/**
 * Serves figures at `/metrics` for Prometheus, on a port of its own so that they are never exposed with the API.
 * @throws Error that names the setting when the port cannot be had.
 */
export async function serveMetrics(metrics: Metrics, address: { host: string; port: number }): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(), // what the figures are read from does not answer
    )
  })
  server.listen(address.port, address.host)
  const listener = { what: 'The server of the metrics', ...address, portSetting: 'METRICS_PORT' }
  await listening(listener, once(server, 'listening'))
  const bound = server.address()
  const port = bound !== null && typeof bound === 'object' ? bound.port : address.port
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { port, close }
}
