import type { Logger } from '@placefleet/shared/log'
import { LRUCache } from 'lru-cache'
import type { ExitDocument } from './documents.ts'

/**
 * What happens to exits, for operators. Agents decide how often it happens, so each line of an exit comes once a minute
 * at most.
 */
export type ExitLog = {
  /**
   * The site answers an exit otherwise than before. It trims some answers by chance, so this may change with every
   * decision.
   */
  verdict(before: ExitDocument | undefined, after: ExitDocument): void
  /** A rest began, changed or ended. */
  rest(after: ExitDocument, now: Date): void
}

const LINE_MS = 60_000
const MOST_EXITS = 10_000

export function createExitLog(log: Logger): ExitLog {
  const logged = new LRUCache<string, true>({ max: MOST_EXITS, ttl: LINE_MS })
  const isNew = (line: string) => {
    if (logged.has(line)) return false
    logged.set(line, true)
    return true
  }
  return {
    verdict(before, after) {
      const was = before?.last_verdict
      if (was === undefined || after.last_verdict === was || !isNew(`verdict ${after._id}`)) return
      const { verdicts, counted_since } = after
      const about = { ...named(after), was, verdict: after.last_verdict }
      log.info({ ...about, verdicts, since: counted_since.toISOString() }, 'the map site answers an exit otherwise')
    },
    rest(after, now) {
      const { rest } = after.state
      const about = { ...named(after), verdict: after.last_verdict }
      if (rest === undefined || rest.until <= now.getTime()) {
        if (isNew(`awake ${after._id}`)) log.info(about, 'an exit rests no more: the site answers it')
      } else if (isNew(`rest ${after._id}`)) {
        const until = new Date(rest.until).toISOString()
        log.warn({ ...about, reason: rest.reason, until }, 'an exit rests: it sends nothing until then')
      }
    },
  }
}

const named = ({ _id: exit, kind, name }: ExitDocument) => ({ exit, kind, ...(name !== undefined && { name }) })
