import { randomUUID } from 'node:crypto'
import { reasonOf } from '@placefleet/shared/command-line'
import type { JobEventPayload } from '@placefleet/shared/webhooks/event-payloads'
import { signedHeaders } from '@placefleet/shared/webhooks/signature'

/** The timeout of a delivery, as in the service. */
const TIMEOUT_MS = 10_000

/** The outcome of a delivery: the status of the response, or why there was none. */
export type Forwarded = { event: JobEventPayload; ok: boolean; status?: number; error?: string; duration_ms: number }

/**
 * Sends an event to a receiver once, signed like a delivery of the service. Never throws: a missing response is an
 * outcome.
 */
export async function forward(url: string, event: JobEventPayload, secret: string): Promise<Forwarded> {
  const body = Buffer.from(JSON.stringify(event))
  const headers = signedHeaders({ id: randomUUID(), body, unixSeconds: Math.floor(Date.now() / 1_000) }, [secret])
  const startedAt = performance.now()
  const outcome = await post(url, headers, body)
  return { event, ...outcome, duration_ms: Math.round(performance.now() - startedAt) }
}

async function post(url: string, headers: Record<string, string>, body: Buffer<ArrayBuffer>) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return { ok: answer.ok, status: answer.status }
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { ok: false, error: signal.aborted ? 'no response within 10 seconds' : reasonOf(cause) }
  }
}

/** Formats a delivery as one line. */
export function forwardedLine({ event, status, error, duration_ms }: Forwarded): string {
  return `${event.event_type}  ${event.job_id}  → ${status ?? error} (${duration_ms} ms)`
}
