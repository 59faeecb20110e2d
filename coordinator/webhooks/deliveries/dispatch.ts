import { every, type Loop } from '@placefleet/shared/lifecycle'
import { canFail, type Logger } from '@placefleet/shared/log'
import { DELIVERY_DUE } from '@placefleet/shared/nats'
import type { NatsConnection } from 'nats'
import type { WebhookDocument } from '../documents.ts'
import { webhooksById } from '../store.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import type { DeliveryDocument } from './documents.ts'
import { createInFlightLimiter, type InFlightLimiter } from './in-flight.ts'

/** How often a coordinator looks for due deliveries without a notification. */
const POLL_MS = 1_000

export type DispatchDeps = DeliverDeps & {
  /** Attempts in flight on this coordinator, in total and per host. */
  concurrency: { total: number; perHost: number }
}

/**
 * Dispatches due deliveries until stopped: at once when woken, else within a second. Any number of coordinators may
 * dispatch over one database. `stop` waits for the attempts in flight, at most 10 s.
 */
export function startDispatch(deps: DispatchDeps): Loop {
  const inFlight = createInFlightLimiter(deps.concurrency)
  const full: FullHosts = new Map()
  let timer: NodeJS.Timeout | undefined
  const loop = every(POLL_MS, 'dispatching webhook deliveries', deps.log, async (signal) => {
    clearTimeout(timer)
    let next = await deps.queue.nextDueInMs()
    if (next !== undefined && next <= 0) {
      const hasRoom = await dispatchDue(deps, { inFlight, full }, () => loop.wake(), signal)
      if (!hasRoom) return // the next attempt that ends wakes the loop
      next = await deps.queue.nextDueInMs()
    }
    if (next !== undefined && next > 0 && next < POLL_MS) timer = setTimeout(() => loop.wake(), next + 1)
  })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      clearTimeout(timer)
      await inFlight.idle()
    },
  }
}

/** The webhooks with a host at its limit, and their hosts. They must not delay others, so they are not read again. */
type FullHosts = Map<string, string>

/**
 * Claims and starts due deliveries up to the limit, without waiting for them. Calls `onEnd` as each ends. Returns
 * whether every due delivery found room.
 */
async function dispatchDue(
  deps: DispatchDeps,
  { inFlight, full }: { inFlight: InFlightLimiter; full: FullHosts },
  onEnd: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  for (const [webhook_id, host] of full) if (inFlight.hasRoom(host)) full.delete(webhook_id)
  while (!signal.aborted && inFlight.room() > 0) {
    const limit = 2 * inFlight.room()
    const due = await deps.queue.due(limit, [...full.keys()])
    const webhooks = await webhooksById(deps.db, [...new Set(due.map(({ webhook_id }) => webhook_id))])
    const claims: Promise<unknown>[] = []
    for (const delivery of due) {
      const webhook = webhooks.get(delivery.webhook_id)
      const host = webhook ? hostOf(webhook) : ''
      if (!webhook || !inFlight.hasRoom(host)) full.set(delivery.webhook_id, host)
      else claims.push(start(deps, inFlight, delivery, webhook, onEnd))
    }
    await Promise.all(claims)
    if (due.length < limit) return full.size === 0
  }
  return false
}

/** Takes a place in flight, claims the delivery and starts it. Resolves when the claim is decided. */
async function start(
  deps: DispatchDeps,
  inFlight: InFlightLimiter,
  delivery: DeliveryDocument,
  webhook: WebhookDocument,
  onEnd: () => void,
): Promise<void> {
  const claiming = deps.queue.claim(delivery._id)
  const attempt = async () => {
    try {
      const claimed = await claiming
      if (claimed) await deliver(deps, claimed, webhook)
    } catch (error) {
      const ids = { delivery_id: delivery._id, webhook_id: webhook._id }
      deps.log.error({ err: error, ...ids }, 'a delivery failed unexpectedly; it is retried when its claim expires')
    }
  }
  void inFlight.track(hostOf(webhook), attempt()).then(onEnd)
  await claiming.catch(() => undefined) // the attempt has logged it
}

const hostOf = ({ url }: WebhookDocument): string => URL.parse(url)?.host ?? url

/**
 * Returns a function that notifies every coordinator, including this one, of due deliveries. A lost one costs a second.
 */
export function createDeliveryNotifier(nats: NatsConnection, log: Logger): () => void {
  return () => {
    try {
      nats.publish(DELIVERY_DUE)
    } catch (error) {
      log.warn({ err: error }, 'could not notify the coordinators of a due delivery; they find it within a second')
    }
  }
}

/** Calls `onDue` on each notification, until `close` is called. */
export function followDeliveryNotifications(nats: NatsConnection, log: Logger, onDue: () => void): { close(): void } {
  const subscription = nats.subscribe(DELIVERY_DUE)
  const follow = async () => {
    for await (const _ of subscription) onDue()
  }
  void canFail(log, 'following delivery notifications', follow())
  return { close: () => subscription.unsubscribe() }
}
