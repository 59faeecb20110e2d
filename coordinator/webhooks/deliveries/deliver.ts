import { type PinOptions, type PinResult, pinHttps } from '@placefleet/shared/egress/pin'
import { canFail, type Logger } from '@placefleet/shared/log'
import { backoffMs, inTime } from '@placefleet/shared/timing'
import { currentTraceparent, traced } from '@placefleet/shared/tracing'
import { signedHeaders } from '@placefleet/shared/webhooks/signature'
import type { Db } from 'mongodb'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { failureMode, type WebhookDocument } from '../documents.ts'
import { recordExhausted } from '../store.ts'
import type { AttemptResult } from './documents.ts'
import type { DeliveryLimits, ExhaustedLimit } from './hourly-limits.ts'
import { send } from './send.ts'
import { behind, type DeliveryQueue, type HeldDelivery } from './store.ts'

export type DeliverDeps = {
  log: Logger
  db: Db
  queue: DeliveryQueue
  /** Counts attempts, and deliveries that were dropped without one. */
  attemptEnded(result: 'delivered' | 'retried' | 'failed' | 'dropped'): void
  /** Records a 2xx response of a webhook from a URL. */
  succeeded(webhook_id: string, url: string): Promise<unknown>
  limits: DeliveryLimits
  secrets: SecretBox
  egress: PinOptions
  /** Certificate authorities that replace those of the system, in PEM. */
  ca?: string | undefined
  /** The time from the lookup of the name to the end of the response, in milliseconds. */
  timeoutMs: number
  /** How often the lease is renewed during an attempt. */
  renewEveryMs: number
  random: () => number
}

/** No retry waits longer than an hour. */
const MAX_RETRY_DELAY_MS = 3_600_000

/**
 * Works on a held delivery: makes one attempt, postpones it, or ends it. The webhook may be removed by now. Returns whether
 * its host answered, also true when it was not asked.
 */
export async function deliver(
  deps: DeliverDeps,
  delivery: HeldDelivery,
  webhook: WebhookDocument | undefined,
): Promise<{ answered: boolean }> {
  const renewal = setInterval(() => {
    void canFail(deps.log, 'renewing the lease of a delivery', deps.queue.renew(delivery))
  }, deps.renewEveryMs)
  const { _id: delivery_id, webhook_id, traceparent: parent } = delivery
  const span = { parent, attributes: { delivery_id, webhook_id } }
  try {
    const result = await traced('webhook attempt', span, () => step(deps, delivery, webhook))
    return { answered: result === undefined || result.status_code !== undefined }
  } finally {
    clearInterval(renewal)
  }
}

/** Returns the result of the attempt; undefined when none was made. */
async function step(
  deps: DeliverDeps,
  delivery: HeldDelivery,
  webhook: WebhookDocument | undefined,
): Promise<AttemptResult | undefined> {
  const { queue, limits } = deps
  const isGone = !webhook || webhook.revoked_at || webhook.health_state === 'disabled'
  // A process died in the last attempt, before it could record the result.
  if (delivery.attempt_count >= delivery.max_attempts) return void (await exhaust(deps, delivery, undefined))
  if (isGone) {
    deps.attemptEnded('dropped')
    return void (await queue.end(delivery, 'dropped'))
  }

  const account = await limits.ofAccount(delivery)
  if (account.exhausted) return void (await postponeAll(queue, delivery, account.counted, account.exhausted))
  const { pinned, lookupMs } = await pinInTime(webhook.url, deps)
  const address = pinned.ok ? await limits.ofAddress(delivery, account.counted, pinned.route.address) : account
  if (address.exhausted) return void (await postponeAll(queue, delivery, address.counted, address.exhausted))

  const secretsAt = signingSecrets(deps.secrets, webhook)
  const begunAt = await queue.begin(delivery, address.counted)
  if (!begunAt) return undefined // another coordinator has taken it
  const body = Buffer.from(delivery.body)
  const headers = signedHeaders(
    { id: delivery._id, body, unixSeconds: Math.floor(begunAt.getTime() / 1_000) },
    secretsAt(begunAt),
  )
  // Timeouts use the local clock; the signature and its secrets use that of the database.
  const sending = { timeoutMs: Math.max(0, deps.timeoutMs - lookupMs), ca: deps.ca }
  const { ok, duration_ms, ...outcome } = await send(
    pinned,
    { headers: { ...headers, ...traceHeaders() }, body },
    sending,
  )
  const result = { ...outcome, duration_ms: lookupMs + duration_ms }
  await (ok ? succeed(deps, delivery, webhook.url, result) : fail(deps, delivery, result))
  return result
}

