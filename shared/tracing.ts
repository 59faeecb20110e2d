import { type Context, context, isSpanContextValid, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'

// Does nothing until `startTracing` has loaded the SDK.
const tracer = trace.getTracer('placefleet')

/** `traceparent` of W3C Trace Context, version 00: trace id, span id, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

type SpanOptions = {
  /** The `traceparent` of the span that caused this one, maybe in another process. Absent: the current span. */
  parent?: string | undefined
  attributes?: Record<string, string | number>
}

/**
 * Runs work in a new span. Log lines of the work contain the trace id. Records only the name of an error, because its
 * text may contain an address with a password.
 */
export function traced<Result>(
  name: string,
  { parent, attributes = {} }: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, { attributes }, contextOf(parent), async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' })
      throw error
    } finally {
      span.end()
    }
  })
}

function contextOf(parent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return context.active()
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags ?? '', 16), isRemote: true }
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : context.active()
}

/** Returns the `traceparent` of the current span; undefined without one, or without traces. */
export function currentTraceparent(): string | undefined {
  const current = trace.getActiveSpan()?.spanContext()
  if (!current || !isSpanContextValid(current)) return undefined
  return `00-${current.traceId}-${current.spanId}-${current.traceFlags.toString(16).padStart(2, '0')}`
}

/** Returns the members that log lines get from the current span. */
export function traceFields(): { trace_id?: string } {
  const current = trace.getActiveSpan()?.spanContext()
  return current && isSpanContextValid(current) ? { trace_id: current.traceId } : {}
}

/** The export of traces. `close` sends the remaining spans. */
type Traces = { close(): Promise<void> }

/** Sends traces to an OpenTelemetry collector when an endpoint is set. Loads the SDK only then. */
export async function startTracing(
  endpoint: string | undefined,
  service: { name: string; version: string },
): Promise<Traces> {
  if (endpoint === undefined) return { close: async () => undefined }
  const { exportTraces } = await import('./trace-export.ts')
  return exportTraces(endpoint, service)
}
