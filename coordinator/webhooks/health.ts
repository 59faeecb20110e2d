import type { DISABLED_REASONS, WebhookDocument } from './documents.ts'

/** How an attempt failed, in the terms of `disabled_reason`. */
export type FailureMode = (typeof DISABLED_REASONS)[number]

/** The part of a webhook that describes its health. */
export type Health = Pick<WebhookDocument, 'health_state' | 'consecutive_failures' | 'disabled_reason'>

/** Consecutive deliveries that used up all their attempts. */
const DEGRADED_FROM = 5
const DISABLED_FROM = 10

/** Returns the health after a delivery used up its attempts. A disabled webhook stays disabled. */
export function afterExhausted(health: Health, mode: FailureMode): Health {
  if (health.health_state === 'disabled') return health
  const consecutive_failures = health.consecutive_failures + 1
  if (consecutive_failures >= DISABLED_FROM) {
    return { health_state: 'disabled', consecutive_failures, disabled_reason: mode }
  }
  return { health_state: consecutive_failures >= DEGRADED_FROM ? 'degraded' : 'healthy', consecutive_failures }
}

/** Returns the health after a 2xx response. Only its owner enables a disabled webhook again. */
export function afterSuccess(health: Health): Health {
  return health.health_state === 'disabled' ? health : { health_state: 'healthy', consecutive_failures: 0 }
}

/**
 * Classifies a failure by its status code. Without one there was no response. A redirect is not followed; like a 4xx,
 * it is the fault of the URL.
 */
export function failureMode(status_code: number | undefined): FailureMode {
  if (status_code === undefined) return 'transport_error'
  return status_code >= 500 ? 'http_5xx' : 'http_4xx'
}
