import { restAt, stoppingRest } from '@placefleet/shared/exits/rules'
import { type ExitPace, USUAL_PACE } from '../billing/prices/duration.ts'
import { ratePerMinute } from './decide.ts'
import type { ExitDocument } from './documents.ts'
import type { ExitStore } from './store.ts'

/** An exit without a pace, as for simulated sites: the machine limits it. */
const UNPACED = 600

/** Returns how fast some exits may send now, and how long they rest. One that was not used lately begins as a new one. */
export async function pacesOf(store: Pick<ExitStore, 'read'>, ids: readonly string[]): Promise<ExitPace[]> {
  if (ids.length === 0) return []
  const { now, exits } = await store.read(ids)
  return ids.map((id) => paceOf(exits.get(id), now))
}

/** Returns the pace of one exit, with `rest` in seconds. */
export function paceOf(exit: ExitDocument | undefined, now: Date): ExitPace {
  if (!exit) return USUAL_PACE
  const most = Math.min(...exit.users.map(({ limits }) => limits.pace?.most ?? UNPACED), UNPACED)
  const rest = stoppingRest(restAt(exit.state, now.getTime()))
  return {
    first: Math.min(most, ratePerMinute(exit.state) || UNPACED),
    most,
    rest: rest ? (rest.until - now.getTime()) / 1_000 : 0,
  }
}
