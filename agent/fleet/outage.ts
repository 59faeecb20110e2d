import { reasonOf } from '@placefleet/shared/command-line'
import type { Logger } from '@placefleet/shared/log'

/** Milliseconds until a warning is repeated. */
export const AGAIN_MS = 60_000

/** Logs the outage of a server that the agent needs: once after a while, then every minute. */
export type Outage = {
  /** Reports that the server does not answer. May be called again with a newer reason. */
  begun(reason?: unknown): void
  /** Reports that the server answers, or that it is no longer needed. */
  over(): void
}

/** `what`: the name of the server in the log. `lastingMs`: the time before the first line. */
type OutageOptions = { log: Logger; what: string; lastingMs: number; onLasting?: () => void }

/** Creates the log of a server's outages. Calls `onLasting` before each line. */
export function createOutage({ log, what, lastingMs, onLasting }: OutageOptions): Outage {
  let timer: NodeJS.Timeout | undefined
  let lastReason: unknown
  const tell = () => {
    timer = setTimeout(tell, AGAIN_MS)
    onLasting?.()
    log.warn(`${what} does not answer${lastReason === undefined ? '' : ` (${reasonOf(lastReason)})`}`)
  }
  return {
    begun(reason) {
      lastReason = reason ?? lastReason
      timer ??= setTimeout(tell, lastingMs)
    },
    over() {
      clearTimeout(timer)
      timer = undefined
      lastReason = undefined
    },
  }
}
