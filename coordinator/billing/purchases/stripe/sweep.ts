import { canFail, type Logger } from '@placefleet/shared/log'
import { AppError } from '../../../http/errors.ts'
import type { StripeGateway } from './gateway.ts'
import { type Events, TAKE_BACK_EVENTS } from './receive-event.ts'
import type { Reconciler } from './reconcile.ts'
import type { Checkouts, EventStore } from './store.ts'

type SweepDeps = {
  gateway: StripeGateway
  checkouts: Checkouts
  store: EventStore
  events: Events
  reconciler: Reconciler
  log: Logger
}

/** Overlap with the previous read: Stripe may list an event after a younger one. */
const OVERLAP_MS = 300_000

/**
 * Catches up with Stripe:
 * 1. checks open sessions, which finds purchases whose event was lost;
 * 2. reads the events of refunds and disputes, which nothing else finds;
 * 3. retries events that failed.
 * Each session and event is claimed, so coordinators may run it together. It stops at once on the signal. Safe to repeat.
 */
export async function sweepOnce(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([catchUp(deps, signal), stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function catchUp(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  await canFail(deps.log, 'reading the events of Stripe', readMissedEvents(deps))
  await eachOf(
    () => deps.store.takeDue(),
    deps,
    signal,
    (event) => deps.events.handle(event),
  )
  await eachOf(
    () => deps.checkouts.takeDue(),
    deps,
    signal,
    ({ _id }) => deps.reconciler.reconcile(_id),
  )
}

async function readMissedEvents({ gateway, store, events }: SweepDeps): Promise<void> {
  const reading = await store.takeReading()
  if (!reading) return
  const { until } = reading
  let newest = until
  for await (const event of gateway.events(TAKE_BACK_EVENTS, new Date(until.getTime() - OVERLAP_MS))) {
    await events.keep(event)
    const created = new Date(event.created * 1_000)
    if (created > newest) newest = created
  }
  await store.readUntil(newest) // last: after a crash on the way they are read again
}

/** A failed item is logged and retried later. When Stripe is down the loop ends, because every item would fail. */
async function eachOf<Item extends { _id: string }>(
  take: () => Promise<Item | undefined>,
  { log }: SweepDeps,
  signal: AbortSignal,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    const item = await take()
    if (item === undefined) return
    try {
      await work(item)
    } catch (error) {
      if (error instanceof AppError && error.code === 'billing_unavailable') throw error
      log.error({ err: error, item: item._id }, 'could not reconcile a payment; it is retried')
    }
  }
}