/**
 * Postpones a delivery that a limit refuses, and in one write all that wait for the same limit: they would be taken,
 * looked up and refused one by one.
 */
async function postponeAll(
  queue: DeliveryQueue,
  delivery: HeldDelivery,
  counted: readonly string[],
  { key, until, waiting }: ExhaustedLimit,
): Promise<void> {
  await queue.postponeWaiting(waiting, until, key)
  await queue.postpone(delivery, delivery.by_hand ? behind(until) : until, counted)
}

/**
 * Opens the secrets of a webhook. The answer returns those that sign its deliveries at a time, newest first.
 * @throws Error when they were encrypted with another key.
 */
function signingSecrets(box: SecretBox, webhook: WebhookDocument): (at: Date) => string[] {
  const current = box.open(webhook.sealed_secret)
  const previous = (webhook.previous_secrets ?? []).map(({ sealed_secret, until }) => ({
    secret: box.open(sealed_secret),
    until,
  }))
  return (at) => [current, ...previous.filter(({ until }) => until > at).map(({ secret }) => secret)]
}

/** Lets the receiver continue the trace. This header is not signed. */
function traceHeaders(): Record<string, string> {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}

const LOOKUP_FAILED: PinResult = { ok: false, reason: 'lookup_failed' }

async function pinInTime(url: string, { egress, timeoutMs }: DeliverDeps) {
  const startedAt = performance.now()
  const pinned = (await inTime(pinHttps(url, egress), timeoutMs)) ?? LOOKUP_FAILED
  return { pinned, lookupMs: Math.round(performance.now() - startedAt) }
}

// The webhook is updated first: a crash in between only delivers again. In the other order it would lose the recovery.
async function succeed(
  { queue, attemptEnded, succeeded }: DeliverDeps,
  delivery: HeldDelivery,
  url: string,
  result: AttemptResult,
) {
  await succeeded(delivery.webhook_id, url)
  attemptEnded('delivered')
  await queue.delivered(delivery, result)
}

async function fail(deps: DeliverDeps, delivery: HeldDelivery, result: AttemptResult): Promise<void> {
  const attempt = delivery.attempt_count + 1
  if (attempt >= delivery.max_attempts) return exhaust(deps, delivery, result)
  deps.attemptEnded('retried')
  await deps.queue.retryIn(delivery, result, retryDelayMs(attempt, deps.random))
}

// The health is updated first. It counts each delivery once, so the coordinator that takes over after a crash may
// repeat the update.
async function exhaust(deps: DeliverDeps, delivery: HeldDelivery, result: AttemptResult | undefined): Promise<void> {
  const { db, queue, log } = deps
  const { webhook_id, user_id, by_hand } = delivery
  const mode = failureMode(result?.status_code)
  const disabled = !by_hand && (await recordExhausted(db, webhook_id, delivery._id, mode))
  deps.attemptEnded('failed')
  await queue.end(delivery, 'failed', result)
  if (!disabled) return
  log.warn(
    { webhook_id, disabled_reason: mode },
    'disabled a webhook after repeated failures; dropped its waiting deliveries',
  )
  await queue.dropWaiting({ _id: webhook_id, user_id })
}

/** Milliseconds from a failed attempt to the next: 2^attempt seconds × [0.5, 1.5), at most an hour. */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  return Math.min(backoffMs(attempt, 2_000, MAX_RETRY_DELAY_MS, random), MAX_RETRY_DELAY_MS)
}
