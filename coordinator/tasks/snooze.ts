import type { Document } from 'mongodb'
import { fromNow } from '../mongo/time.ts'

/**
 * Whom the map site refuses for a task, and until when: a host, whose agents share its address, or one agent by its id, when
 * it may not use the browser that the site wants.
 */
export type RefusedHost = { host: string; until: Date }

/** A task that an agent gives back because the map site refuses it. `others`: hosts or agents that may take it at once. */
export type Snooze = { seconds: number; host: string; others: readonly string[] }

const stillRefused: Document = {
  $filter: { input: { $ifNull: ['$refused', []] }, as: 'one', cond: { $gt: ['$$one.until', '$$NOW'] } },
}

/**
 * The update that snoozes a task: its host may not claim it before its exits have rested. Without another host that may,
 * the task waits until the first one has.
 */
export function snoozed({ seconds, host, others }: Snooze): Document[] {
  const until = fromNow(Math.ceil(seconds * 1_000), 'millisecond')
  const refused = { $concatArrays: [stillRefused, [{ host: { $literal: host }, until }]] }
  const free = { $setDifference: [{ $literal: [...others] }, '$refused.host'] }
  const anyFree = { $gt: [{ $size: free }, 0] }
  return [
    { $set: { refused } },
    { $set: { state: 'waiting', not_before: { $cond: [anyFree, '$$REMOVE', { $min: '$refused.until' }] } } },
    { $unset: ['agent_id', 'stream', 'lease_until'] },
  ]
}

/** The condition that the map site refuses neither this host nor this agent for a task. */
export function mayClaim(host: string, agent_id: string): Document {
  const isOne = { $in: ['$$one.host', { $literal: [host, agent_id] }] }
  const refused = { $filter: { input: stillRefused, as: 'one', cond: isOne } }
  return { $expr: { $eq: [{ $size: refused }, 0] } }
}

/** Whether the map site refuses one of these, a host and an agent, for a task at `now`. */
export function isRefused(
  { refused = [] }: { refused?: RefusedHost[] },
  claimants: readonly string[],
  now = Date.now(),
): boolean {
  return refused.some((one) => claimants.includes(one.host) && one.until.getTime() > now)
}
