import { every, type Loop } from '@placefleet/shared/lifecycle'
import { type WebhookDocument, webhooksOf } from '../documents.ts'
import { type DeliverParts, deliver } from './deliver.ts'
import type { DeliveryDocument } from './documents.ts'
import { createFlights, type Flights } from './in-flight.ts'

/** How often every coordinator looks for due deliveries that nobody told it of. */
const LOOK_EVERY_MS = 1_000

export type DispatchParts = DeliverParts & {
  /** Attempts under way at once, in all and to one host, on this coordinator. */
  concurrency: { total: number; perHost: number }
}

/**
 * Starts to deliver what is due, until stopped: at once when woken, else within a second. Any number of coordinators
 * may do so over one database. `stop` lets the attempts under way come to their end, 10 s at most.
 */
export function startDispatch(parts: DispatchParts): Loop {
  const flights = createFlights(parts.concurrency)
  let timer: NodeJS.Timeout | undefined
  const loop = every(LOOK_EVERY_MS, 'delivering webhooks', parts.log, async (signal) => {
    clearTimeout(timer)
    if (!(await dispatchDue(parts, flights, () => loop.wake(), signal))) return // the next that ends wakes us
    const next = await parts.queue.nextDueInMs()
    if (next !== undefined && next < LOOK_EVERY_MS) timer = setTimeout(() => loop.wake(), next + 1)
  })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      clearTimeout(timer)
      await flights.landed()
    },
  }
}

/**
 * Claims due deliveries and starts them, as many as may be under way, and does not wait for them; `freed` is called as
 * each ends. Gives whether nothing was left for want of room.
 */
async function dispatchDue(
  parts: DispatchParts,
  flights: Flights,
  freed: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const held = new Set<string>() // webhooks whose host has no room left: they must not stand in the way of others
  while (!signal.aborted && flights.room() > 0) {
    const limit = 2 * flights.room()
    const found = await parts.queue.due(limit, [...held])
    const webhooks = await webhooksById(parts, found)
    const claims: Promise<unknown>[] = []
    for (const delivery of found) {
      const webhook = webhooks.get(delivery.webhook_id)
      if (!webhook || !flights.hasRoom(hostOf(webhook))) held.add(delivery.webhook_id)
      else claims.push(takeOff(parts, flights, delivery, webhook, freed))
    }
    await Promise.all(claims)
    if (found.length < limit) return held.size === 0
  }
  return false
}

/** Takes a place among what is under way and claims the delivery for it; resolves when the claim is decided. */
async function takeOff(
  parts: DispatchParts,
  flights: Flights,
  delivery: DeliveryDocument,
  webhook: WebhookDocument,
  freed: () => void,
): Promise<void> {
  const claiming = parts.queue.claim(delivery._id)
  const fly = async () => {
    try {
      const claimed = await claiming
      if (claimed) await deliver(parts, claimed, webhook)
    } catch (error) {
      // Its claim runs out by itself, and then it is tried again.
      parts.log.error({ err: error, delivery_id: delivery._id, webhook_id: webhook._id }, 'a delivery got stuck')
    }
  }
  void flights.add(hostOf(webhook), fly()).then(freed)
  await claiming.catch(() => undefined) // the flight has logged it
}

async function webhooksById(
  { db }: DispatchParts,
  deliveries: DeliveryDocument[],
): Promise<Map<string, WebhookDocument>> {
  const ids = [...new Set(deliveries.map(({ webhook_id }) => webhook_id))]
  const webhooks =
    ids.length === 0
      ? []
      : await webhooksOf(db)
          .find({ _id: { $in: ids } })
          .toArray()
  return new Map(webhooks.map((webhook) => [webhook._id, webhook]))
}

const hostOf = ({ url }: WebhookDocument): string => URL.parse(url)?.host ?? url
