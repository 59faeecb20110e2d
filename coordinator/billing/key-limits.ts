import type { SpendingLimits } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { creditString, type MicroCredits, microCredits } from './cost.ts'

/** What the jobs of an API key cost or may still cost: those created in the current day and month (UTC). */
export type KeySpending = { day: MicroCredits; month: MicroCredits }

export const NOTHING_SPENT: KeySpending = { day: 0, month: 0 }

/** The beginning of the UTC day and of the UTC month of a time. */
export function spendingPeriods(at: Date): { day: Date; month: Date } {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return { day: new Date(Date.UTC(year, month, at.getUTCDate())), month: new Date(Date.UTC(year, month, 1)) }
}

/**
 * Checks that a job which may cost `most` keeps an API key within its limits.
 * @throws AppError `key_limit` that names the limit and what is left.
 */
export function checkKeyLimits(limits: SpendingLimits, spending: KeySpending, most: MicroCredits): void {
  for (const period of ['day', 'month'] as const) {
    const limit = limits[period]
    if (limit === undefined) continue
    const left = Math.max(0, microCredits(limit) - spending[period])
    if (most <= left) continue
    const rule = `This API key may spend ${creditString(microCredits(limit))} credits a ${period} (UTC).`
    const advice = `Lower \`max_cost\`, or raise the limit of the key with a session.`
    throw new AppError(
      'key_limit',
      `${rule} ${creditString(left)} are left, and the job may cost ${creditString(most)}. ${advice}`,
    )
  }
}
