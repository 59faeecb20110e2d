import type { Db, Document } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { fromNow } from '../mongo/time.ts'
import { endedAttempt } from './attempts.ts'
import type { ForAgents, TaskAgent } from './documents.ts'
import { OPEN_STATES, type RefusedClaimant, type TaskDocument, tasksBy, tasksOf, type WaitReason } from './documents.ts'

/**
 * How long an agent gives back a task that the map site refuses. `claimant`: the refused exit or agent. `others`: exits or
 * agents that may claim it at once.
 */
export type Snooze = { seconds: number; claimant: string; others: readonly string[]; reason?: WaitReason }

/** The refusals of a task that still hold, by the database's clock. */
export const stillRefused: Document = {
  $filter: { input: { $ifNull: ['$refused', []] }, as: 'one', cond: { $gt: ['$$one.until', '$$NOW'] } },
}

/** Those of them that are not for answers that nobody knows. */
const stillBlocked: Document = {
  $filter: { input: stillRefused, as: 'one', cond: { $ne: ['$$one.reason', 'unknown'] } },
}

/** Until when a job waits that the map site refuses, and why. */
type Wait = { until: Date; reason: WaitReason }

/**
 * Returns the update that snoozes a task. Agents on the refused exit may not claim it until that has rested. When no other
 * exit may claim it either, the task waits until the first may.
 */
export function snoozed({ seconds, claimant, others, reason = 'blocked' }: Snooze): Document[] {
  const until = fromNow(Math.ceil(seconds * 1_000), 'millisecond')
  const refused = { $concatArrays: [stillRefused, [{ claimant: { $literal: claimant }, until, reason }]] }
  const free = { $setDifference: [{ $literal: [...others] }, '$refused.claimant'] }
  const anyFree = { $gt: [{ $size: free }, 0] }
  return [
    { $set: { refused, ...endedAttempt('refused') } },
    { $set: { state: 'waiting', not_before: { $cond: [anyFree, '$$REMOVE', { $min: '$refused.until' }] } } },
    { $unset: ['agent_id', 'stream', 'lease_until'] },
  ]
}

/**
 * Lets tasks run that waited because the map site refused an exit or agent. Undefined: whichever it refused.
 */
export async function endRefusals(db: Db, claimant: string | undefined): Promise<void> {
  const others =
    claimant === undefined
      ? []
      : { $filter: { input: '$refused', as: 'one', cond: { $ne: ['$$one.claimant', { $literal: claimant }] } } }
  const refused = claimant === undefined ? { 'refused.0': { $exists: true } } : { 'refused.claimant': claimant }
  const update = [{ $set: { refused: others } }, { $unset: 'not_before' }]
  await tasksOf(db).updateMany(
    { ...refused, state: { $in: ['waiting', 'released'] } },
    update,
    using(tasksBy.state_ended),
  )
}

/** Returns the condition for tasks that the map site refuses to neither this exit nor this agent. */
export function mayClaim(exit: string, agent_id: string): Document {
  const isOne = { $in: ['$$one.claimant', { $literal: [exit, agent_id] }] }
  const refused = { $filter: { input: stillRefused, as: 'one', cond: isOne } }
  return { $expr: { $eq: [{ $size: refused }, 0] } }
}

/** Returns whether the refusals of a task concern one of these exits or agents. */
export const isRefused = ({ refused = [] }: { refused?: RefusedClaimant[] }, claimants: readonly string[]): boolean =>
  refused.some(({ claimant }) => claimants.includes(claimant))

/** Whether one of the agents may claim a task now, whose refusals still hold. */
export const isClaimable = (agents: readonly TaskAgent[], task: ForAgents & Pick<TaskDocument, 'refused'>): boolean =>
  task.demo === true ||
  agents.some(({ id, exit, proxies }) => (proxies || !task.proxied) && !isRefused(task, [id, exit]))

/**
 * When the map site refuses all open tasks of a job, returns the time at which the first may run, and the reason:
 * `unknown` while only answers came that nobody knows. Otherwise undefined.
 */
export async function blockedUntil(db: Db, job_id: string): Promise<Wait | undefined> {
  const isSnoozed = {
    $and: [{ $eq: ['$state', 'waiting'] }, { $gt: ['$not_before', '$$NOW'] }, { $gt: ['$refused', null] }],
  }
  const sums = {
    others: { $sum: { $cond: [isSnoozed, 0, 1] } },
    until: { $min: { $cond: [isSnoozed, '$not_before', null] } },
    blocked: { $sum: { $size: stillBlocked } },
  }
  const [open] = await tasksOf(db)
    .aggregate<{ others: number; until: Date | null; blocked: number }>([
      { $match: { job_id, state: { $in: OPEN_STATES } } },
      { $group: { _id: null, ...sums } },
    ])
    .toArray()
  if (!open || open.others > 0 || !open.until) return undefined
  return { until: open.until, reason: open.blocked > 0 ? 'blocked' : 'unknown' }
}

/**
 * Whether the map site refused every open task of a job, and none has made progress since. A running canary does not
 * count as progress.
 */
export async function isBlocked(db: Db, job_id: string): Promise<boolean> {
  const open = { job_id, state: { $in: OPEN_STATES } }
  const goesOn = [{ 'refused.0': { $exists: false } }, { state: 'running', sequence: { $gt: 0 } }] as const
  if (await tasksOf(db).findOne({ ...open, $or: [...goesOn] }, { projection: { _id: 1 } })) return false
  return (await tasksOf(db).findOne(open, { projection: { _id: 1 } })) !== null
}
