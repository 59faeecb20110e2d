import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/** Spans are sent this often, in batches; a process that is killed loses those of the last second. */
const SEND_EVERY_MS = 1_000

/** A stop waits no longer for a collector that does not answer. */
const SEND_WITHIN_MS = 2_000

/**
 * Sends the spans of this process to an OpenTelemetry collector at `<endpoint>/v1/traces`. If the collector does not
 * answer, spans are dropped and nothing waits. `close` sends the remaining spans.
 */
export function exportTraces(
  endpoint: string,
  { name, version }: { name: string; version: string },
): { close(): Promise<void> } {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_WITHIN_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return { close: () => provider.shutdown() }
}
