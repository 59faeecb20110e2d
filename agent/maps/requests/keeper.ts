import { type ExitLimits, newExit } from '@placefleet/shared/exits/rules'
import { type Ask, answerAsks, type Grant, type Report } from '@placefleet/shared/exits/turns'
import type { Verdict } from './verdicts.ts'

export type ExitReport = Report & { readonly verdict: Verdict }

export type ExitAsk = Omit<Ask, 'reports' | 'hadTurns'> & { readonly reports: readonly ExitReport[] }

/** Keeps the pace and the rests of one exit. Times are those of the agent's clock. */
export type ExitKeeper = {
  /** Answers an ask for turns. Throws when the keeper does not answer. */
  take(ask: ExitAsk): Promise<Grant>
  /** Calls the listener when others who share the exit change its rest. */
  follow(listener: (grant: Grant) => void): void
}

/** Returns the keeper of an exit: of a proxy, or of the own address. */
export type KeeperFor = (proxy: string | undefined) => ExitKeeper

/** How far ahead turns are given. Nobody else uses the exit, so this only bounds what a rest takes back. */
const AHEAD_MS = 4_000

/**
 * Creates the keeper of an exit that no other agent shares, such as that of the doctor. It forgets with the process.
 */
export function createLocalKeeper(
  limits: ExitLimits,
  clock: { isProxy: boolean; now: () => number; random: () => number },
): ExitKeeper {
  let state = newExit(limits)
  return {
    async take(ask) {
      const moment = { ...clock, now: clock.now(), aheadMs: AHEAD_MS }
      const answered = answerAsks(state, [{ ...ask, hadTurns: true }], limits, moment)
      state = answered.state
      const [grant] = answered.grants
      if (!grant) throw new Error('an ask without a grant')
      return grant
    },
    follow: () => undefined,
  }
}
