import type { Logger } from '@placefleet/shared/log'
import { LRUCache } from 'lru-cache'
import type { ExitDocument } from './documents.ts'

/** The site trims some answers by chance, so that the last verdict of an exit may change with every decision. */
const LINE_MS = 60_000
const MOST_EXITS = 10_000

/** Logs that the site answers an exit otherwise than before, at most one line a minute for each exit. */
export function createVerdictLog(log: Logger): (before: ExitDocument | undefined, after: ExitDocument) => void {
  const logged = new LRUCache<string, true>({ max: MOST_EXITS, ttl: LINE_MS })
  return (before, { _id: exit, kind, name, last_verdict: verdict, verdicts, counted_since }) => {
    const was = before?.last_verdict
    if (was === undefined || verdict === was || logged.has(exit)) return
    logged.set(exit, true)
    const about = { exit, kind, ...(name !== undefined && { name }), was, verdict }
    log.info({ ...about, verdicts, since: counted_since.toISOString() }, 'the map site answers an exit otherwise')
  }
}
