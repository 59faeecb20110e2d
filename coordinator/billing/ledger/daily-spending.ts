import { z } from 'zod'
import { queryInteger } from '../../http/params.ts'
import { creditString, type MicroCredits } from '../prices/cost.ts'

const DAY_MS = 86_400_000

export const DailySpendingQuery = z.strictObject({
  days: queryInteger({ min: 1, max: 366, fallback: 30, describe: 'number of days up to today' }),
})

/** What the jobs of a user were charged, by day. */
export const DailySpending = z
  .object({
    days: z.array(
      z.object({
        date: z.iso.date().describe('the UTC day of the charge'),
        credits: z.string().describe('credits, with 6 decimals'),
      }),
    ),
  })
  .meta({
    id: 'DailySpending',
    description: 'The charges of jobs by UTC day, oldest first. Days without a charge have 0.',
    examples: [
      {
        days: [
          { date: '2026-03-01', credits: '0.151000' },
          { date: '2026-03-02', credits: '0.000000' },
        ],
      },
    ],
  })
export type DailySpending = z.infer<typeof DailySpending>

/** Returns the last `count` UTC days up to that of `at`, oldest first, as in 2026-03-01. */
export function lastDays(count: number, at: Date): string[] {
  return Array.from({ length: count }, (_, day) =>
    new Date(at.getTime() - (count - 1 - day) * DAY_MS).toISOString().slice(0, 10),
  )
}

/** Returns the charges as the API shows them: every day, also those without a charge. */
export function dailySpending(days: string[], charged: Map<string, MicroCredits>): DailySpending {
  return { days: days.map((date) => ({ date, credits: creditString(charged.get(date) ?? 0) })) }
}
