import { createLookup } from '@placefleet/shared/egress/lookup'
import type { AllowHosts } from '@placefleet/shared/egress/target'
import { every, type Loop } from '@placefleet/shared/lifecycle'
import { canFail, type Logger } from '@placefleet/shared/log'
import { DELIVERY_DUE } from '@placefleet/shared/nats'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Db } from 'mongodb'
import type { NatsConnection } from 'nats'
import { createTally } from '../../cache.ts'
import { batched } from '../../mongo/batched.ts'
import type { Capacity } from '../../mongo/due-work.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { Timings } from '../../timings.ts'
import type { WebhookDocument } from '../documents.ts'
import { recordSuccess, webhooksById } from '../store.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import { isByHand } from './documents.ts'
import { createDeliveryLimits, type HourlyLimits } from './hourly-limits.ts'
import { createDeliveryQueue, type HeldDelivery } from './store.ts'

/** How often a coordinator looks for due deliveries without a notification. */
const POLL_MS = 1_000

export type DispatchDeps = DeliverDeps & {
  /** Attempts in flight on this coordinator, in total and per host. */
  concurrency: { total: number; perHost: number }
}

/** How long a receiver may take to respond. */
const RESPONSE_TIMEOUT_MS = 10_000

/** Attempts in flight on one coordinator. A host that never answers delays only its own deliveries. */
const CONCURRENCY = { total: 64, perHost: 8 }

type DeliverySettings = {
  log: Logger
  db: Db
  secrets: SecretBox
  allowHosts: AllowHosts
  hourly: HourlyLimits
  timings: Timings
} & Pick<DeliverDeps, 'attemptEnded'>

/** Wires the dependencies of deliveries with their limits. */
export function createDeliveryDeps({ allowHosts, hourly, timings, ...deps }: DeliverySettings): DispatchDeps {
  const { db } = deps
  // What several deliveries of a webhook have to record at the same time is recorded once.
  const succeeded = batched<string, undefined>(async (webhook_id, urls) => {
    for (const url of new Set(urls)) await recordSuccess(db, webhook_id, url)
    return () => undefined
  })
  return {
    ...deps,
    succeeded,
    queue: createDeliveryQueue(db, timings),
    limits: createDeliveryLimits(db, hourly),
    egress: { allow: allowHosts, lookup: createLookup(allowHosts) },
    timeoutMs: RESPONSE_TIMEOUT_MS,
    renewEveryMs: 0.3 * timings.deliveryLeaseMs, // so two renewals may be lost
    random: Math.random,
    concurrency: CONCURRENCY,
  }
}

/**
 * Dispatches due deliveries until stopped: at once when woken, else within a second. Any number of coordinators may
 * dispatch over one database. `stop` waits for the attempts in flight, at most 10 s.
 */
export function startDispatch(deps: DispatchDeps): Loop {
  const inFlight = createInFlightLimiter(deps.concurrency)
  let timer: NodeJS.Timeout | undefined
  const loop = every(POLL_MS, 'dispatching webhook deliveries', deps.log, async (signal) => {
    clearTimeout(timer)
    let next = await deps.queue.nextInMs()
    if (next !== undefined && next <= 0) {
      await dispatchDue(deps, inFlight, () => loop.wake(), signal)
      next = await deps.queue.nextInMs() // what is still due has no room: the next attempt that ends wakes the loop
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

/** Takes and starts due deliveries while there is room, without waiting for them. Calls `onEnd` as each ends. */
async function dispatchDue(
  deps: DispatchDeps,
  inFlight: InFlightLimiter,
  onEnd: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const room = inFlight.room()
    if (signal.aborted || room.total === 0) return
    const taken = await deps.queue.takeFairly(room)
    if (taken.length === 0) return
    const webhooks = await webhooksById(deps.db, [...new Set(taken.map(({ webhook_id }) => webhook_id))])
    for (const delivery of taken) {
      const attempt = tryToDeliver(deps, delivery, webhooks.get(delivery.webhook_id))
      void inFlight.track(delivery.queue, attempt).then(onEnd)
    }
  }
}

async function tryToDeliver(deps: DispatchDeps, delivery: HeldDelivery, webhook: WebhookDocument | undefined) {
  try {
    return await deliver(deps, delivery, webhook)
  } catch (error) {
    const ids = { delivery_id: delivery._id, webhook_id: delivery.webhook_id }
    deps.log.error({ err: error, ...ids }, 'a delivery failed unexpectedly; it is retried when its lease ends')
    return { answered: true }
  }
}

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

/**
 * How long a host rests that gave no response, in milliseconds. Each of its waiting deliveries would fail at once and make
 * room for the next one, so a host that refuses connections would keep the coordinator and the database busy.
 */
const REST_MS = 2_000

/** Attempts by hand in flight to a host: few, because it has others. */
const BY_HAND = 2

/** Limits the attempts in flight, in total and per queue. */
type InFlightLimiter = {
  /** How many more attempts may start now, in total and of a queue. */
  room(): Capacity
  /**
   * Counts an attempt until it ends, and resolves then. A queue whose host gave no response gets no attempt for a
   * while. The attempt must not reject.
   */
  track(queue: string, attempt: Promise<{ answered: boolean }>): Promise<void>
  /** Resolves when no attempt is in flight. */
  idle(): Promise<void>
}

/** Creates a limiter. `now` is a clock in milliseconds, for tests. */
export function createInFlightLimiter(
  { total, perHost }: { total: number; perHost: number },
  now: () => number = monotonicNow,
): InFlightLimiter {
  const all = new Set<Promise<unknown>>()
  const queues = createTally()
  const most = (queue: string) => (isByHand(queue) ? Math.min(BY_HAND, perHost) : perHost)
  const restUntil = new Map<string, number>()
  const resting = () => {
    for (const [queue, until] of restUntil) if (until <= now()) restUntil.delete(queue)
    return [...restUntil.keys()]
  }
  return {
    room() {
      const busy = queues.atLeast(Math.min(BY_HAND, perHost)).filter((queue) => queues.of(queue) >= most(queue))
      const of = (queue: string) => (restUntil.has(queue) ? 0 : most(queue) - queues.of(queue))
      return { total: total - all.size, of, full: [...resting(), ...busy] }
    },
    track(queue, attempt) {
      queues.add(queue)
      const tracked = attempt.then(({ answered }) => {
        if (!answered) restUntil.set(queue, now() + REST_MS)
        all.delete(tracked)
        queues.remove(queue)
      })
      all.add(tracked)
      return tracked
    },
    async idle() {
      await Promise.all(all)
    },
  }
}
