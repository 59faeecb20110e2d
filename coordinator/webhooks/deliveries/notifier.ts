import { canFail, type Logger } from '@placefleet/shared/log'
import { DELIVERY_DUE } from '@placefleet/shared/nats'
import type { NatsConnection } from 'nats'

/** Tells every coordinator, this one included, that a delivery is due. Losing it costs a second. */
export function ringForDeliveries(nats: NatsConnection, log: Logger): () => void {
  return () => {
    try {
      nats.publish(DELIVERY_DUE)
    } catch (error) {
      log.warn({ err: error }, 'nobody was told that a delivery is due')
    }
  }
}

/** Calls `due` whenever somebody rings, until `close` is called. */
export function followDeliveryBell(nats: NatsConnection, log: Logger, due: () => void): { close(): void } {
  const subscription = nats.subscribe(DELIVERY_DUE)
  const follow = async () => {
    for await (const _ of subscription) due()
  }
  void canFail(log, 'following the delivery bell', follow())
  return { close: () => subscription.unsubscribe() }
}
