import { canFail, type Logger } from '@placefleet/shared/log'
import { DELIVERY_DUE } from '@placefleet/shared/nats'
import type { NatsConnection } from 'nats'

/** Returns a function that notifies every coordinator, including this one, of due deliveries. A lost one costs a second. */
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
