import type { DISABLED_REASONS, WebhookDocument } from './documents.ts'

/** How an attempt failed, in the words of `disabled_reason`. */
export type FailureMode = (typeof DISABLED_REASONS)[number]

/** The part of a webhook that says how its deliveries fare. */
export type Health = Pick<WebhookDocument, 'health_state' | 'consecutive_failures' | 'disabled_reason'>

/** SPEC, "Webhook health states": deliveries in a row that used up all their attempts. */
const DEGRADED_FROM = 5
const DISABLED_FROM = 10

/** The health after a delivery used up its attempts. A disabled webhook stays as it is. */
export function afterExhausted(health: Health, mode: FailureMode): Health {
  if (health.health_state === 'disabled') return health
  const consecutive_failures = health.consecutive_failures + 1
  if (consecutive_failures >= DISABLED_FROM) {
    return { health_state: 'disabled', consecutive_failures, disabled_reason: mode }
  }
  return { health_state: consecutive_failures >= DEGRADED_FROM ? 'degraded' : 'healthy', consecutive_failures }
}

/** The health after a 2xx response. Only its owner takes a disabled webhook into service again. */
export function afterSuccess(health: Health): Health {
  return health.health_state === 'disabled' ? health : { health_state: 'healthy', consecutive_failures: 0 }
}

/**
 * The mode of a failure by its status. One without a status never got an answer. A redirect, which is not followed, is
 * the fault of the URL, as a 4xx is.
 */
export function failureMode(status_code: number | undefined): FailureMode {
  if (status_code === undefined) return 'transport_error'
  return status_code >= 500 ? 'http_5xx' : 'http_4xx'
}
