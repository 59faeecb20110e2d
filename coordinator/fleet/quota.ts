import type { Logger } from '@placefleet/shared/log'
import { LRUCache } from 'lru-cache'

/** Returns whether a value is one of the few different ones that an agent may send in a time. */
export type Quota = (agent: string, value: string) => boolean

type QuotaOptions = { most: number; withinMs: number; what: string }

/** The most exits that one agent uses in an hour. Each is a document for a week. */
export const EXIT_QUOTA: QuotaOptions = { most: 1_000, withinMs: 3_600_000, what: 'exits in an hour' }

/** An agent repeats its last unknown answers for a minute. */
export const UNKNOWN_QUOTA: QuotaOptions = { most: 3, withinMs: 60_000, what: 'unknown answers in a minute' }

const MINUTE_MS = 60_000
const MOST_AGENTS = 1_000

/** Creates a quota of a coordinator. It warns of an agent that wants more, once a minute. */
export function createQuota(log: Logger, { most, withinMs, what }: QuotaOptions): Quota {
  const sent = new LRUCache<string, Set<string>>({ max: MOST_AGENTS, ttl: withinMs })
  const warned = new LRUCache<string, true>({ max: MOST_AGENTS, ttl: MINUTE_MS })
  return (agent, value) => {
    const values = sent.get(agent) ?? new Set()
    if (values.size === 0) sent.set(agent, values)
    if (values.has(value)) return true
    if (values.size < most) {
      values.add(value)
      return true
    }
    if (!warned.has(agent)) log.warn({ agent, most, what }, 'an agent wants more than it may send')
    warned.set(agent, true)
    return false
  }
}
