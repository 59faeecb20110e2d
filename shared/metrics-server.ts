import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { listening } from './listening.ts'

/** A source of metrics in Prometheus' text format, e.g. a registry of prom-client. */
type Metrics = { contentType: string; metrics(): Promise<string> }

/** The health of a process, and the reason when it is not healthy. */
export type Health = { ok: boolean; message: string }

type MetricsServer = { port: number; close(): Promise<void> }

/**
 * Serves metrics at `/metrics` for Prometheus, on a separate port, so that they are never exposed with the API.
 * `/livez` answers 200 while the process runs, `/health` 200 or 503 by `health`.
 * @throws Error that names the setting when the port is not available.
 */
export async function serveMetrics(
  metrics: Metrics,
  address: { host: string; port: number },
  health: () => Health = () => ({ ok: true, message: 'ok' }),
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url === '/livez') return void response.writeHead(200).end('ok\n')
    if (request.url === '/health') return void answerHealth(response, health())
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(), // the source of the metrics failed
    )
  })
  server.listen(address.port, address.host)
  const listener = { what: 'The metrics server', ...address, portSetting: 'METRICS_PORT' }
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

function answerHealth(response: ServerResponse, { ok, message }: Health): void {
  response.writeHead(ok ? 200 : 503, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
}
