import { createHash } from 'node:crypto'
import { Cron } from 'croner'
import { z } from 'zod'

/** The accepted intervals, from 15m to 366d, for the API document. */
export const EVERY_PATTERN = `^(${[
  '(1[5-9]|[2-9][0-9]|[1-9][0-9]{2,4})m',
  '([1-9][0-9]{0,2}|[1-7][0-9]{3}|8[0-6][0-9]{2}|87[0-7][0-9]|878[0-4])h',
  '([1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-6])d',
].join('|')})$`

/** Five fields separated by spaces, for the API document. */
const CRON_PATTERN = '^[0-9A-Za-z*?,/#+-]+( +[0-9A-Za-z*?,/#+-]+){4}$'

/** When a monitor runs: by cron in a time zone, or at equal intervals from its anchor. `scheduleFault` checks its values. */
export const Schedule = z
  .union(
    [
      z.strictObject({
        cron: z
          .string()
          .min(9)
          .max(100)
          .meta({ description: 'five fields: minute, hour, day of month, month, day of week', pattern: CRON_PATTERN }),
        timezone: z.string().min(1).max(50).describe('name of the time zone of `cron`, e.g. Europe/Nicosia'),
      }),
      z.strictObject({
        every: z.string().min(2).max(20).meta({
          description: 'interval in minutes, hours or days: `90m`, `12h`, `7d`',
          pattern: EVERY_PATTERN,
        }),
      }),
    ],
    'must be {"every": "12h"}, or like {"cron": "0 6 * * 1", "timezone": "Europe/Berlin"}',
  )
  .describe('when it runs: by `cron` and `timezone`, or at intervals with `every`; at most every 15 minutes')
export type Schedule = z.infer<typeof Schedule>

/** What decides the due times of a monitor. */
export type Timing = {
  monitor_id: string
  schedule: Schedule
  /** Where the intervals of `every` begin. */
  anchor: Date
  /** The largest delay of a run in seconds. */
  jitter_seconds: number
  ends_at?: Date | undefined
}

/** One due time of a monitor. `at` is its identity; it begins at `due_at`, which is later by its jitter. */
export type Occurrence = { at: Date; due_at: Date }

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 } as const

/** The shortest time between two runs. */
const SHORTEST_MS = 15 * 60_000

/** The form of an interval. */
const EVERY = /^([1-9]\d{0,4})([mhd])$/

/** Returns the length of an interval such as `90m`, `12h` or `7d` in milliseconds. Undefined for other text. */
export function intervalMs(every: string): number | undefined {
  const [, amount, unit] = EVERY.exec(every) ?? []
  return unit === 'm' || unit === 'h' || unit === 'd' ? Number(amount) * UNIT_MS[unit] : undefined
}

/** Runs looked at to find the time between two of them. Each is searched for, which costs more the rarer they are. */
const RUNS_CHECKED = 8

/** The longest time between two runs, and before the first. A rarer schedule costs a search through many years. */
const LONGEST_MS = 366 * UNIT_MS.d

/** What is wrong with a schedule, with a message for the user that follows the name of the field. */
type ScheduleFault = { field: 'cron' | 'timezone' | 'every'; message: string }

/**
 * Returns what is wrong with a schedule. Undefined when nothing is.
 * @param from the moment from which its runs are checked.
 */
export function scheduleFault(schedule: Schedule, from: Date): ScheduleFault | undefined {
  if ('every' in schedule) {
    const message = everyFault(schedule.every)
    return message === undefined ? undefined : { field: 'every', message }
  }
  if (cronRuns({ ...schedule, cron: '0 6 * * 1' }, from) === undefined) {
    return { field: 'timezone', message: 'must be the name of a time zone, e.g. "Europe/Berlin"' }
  }
  const message = cronFault(cronRuns(schedule, from), from)
  return message === undefined ? undefined : { field: 'cron', message }
}

function everyFault(every: string): string | undefined {
  const ms = intervalMs(every)
  if (ms === undefined) return 'must be a number with m, h or d, e.g. "12h"'
  return ms < SHORTEST_MS || ms > 366 * UNIT_MS.d ? 'must be between 15m and 366d' : undefined
}

