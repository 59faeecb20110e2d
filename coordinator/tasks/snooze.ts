import type { Collection, Document } from 'mongodb'
import { fromNow } from '../mongo/time.ts'
import { OPEN_STATES, type RefusedHost, type TaskDocument } from './documents.ts'

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

/** What the refused tasks of a job mean for it. */
export function refusals(tasks: Collection<TaskDocument>) {
  return {
    /** When a job goes on whose open tasks all wait because the map site refuses them; undefined when it goes on now. */
    async blockedUntil(job_id: string): Promise<Date | undefined> {
      const isSnoozed = {
        $and: [{ $eq: ['$state', 'waiting'] }, { $gt: ['$not_before', '$$NOW'] }, { $gt: ['$refused', null] }],
      }
      const [open] = await tasks
        .aggregate<{ others: number; until: Date | null }>([
          { $match: { job_id, state: { $in: OPEN_STATES } } },
          {
            $group: {
              _id: null,
              others: { $sum: { $cond: [isSnoozed, 0, 1] } },
              until: { $min: { $cond: [isSnoozed, '$not_before', null] } },
            },
          },
        ])
        .toArray()
      return open && open.others === 0 ? (open.until ?? undefined) : undefined
    },

    /**
     * Whether the map site refused every open task of a job, and none has got anywhere since. A canary that is under way
     * has not.
     */
    async isBlocked(job_id: string): Promise<boolean> {
      const open = { job_id, state: { $in: OPEN_STATES } }
      const goesOn = [{ 'refused.0': { $exists: false } }, { state: 'running', sequence: { $gt: 0 } }] as const
      if (await tasks.findOne({ ...open, $or: [...goesOn] }, { projection: { _id: 1 } })) return false
      return (await tasks.findOne(open, { projection: { _id: 1 } })) !== null
    },
  }
}
