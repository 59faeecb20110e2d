import { reasonOf } from '@placefleet/shared/command-line'
import type { Logger } from '@placefleet/shared/log'

/** Longer than a coordinator's restart and the move to another one take, as a rule. */
const LASTING_MS = 5_000

/** How often it is said again. */
const AGAIN_MS = 60_000

/** For how long something that the agent needs does not answer: told in the log once that lasts, and then now and again. */
export type Outage = {
  /** It does not answer. Said again while that lasts, for the reason that is known by now. */
  begun(reason?: unknown): void
  /** It answers, or nobody asks any more. */
  over(): void
}

export type OutageOptions = {
  log: Logger
  /** What does not answer, as the log calls it. */
  what: string
  /** Called before each line of the log. */
  onLasting?: () => void
}

/** No outage yet. */
export function createOutage({ log, what, onLasting }: OutageOptions): Outage {
  let timer: NodeJS.Timeout | undefined
  let known: unknown
  const tell = () => {
    timer = setTimeout(tell, AGAIN_MS)
    onLasting?.()
    log.warn(`${what} does not answer${known === undefined ? '' : ` (${reasonOf(known)})`}`)
  }
  return {
    begun(reason) {
      known = reason ?? known
      timer ??= setTimeout(tell, LASTING_MS)
    },
    over() {
      clearTimeout(timer)
      timer = undefined
      known = undefined
    },
  }
}
