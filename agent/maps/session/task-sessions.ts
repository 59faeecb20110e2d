import { type Exit, type Exits, orderFor } from '../exits/exit.ts'
import type { Rest } from '../exits/rules.ts'
import { MapFailed, type RetryPolicy } from './fault.ts'
import type { HttpSession } from './http-session.ts'
import type { Identities, Role } from './identities.ts'
import type { Identity, MapSession } from './identity.ts'

/** The sessions of one task: one on each exit that it uses. */
export type TaskSessions = {
  readonly proxied: boolean
  /**
   * The session for a question that was asked on the `tried` exits already: on the last exit while it may ask at once,
   * else on the one that may ask first. After a failure, asks several proxies side by side which of them works. Throws
   * MapFailed: `blocked` with `until` when every exit rests, `proxy` when no proxy works.
   */
  current(tried: ReadonlySet<Exit>): Promise<MapSession>
  /** A session over plain HTTP through the same exit as another client, with its own cookies. */
  another(exit: Exit): HttpSession
  /** Notes how a question on an exit ended. Six refusals in a row make `current` throw until an exit has rested. */
  ended(isRefused: boolean): void
  /** Whether the site refuses plain HTTP on every exit of the task. */
  wantBrowser(): boolean
  /** A session through the exit in use, for websites of businesses: a rest at the map site does not concern them. */
  forWebsites(): MapSession
  /** Gives the identities back. */
  close(): void
}

type Deps = {
  readonly exits: Exits
  readonly identities: Identities
  readonly language: string
  readonly signal: AbortSignal
  /** Plain HTTP may be used to find out which proxies work. */
  readonly mayProbe: boolean
}

const ONLY_EXIT: RetryPolicy = { tries: 3, timeouts: true }
/** With another exit at hand, moving on is quicker than waiting for a silent proxy again. */
const ONE_OF_MANY_EXITS: RetryPolicy = { tries: 2, timeouts: false }
const MOST_REFUSALS_IN_A_ROW = 6
const PROBED_AT_ONCE = 8

/** The sessions of a task over its proxies, or without a proxy when it has none. */
export function createTaskSessions(
  { exits, identities, language, signal, mayProbe }: Deps,
  { task_id, proxies }: { task_id: string; proxies: readonly string[] },
): TaskSessions {
  const all = proxies.length === 0 ? [exits.of(undefined)] : proxies.map((proxy) => exits.of(proxy))
  const retryPolicy = all.length > 1 ? ONE_OF_MANY_EXITS : ONLY_EXIT
  const inUse = new Map<Identity, MapSession>()
  let last: Exit | undefined
  let refusalsInARow = 0

  const sessionOn = (exit: Exit, role: Role = 'first'): MapSession => {
    const identity = identities.of(exit, language, role)
    const session = inUse.get(identity) ?? identity.forTask(signal, retryPolicy)
    inUse.set(identity, session)
    return session
  }
  return {
    proxied: proxies.length > 0,
    async current(tried) {
      const rests = all.flatMap((exit) => exit.rest() ?? []).filter(keepsAway)
      const free = orderFor(task_id, all).filter((exit) => !tried.has(exit) && !keepsAway(exit.rest()))
      if (rests.length > 0 && (free.length === 0 || refusalsInARow >= MOST_REFUSALS_IN_A_ROW)) {
        throw new MapFailed('blocked', undefined, { until: Math.min(...rests.map(({ until }) => until)) })
      }
      const probes = free.length > 1 && mayProbe && [...tried].some((exit) => exit.rest()?.reason === 'failed')
      const exit = probes ? await firstWorking(free, (one) => sessionOn(one), signal) : soonest(free, last)
      if (!exit) throw new MapFailed('proxy')
      last = exit
      return sessionOn(exit)
    },
    another: (exit) => sessionOn(exit, 'second').http,
    ended(isRefused) {
      refusalsInARow = isRefused ? refusalsInARow + 1 : 0
    },
    wantBrowser: () => all.every(({ lessons }) => lessons.lowest() !== 'http'),
    forWebsites: () => sessionOn(last ?? orderFor(task_id, all)[0] ?? exits.of(undefined)),
    close() {
      for (const identity of inUse.keys()) identity.release()
      inUse.clear()
    },
  }
}

/** Opens the front page through several exits at a time, and returns the first exit that works. */
async function firstWorking(
  candidates: readonly Exit[],
  sessionOn: (exit: Exit) => MapSession,
  signal: AbortSignal,
): Promise<Exit | undefined> {
  const arrive = async (exit: Exit) => {
    await sessionOn(exit).http.arrive()
    return exit
  }
  for (let at = 0; at < candidates.length; at += PROBED_AT_ONCE) {
    const working = candidates.slice(at, at + PROBED_AT_ONCE).map(arrive)
    const first = await Promise.any(working).catch(() => undefined)
    signal.throwIfAborted()
    if (first) return first
  }
  return undefined
}

/** A failed proxy may be tried again, since it may be the only one. */
function keepsAway(rest: Rest | undefined): boolean {
  return rest !== undefined && rest.reason !== 'failed'
}

function soonest(free: readonly Exit[], last: Exit | undefined): Exit | undefined {
  if (last && free.includes(last) && last.readyAt() <= Date.now() && !last.rest()) return last
  const [first] = free.toSorted((a, b) => waitOf(a) - waitOf(b))
  return first
}

/** Exits that rest after a failure come last. The sort is stable, so exits that may ask at once keep their order. */
function waitOf(exit: Exit): number {
  return Math.max(exit.readyAt(), exit.rest()?.until ?? 0, Date.now())
}
