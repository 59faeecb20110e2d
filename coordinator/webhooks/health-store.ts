import type { Db, Document } from 'mongodb'
import { type WebhookDocument, webhooksOf } from './documents.ts'
import { afterExhausted, afterSuccess, type FailureMode, type Health } from './health.ts'

/** Counted deliveries that are remembered: more than can be under way for one webhook when a process dies. */
const REMEMBERED = 50

/** A webhook's next health and what goes with it; undefined when nothing changes. */
type Move = { health: Health; changes: Document } | undefined

/**
 * Counts a delivery that used up its attempts, once however often it is called. Gives whether the webhook is disabled
 * now.
 */
export async function recordExhausted(
  db: Db,
  webhook_id: string,
  delivery_id: string,
  mode: FailureMode,
): Promise<boolean> {
  const webhook = await moveHealth(db, webhook_id, (before) => {
    const counted = before.counted_deliveries ?? []
    if (counted.includes(delivery_id)) return undefined
    const health = afterExhausted(before, mode)
    const disables = health.health_state === 'disabled' && before.health_state !== 'disabled'
    const since = disables ? { disabled_reason: mode, disabled_at: '$$NOW' } : {}
    return { health, changes: { counted_deliveries: [...counted, delivery_id].slice(-REMEMBERED), ...since } }
  })
  return webhook?.health_state === 'disabled'
}

/** Records a 2xx response from a URL: the streak is over, and the URL is verified if it is still the webhook's. */
export async function recordSuccess(db: Db, webhook_id: string, url: string): Promise<void> {
  await moveHealth(db, webhook_id, (before) => {
    const health = afterSuccess(before)
    const verifies = before.url === url && before.verified_at === undefined
    const recovers = health.consecutive_failures !== before.consecutive_failures
    return verifies || recovers ? { health, changes: verifies ? { verified_at: '$$NOW' } : {} } : undefined
  })
}

/** Moves a webhook's health by compare-and-set, and gives it as it is then. */
async function moveHealth(db: Db, _id: string, decide: (before: WebhookDocument) => Move): Promise<Health | undefined> {
  for (;;) {
    const before = await webhooksOf(db).findOne({ _id })
    if (!before) return undefined
    const move = decide(before)
    if (!move) return before
    const { url, health_state, consecutive_failures } = before
    const { matchedCount } = await webhooksOf(db).updateOne({ _id, url, health_state, consecutive_failures }, [
      {
        $set: {
          health_state: move.health.health_state,
          consecutive_failures: move.health.consecutive_failures,
          ...move.changes,
        },
      },
    ])
    if (matchedCount === 1) return move.health
  }
}
