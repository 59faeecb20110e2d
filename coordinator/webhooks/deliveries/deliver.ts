import { type Pinned, type PinOptions, pinHttps } from '@placefleet/shared/egress/pin'
import { canFail, type Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { WebhookDocument } from '../documents.ts'
import { failureMode } from '../health.ts'
import { recordExhausted, recordSuccess } from '../health-store.ts'
import { signingSecrets } from '../signing-secrets.ts'
import type { AttemptResult } from './documents.ts'
import type { Admission, DeliveryLimits } from './hourly-limits.ts'
import { retryDelayMs } from './retry-schedule.ts'
import { send } from './send.ts'
import { signedHeaders } from './sign.ts'
import type { Claimed, DeliveryQueue } from './store.ts'

export type DeliverParts = {
  log: Logger
  db: Db
  queue: DeliveryQueue
  limits: DeliveryLimits
  secrets: SecretBox
  egress: PinOptions
  /** Certificate authorities in place of the system's, in PEM. */
  ca?: string | undefined
  /** For everything from the look-up of the name to the end of the answer. */
  timeoutMs: number
  random: () => number
}

const RENEW_EVERY_MS = 1_500

/** Takes a claimed delivery as far as it goes now: one attempt, a wait, or its end. */
export async function deliver(parts: DeliverParts, delivery: Claimed, webhook: WebhookDocument): Promise<void> {
  const renewal = setInterval(() => {
    void canFail(parts.log, 'renewing the claim of a delivery', parts.queue.renew(delivery))
  }, RENEW_EVERY_MS)
  try {
    await step(parts, delivery, webhook)
  } finally {
    clearInterval(renewal)
  }
}

async function step(parts: DeliverParts, delivery: Claimed, webhook: WebhookDocument): Promise<void> {
  const { queue, limits } = parts
  // The process that made the last attempt died before it could say what came of it.
  if (delivery.attempt_count >= delivery.max_attempts) return giveUp(parts, delivery, undefined)
  if (webhook.revoked_at || webhook.health_state === 'disabled') return void (await queue.end(delivery, 'dropped'))

  const { pinned, lookupMs } = await pinInTime(webhook.url, parts)
  const uncounted: Admission = { counted: delivery.counted, waitUntil: undefined }
  const { counted, waitUntil } = pinned.ok ? await limits.admit(delivery, pinned.route.address) : uncounted
  if (waitUntil) return void (await queue.postpone(delivery, waitUntil, counted))

  const secrets = signingSecrets(parts.secrets, webhook)
  const begunAt = await queue.begin(delivery, counted)
  if (!begunAt) return // somebody else has it by now
  const body = Buffer.from(delivery.body)
  const headers = signedHeaders({ id: delivery._id, body, unixSeconds: Math.floor(begunAt.getTime() / 1_000) }, secrets)
  // The time of the database is not the receiver's.
  const sending = { timeoutMs: Math.max(0, parts.timeoutMs - lookupMs), ca: parts.ca }
  const { ok, duration_ms, ...outcome } = await send(pinned, { headers, body }, sending)
  const result = { ...outcome, duration_ms: lookupMs + duration_ms }
  await (ok ? succeed(parts, delivery, webhook.url, result) : fail(parts, delivery, result))
}

async function pinInTime(url: string, { egress, timeoutMs }: DeliverParts) {
  const startedAt = performance.now()
  const late = Promise.withResolvers<Pinned>()
  const timer = setTimeout(() => late.resolve({ ok: false, reason: 'lookup_failed' }), timeoutMs)
  const pinned = await Promise.race([pinHttps(url, egress), late.promise])
  clearTimeout(timer)
  return { pinned, lookupMs: Math.round(performance.now() - startedAt) }
}

// The webhook first: dying between the two sends the delivery again, dying the other way round would lose the recovery.
async function succeed({ db, queue }: DeliverParts, delivery: Claimed, url: string, result: AttemptResult) {
  await recordSuccess(db, delivery.webhook_id, url)
  await queue.delivered(delivery, result)
}

async function fail(parts: DeliverParts, delivery: Claimed, result: AttemptResult): Promise<void> {
  const attempt = delivery.attempt_count + 1
  if (attempt >= delivery.max_attempts) return giveUp(parts, delivery, result)
  await parts.queue.retryIn(delivery, result, retryDelayMs(attempt, parts.random))
}

// The webhook's health first: it counts a delivery once, so whoever takes over from a process that died in between
// may count it again.
async function giveUp(parts: DeliverParts, delivery: Claimed, result: AttemptResult | undefined): Promise<void> {
  const { db, queue, log } = parts
  const { webhook_id, by_hand } = delivery
  const mode = failureMode(result?.status_code)
  const disabled = !by_hand && (await recordExhausted(db, webhook_id, delivery._id, mode))
  await queue.end(delivery, 'failed', result)
  if (!disabled) return
  log.warn({ webhook_id, disabled_reason: mode }, 'a webhook is disabled; what waited for it is dropped')
  await queue.dropWaiting(webhook_id)
}