function cronFault(runs: Date[] | undefined, from: Date): string | undefined {
  if (runs === undefined)
    return 'must have five fields: minute, hour, day of month, month, day of week, e.g. "0 6 * * 1"'
  if (runs.length === 0) return 'never matches a time'
  const gaps = runs.map((run, index) => run.getTime() - (runs[index - 1] ?? from).getTime())
  if (gaps.some((gap) => gap > LONGEST_MS)) return 'must come true at least once a year'
  return gaps.slice(1).some((gap) => gap < SHORTEST_MS) ? 'must leave at least 15 minutes between two runs' : undefined
}

/**
 * Returns the next eight runs, or fewer when one is more than a year after the one before. Undefined: it cannot be
 * read.
 */
function cronRuns({ cron, timezone }: { cron: string; timezone: string }, from: Date): Date[] | undefined {
  try {
    const schedule = new Cron(cron, { timezone, mode: '5-part', paused: true })
    const runs: Date[] = []
    let last = from
    while (runs.length < RUNS_CHECKED) {
      const next = schedule.nextRun(last)
      if (!next) break
      runs.push(next)
      if (next.getTime() - last.getTime() > LONGEST_MS) break
      last = next
    }
    return runs
  } catch {
    return undefined // the library throws texts for programmers
  }
}

/**
 * Returns the occurrences after a moment, at most `count`, in order. A local time that a clock change skips runs right
 * after the gap. One that occurs twice counts the first time.
 */
export function occurrencesAfter(timing: Timing, after: Date, count: number): Occurrence[] {
  const times = timesAfter(timing, after, count)
  const { ends_at } = timing
  const lasting = ends_at ? times.filter((at) => at <= ends_at) : times
  return lasting.map((at) => ({ at, due_at: dueAt(timing, at) }))
}

function timesAfter({ schedule, anchor }: Timing, after: Date, count: number): Date[] {
  if ('cron' in schedule) {
    return new Cron(schedule.cron, { timezone: schedule.timezone, mode: '5-part', paused: true }).nextRuns(count, after)
  }
  const every = intervalMs(schedule.every)
  if (every === undefined) throw new Error(`the interval ${schedule.every} was stored without a check`)
  const passed = Math.max(0, Math.floor((after.getTime() - anchor.getTime()) / every))
  return Array.from({ length: count }, (_, index) => new Date(anchor.getTime() + (passed + 1 + index) * every))
}

/** Returns when an occurrence begins. Its jitter follows from its identity, so it is the same on every coordinator. */
function dueAt({ monitor_id, jitter_seconds }: Timing, at: Date): Date {
  if (jitter_seconds === 0) return at
  const digest = createHash('sha256').update(`${monitor_id} ${at.toISOString()}`).digest()
  const share = digest.readUInt32BE() / 2 ** 32
  return new Date(at.getTime() + Math.floor(share * jitter_seconds * 1_000))
}

/** How late a run may still begin, after an outage for example. */
const CATCH_UP_MS = 24 * UNIT_MS.h

/** Occurrences looked at in one evaluation at most. The next evaluation takes the others. */
const EVALUATED_AT_ONCE = 500

/** The due occurrences of a monitor: the one to run, and those that are too late or that it replaces. */
export type Due = { run: Occurrence | undefined; missed: Occurrence[]; watermark: Date }

/**
 * Returns what became due after the watermark; undefined when nothing is due. Of several missed runs only the last one
 * runs, within 24 hours.
 */
export function dueOccurrences(timing: Timing, watermark: Date, now: Date): Due | undefined {
  const due = occurrencesAfter(timing, watermark, EVALUATED_AT_ONCE).filter(({ due_at }) => due_at <= now)
  const last = due.at(-1)
  if (!last) return undefined
  const isLate = now.getTime() - last.due_at.getTime() > CATCH_UP_MS
  const isAll = due.length < EVALUATED_AT_ONCE
  return isLate || !isAll
    ? { run: undefined, missed: due, watermark: last.at }
    : { run: last, missed: due.slice(0, -1), watermark: last.at }
}
