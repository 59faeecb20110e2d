import type { CheckedPaths } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Collector } from './collect/collector.ts'

/** The checks of the paths to the map site that an operator asks this agent for. */
export type PathChecks = {
  /** Makes a check in the background, after the one before. */
  make(check_id: string): void
  /** Returns the last check, for a minute: a report that is lost is followed by another one. */
  recent(): CheckedPaths | undefined
}

type PathCheckDeps = {
  readonly collector: Pick<Collector, 'access'>
  readonly log: Logger
  readonly signal: AbortSignal
  /** Called when a check has ended. */
  readonly onChecked: () => void
}

const REPORTED_MS = 60_000

/** Creates the checks. The program for them is loaded with the first one. */
export function createPathChecks({ collector, log, signal, onChecked }: PathCheckDeps): PathChecks {
  let last: { readonly checked: CheckedPaths; readonly until: number } | undefined
  let running: Promise<void> = Promise.resolve()
  const check = async (check_id: string) => {
    const { checkPaths, USUAL_QUESTION } = await import('./doctor/check-paths.ts')
    const report = await checkPaths(await collector.access(), { question: USUAL_QUESTION, proxies: [], signal })
    last = { checked: { check_id, report: JSON.stringify(report) }, until: monotonicNow() + REPORTED_MS }
    log.info({ conclusion: report.conclusion }, 'checked the paths to the map site')
    onChecked()
  }
  return {
    make(check_id) {
      running = running
        .then(() => check(check_id))
        .catch((error: unknown) => {
          if (!signal.aborted) log.error({ err: error }, 'checking the paths to the map site failed')
        })
    },
    recent: () => (last && last.until > monotonicNow() ? last.checked : undefined),
  }
}
