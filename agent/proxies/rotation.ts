/** What is known of a proxy: its failures in a row, and until when it is left alone (milliseconds since 1970). */
export type ProxyHealth = { readonly failures: number; readonly restingUntil: number }

/** How a request through a proxy ended: the site answered; the site refused this address; the proxy itself failed. */
export type ProxyVerdict = 'works' | 'blocked' | 'failed'

/** A proxy nothing is known of. */
export const UNTRIED: ProxyHealth = { failures: 0, restingUntil: 0 }

const FIRST_REST_MS = 30_000
const LONGEST_REST_MS = 600_000
/** The site lifts the block of an address after minutes, not seconds, so a blocked proxy rests longer than a broken one. */
const BLOCKED_REST_MS = 120_000

/** The health after a verdict at `now`: rests double with each failure in a row. */
export function judged(health: ProxyHealth, verdict: ProxyVerdict, now: number): ProxyHealth {
  if (verdict === 'works') return UNTRIED
  const first = verdict === 'blocked' ? BLOCKED_REST_MS : FIRST_REST_MS
  const rest = Math.min(first * 2 ** health.failures, LONGEST_REST_MS)
  return { failures: health.failures + 1, restingUntil: now + rest }
}

/**
 * The order in which a task tries its proxies: those not resting first, beginning at a place that depends on the task, so
 * that tasks spread over them; then the resting ones, soonest rested first. A resting proxy is better than none, for
 * nothing may go out without one.
 */
export function orderFor(
  taskId: string,
  proxies: readonly string[],
  healthOf: (proxy: string) => ProxyHealth,
  now: number,
): string[] {
  const start = proxies.length === 0 ? 0 : hash(taskId) % proxies.length
  const turned = [...proxies.slice(start), ...proxies.slice(0, start)]
  const resting = turned.filter((proxy) => healthOf(proxy).restingUntil > now)
  const ready = turned.filter((proxy) => healthOf(proxy).restingUntil <= now)
  return [...ready, ...resting.sort((a, b) => healthOf(a).restingUntil - healthOf(b).restingUntil)]
}

// FNV-1a, 32 bits: any spread will do, as long as a task begins at the same proxy on every agent.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}
