import type { OpenInterval, Place } from '@placefleet/shared/place'
import { getAt, integerAt, listAt, type Node, textAt } from '../../answers/values.ts'
import { weekdayNumberOfDate } from './hours.ts'

const DAY = 1_440
const CLOSED = 2
const MAX_INTERVALS = 140

/**
 * A day of the week, 1 = Monday. `times`: opening and closing, in minutes after midnight; undefined when unreadable.
 */
type DayHours = { readonly day: number | undefined; readonly times: readonly (Times | undefined)[] }
type Times = readonly [opens: number, closes: number]

/**
 * Reads opening times from the numbers of a place node, by weekday and time. Absent unless the answer has all seven
 * days, and each of their times is readable: a missing one would read as closed.
 */
export function readIntervals(node: unknown): Partial<Place> {
  const days = currentDays(node)
  return { open_intervals: intervalsOf(days.length > 0 ? days : olderDays(node)) }
}

function intervalsOf(rows: readonly DayHours[]): OpenInterval[] | undefined {
  // Rows begin with today, so the first row of a weekday is the next one.
  const week = new Map(rows.toReversed().map(({ day, times }) => [day, times]))
  const intervals = [1, 2, 3, 4, 5, 6, 7].map((day) => week.get(day)?.map((times) => times && intervalOf(day, times)))
  if (intervals.includes(undefined) || intervals.flat().includes(undefined)) return undefined
  const open = intervals.flat().filter((interval) => interval !== undefined)
  open.sort((a, b) => a.day - b.day || a.from - b.from)
  return open.length > 0 && open.length <= MAX_INTERVALS ? open : undefined
}

// A place that closes when it opens, or before, closes the next day.
const intervalOf = (day: number, [from, closes]: Times): OpenInterval => ({
  day,
  from,
  to: closes <= from ? closes + DAY : closes,
})

// Row: [day name, weekday number, [y, m, d], slots, special, open or closed]; slot: [words, [open, close]].
const currentDays = (node: unknown): DayHours[] =>
  listAt(node, 203, 0).map((row) => ({
    day: integerAt(row, 1),
    times: timesOf(integerAt(row, 5), listAt(row, 3), (slot) =>
      pair(minutesAt(listAt(slot, 1), 0), minutesAt(listAt(slot, 1), 1)),
    ),
  }))

// Row: [day name, words, …, [4] "YYYY-MM-DD", [5] open or closed, [6] [[h, m, h, m], …]].
const olderDays = (node: unknown): DayHours[] =>
  listAt(node, 34, 1).map((row) => ({
    day: weekdayNumberOfDate(textAt(row, 4)),
    times: timesOf(integerAt(row, 5), listAt(row, 6), (slot) =>
      pair(minutes(integerAt(slot, 0), integerAt(slot, 1)), minutes(integerAt(slot, 2), integerAt(slot, 3))),
    ),
  }))

/** Returns the times of a day. One that is open has some; one that is closed has none, but maybe a word. */
function timesOf(state: number | undefined, slots: Node, read: (slot: unknown) => Times | undefined) {
  const isTimed = slots.some((slot) => getAt(slot, 1) !== undefined)
  if (state === CLOSED) return isTimed ? [undefined] : []
  return isTimed ? slots.map(read) : [undefined]
}

const pair = (opens: number | undefined, closes: number | undefined): Times | undefined =>
  opens === undefined || closes === undefined || opens === DAY ? undefined : [opens, closes]

// [h], [h, m], or [] for midnight.
function minutesAt(times: Node, index: number): number | undefined {
  const time = getAt(times, index)
  if (!Array.isArray(time)) return undefined
  const [hour = 0, minute = 0, ...more] = time
  return more.length === 0 && typeof hour === 'number' && typeof minute === 'number' ? minutes(hour, minute) : undefined
}

function minutes(hour: number | undefined, minute: number | undefined): number | undefined {
  if (hour === undefined || minute === undefined || !Number.isInteger(hour) || !Number.isInteger(minute))
    return undefined
  const time = hour * 60 + minute
  return hour >= 0 && minute >= 0 && minute < 60 && time <= DAY ? time : undefined
}
