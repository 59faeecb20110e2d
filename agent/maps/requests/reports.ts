import { type Grant, MOST_REPORTS } from '@placefleet/shared/exits/turns'
import type { ExitKeeper, ExitReport } from './keeper.ts'
import { type AnswerVerdict, effectOf } from './verdicts.ts'

/** How soon good news is reported. While no turns are needed, the exit learns of rests as often. */
const REPORT_MS = 5_000

/** What an agent has not reported to the keeper of an exit yet. `apply` gets the grants that answer late reports. */
export function createReports(keeper: ExitKeeper, apply: (grant: Grant) => void) {
  let reports: readonly ExitReport[] = []
  let canaryEnded = false
  let isBegun = false
  let timer: NodeJS.Timeout | undefined

  /** Reports, and asks for turns for `waiting` requests. What the keeper does not answer goes with the next ask. */
  const send = async (waiting: number): Promise<Grant> => {
    clearTimeout(timer)
    timer = undefined
    const ask = { waiting, reports, canaryEnded }
    reports = []
    canaryEnded = false
    try {
      return await keeper.take(ask)
    } catch (error) {
      reports = [...ask.reports, ...reports].slice(-MOST_REPORTS)
      canaryEnded ||= ask.canaryEnded
      throw error
    }
  }
  const sendIn = (ms: number) => {
    timer ??= setTimeout(() => void send(0).then(apply, () => undefined), ms).unref()
  }
  return {
    send,
    canaryEnded() {
      canaryEnded = true
    },
    /** Asks once for the rest of an exit whose requests need no turns. */
    begin() {
      if (!isBegun) sendIn(0)
      isBegun = true
    },
    add({ verdict, retryAfterMs }: AnswerVerdict, startedAt: number) {
      const last = reports.at(-1)
      const isRepeated = last?.verdict === verdict && retryAfterMs === undefined
      reports = isRepeated
        ? [...reports.slice(0, -1), { ...last, count: last.count + 1 }]
        : [...reports.slice(1 - MOST_REPORTS), { verdict, ...effectOf(verdict), retryAfterMs, startedAt, count: 1 }]
      sendIn(REPORT_MS)
    },
  }
}
