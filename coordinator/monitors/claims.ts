import { usingKey } from '../mongo/indexes.ts'
import { DUE_INDEX, DUE_KEY } from './documents.ts'

/** The moment by the database's clock, or by the clock of a test. */
export type Clock = '$$NOW' | (() => Date)

/** Returns the present, as the value of a field in a pipeline. */
export const nowOf = (clock: Clock) => (clock === '$$NOW' ? clock : clock())

/** How long other coordinators leave a monitor or a run alone that one looks at. */
export const LOOK_SECONDS = 60

/**
 * Returns what claims the document that has been due longest, for a minute. Its `due_at` is then the end of the claim. It
 * names the claim, because whoever changes the document or claims it again sets another `due_at`.
 */
export function claimOfLongestDue(clock: Clock) {
  const now = nowOf(clock)
  const end = { $dateAdd: { startDate: now, unit: 'second', amount: LOOK_SECONDS } }
  return {
    due: { due_at: { $exists: true }, $expr: { $lte: ['$due_at', now] } },
    claim: [{ $set: { due_at: end } }],
    options: { sort: DUE_KEY, ...usingKey(DUE_INDEX, DUE_KEY), returnDocument: 'after' },
  } as const
}

/** Returns when a claim began, by the database's clock. */
export const claimedAt = ({ due_at }: { due_at?: Date }): Date =>
  new Date((due_at?.getTime() ?? Date.now()) - LOOK_SECONDS * 1_000)

/** Returns the end of a claim that begins now. */
export const claimEnd = (now: Date): Date => new Date(now.getTime() + LOOK_SECONDS * 1_000)
