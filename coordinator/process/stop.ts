import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { monotonicNow } from '@placefleet/shared/timing'

/** The process exits with a failure when a stop takes longer than this. Nothing is lost: all state is in MongoDB. */
export const EXIT_WITHIN_MS = 25_000

/** How long a graceful stop takes at most: the drain, then every part with what remains. */
const STOP_WITHIN_MS = 24_000

/** Drains, if asked to, then closes all parts in one budget of time. Returns whether every part was closed. */
export async function stopInTime(
  life: Lifecycle,
  drain: (() => Promise<void>) | undefined,
  withinMs = STOP_WITHIN_MS,
): Promise<boolean> {
  const end = monotonicNow() + withinMs
  await drain?.()
  return life.closeWithin(end - monotonicNow())
}
