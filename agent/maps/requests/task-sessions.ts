import { stoppingRest } from '@placefleet/shared/exits/rules'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Locale } from '../urls/parameters.ts'
import { type Exit, type Exits, orderFor } from './exit.ts'
import { MapFailed, type RetryPolicy } from './failure.ts'
import type { Identities, MapSession } from './identity.ts'
import { openFrontPage } from './map-request.ts'

type Deps = {
  readonly exits: Exits
  readonly identities: Identities
  readonly locale: Locale
  readonly signal: AbortSignal
  /** Whether plain HTTP may be used to test proxies. */
  readonly mayProbe: boolean
}

const ONLY_EXIT: RetryPolicy = { tries: 3, timeouts: true }
/** With another exit available, switching is faster than waiting for a silent proxy again. */
const ONE_OF_MANY_EXITS: RetryPolicy = { tries: 2, timeouts: false }
const MOST_REFUSALS_IN_A_ROW = 6

/** The sessions of one task: the exit that it uses now, and the identity on it. */
export type TaskSessions = ReturnType<typeof createTaskSessions>

export function createTaskSessions(
  { exits, identities, locale, signal, mayProbe }: Deps,
  { task_id, proxies }: { task_id: string; proxies: readonly string[] },
) {
  const all = proxies.length === 0 ? [exits.of(undefined)] : proxies.map((proxy) => exits.of(proxy))
  const retryPolicy = all.length > 1 ? ONE_OF_MANY_EXITS : ONLY_EXIT
  let last: Exit | undefined
  let refusalsInARow = 0

  const sessionOn = (exit: Exit): MapSession => ({ identity: identities.of(exit, locale), signal, retryPolicy })
  return {
    proxied: proxies.length > 0,
    /**
     * Chooses the exit for the next attempt: the previous one if it may send now, else the one that may send soonest,
     * never one of `tried`. After a dead proxy it tests several at the same time. Undefined when none is left. Throws
     * MapFailed `exit_refused` or `unknown` with `until` when every exit rests.
     */
    async current(tried: ReadonlySet<Exit>): Promise<MapSession | undefined> {
      const free = orderFor(task_id, all).filter((exit) => !tried.has(exit) && !stoppingRest(exit.rest()))
      const rest = firstToEnd(all)
      if (rest && (free.length === 0 || refusalsInARow >= MOST_REFUSALS_IN_A_ROW)) {
        const fault = rest.reason === 'unknown' ? 'unknown' : 'exit_refused'
        throw new MapFailed(fault, undefined, { until: rest.until })
      }
      const hasFailed = [...tried].some((exit) => exit.rest()?.reason === 'failed')
      const probes = free.length > 1 && mayProbe && hasFailed
      const exit = probes ? await firstWorking(free.map(sessionOn), signal) : soonest(free, last)
      if (!exit) return undefined
      last = exit
      return sessionOn(exit)
    },
    /** Records the end of a request. After six refusals in a row, `current` throws until an exit has rested. */
    ended(isRefused: boolean): void {
      refusalsInARow = isRefused ? refusalsInARow + 1 : 0
    },
    /** Whether the site refuses plain HTTP on every exit of the task. */
    wantBrowser: (): boolean => all.every(({ memory }) => memory.refusesHttp()),
    /** Returns a session through the current exit for websites of businesses, whatever its rests at the map site. */
    forWebsites: (): MapSession => sessionOn(last ?? orderFor(task_id, all)[0] ?? exits.of(undefined)),
  }
}

function firstToEnd(exits: readonly Exit[]) {
  const rests = exits.map((exit) => stoppingRest(exit.rest())).filter((rest) => rest !== undefined)
  return rests.toSorted((a, b) => a.until - b.until)[0]
}

const PROBED_AT_ONCE = 8

/** Opens the front page through several exits at a time, and returns the first exit that works. */
async function firstWorking(candidates: readonly MapSession[], signal: AbortSignal): Promise<Exit | undefined> {
  for (let at = 0; at < candidates.length; at += PROBED_AT_ONCE) {
    const probes = candidates.slice(at, at + PROBED_AT_ONCE).map(async (session) => {
      await session.identity.use(() => openFrontPage(session))
      return session.identity.exit
    })
    const first = await Promise.any(probes).catch(() => undefined)
    signal.throwIfAborted()
    if (first) return first
  }
  return undefined
}

/** Returns the previous exit if it may send at once, else the first that may. */
function soonest(free: readonly Exit[], last: Exit | undefined): Exit | undefined {
  const now = monotonicNow()
  if (last && free.includes(last) && last.readyAt() <= now && !last.rest()) return last
  // All that may send at once have the same time, so that the sort keeps their order.
  const readyFrom = (exit: Exit) => Math.max(exit.readyAt(), exit.rest()?.until ?? 0, now)
  return free.toSorted((a, b) => readyFrom(a) - readyFrom(b))[0]
}
