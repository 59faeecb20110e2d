import { canFail, type Logger } from '@placefleet/shared/log'
import { AppError } from '../../http/errors.ts'
import type { Checkouts } from './checkouts.ts'
import type { StripeGateway } from './gateway.ts'
import { EVENT_TYPES, type Events } from './receive-event.ts'
import type { Settlement } from './settlement.ts'
import type { EventStore } from './store.ts'

export type SweepParts = {
  gateway: StripeGateway
  checkouts: Checkouts
  store: EventStore
  events: Events
  settlement: Settlement
  log: Logger
}

/** Events are read from so long before the last one that is stored: Stripe may list one later than a younger one. */
const OVERLAP_MS = 300_000

/**
 * Catches up with Stripe: reads the events that never came, acts on those that could not be acted on, and asks about
 * sessions left open. Any number of coordinators may do this; each event and session is taken by one of them. It ends
 * at once when the signal says so, without waiting for an answer of Stripe: all of it may be done again.
 */
export async function sweepOnce(parts: SweepParts, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([catchUp(parts, signal), stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function catchUp(parts: SweepParts, signal: AbortSignal): Promise<void> {
  await canFail(parts.log, 'reading the events of Stripe', readMissedEvents(parts))
  await eachOf(
    () => parts.store.claimDue(),
    parts,
    signal,
    (event) => parts.events.handle(event),
  )
  await eachOf(
    () => parts.checkouts.claimDue(),
    parts,
    signal,
    (session_id) => parts.settlement.settle(session_id),
  )
}

async function readMissedEvents({ gateway, store, events }: SweepParts): Promise<void> {
  const until = await store.claimReading()
  if (!until) return
  let newest = until
  for await (const event of gateway.events(EVENT_TYPES, new Date(until.getTime() - OVERLAP_MS))) {
    await events.keep(event)
    const created = new Date(event.created * 1_000)
    if (created > newest) newest = created
  }
  await store.readUntil(newest) // after all of them: who dies on the way reads them again
}

/** One that fails is logged and comes up again later, unless Stripe is down: then all would fail. */
async function eachOf<Item>(
  claim: () => Promise<Item | undefined>,
  { log }: SweepParts,
  signal: AbortSignal,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    const item = await claim()
    if (item === undefined) return
    try {
      await work(item)
    } catch (error) {
      if (error instanceof AppError && error.code === 'billing_unavailable') throw error
      log.error({ err: error, item }, 'settling a payment failed; it will be tried again')
    }
  }
}
