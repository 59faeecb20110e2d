import type { Logger } from '@placefleet/shared/log'
import { LRUCache } from 'lru-cache'

/** The most exits that one agent uses in an hour. Each is a document for a week. */
export const MOST_EXITS = 1_000

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const MOST_AGENTS = 1_000

/** Returns whether an agent may use an exit: one of its thousand of this hour. */
export type ExitLimit = (agent: string, exit_id: string) => boolean

/** Creates the limit of a coordinator. It warns of an agent that wants more, once a minute. */
export function createExitLimit(log: Logger): ExitLimit {
  const used = new LRUCache<string, Set<string>>({ max: MOST_AGENTS, ttl: HOUR_MS })
  const warned = new LRUCache<string, true>({ max: MOST_AGENTS, ttl: MINUTE_MS })
  return (agent, exit_id) => {
    const exits = used.get(agent) ?? new Set()
    if (exits.size === 0) used.set(agent, exits)
    if (exits.has(exit_id)) return true
    if (exits.size < MOST_EXITS) {
      exits.add(exit_id)
      return true
    }
    if (!warned.has(agent))
      log.warn({ agent, most: MOST_EXITS }, 'an agent wants more exits than it may use in an hour')
    warned.set(agent, true)
    return false
  }
}
