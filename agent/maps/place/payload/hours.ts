import { type Place, WEEKDAYS, type Weekday } from '@placefleet/shared/place'
import { fitLine, integerAt, listAt, numberAt, readEach, textAt } from '../../answers/values.ts'

const MAX_SLOTS = 20

export function readHours(node: unknown): Partial<Place> {
  return { open_hours: currentHours(node) ?? olderHours(node) }
}

/** Returns the weekday of the site's number, 1 = Monday to 7 = Sunday. */
const weekdayOf = (number: number | undefined): Weekday | undefined =>
  number === undefined ? undefined : WEEKDAYS[number - 1]

// Row: [day name, weekday number, [y, m, d], slots, special, open or closed]; slot: [words, [open, close]].
function currentHours(node: unknown): Place['open_hours'] {
  return byWeekday(
    listAt(node, 203, 0).map((row) => {
      return [weekdayOf(integerAt(row, 1)), listAt(row, 3).map((slot) => textAt(slot, 0))] as const
    }),
  )
}

// Row: [day name, words, …, [4] "YYYY-MM-DD"]. It has no weekday number, and the name depends on the language.
function olderHours(node: unknown): Place['open_hours'] {
  return byWeekday(
    listAt(node, 34, 1).map((row) => {
      const words = listAt(row, 1).map((text) => (typeof text === 'string' ? text : undefined))
      return [weekdayOf(weekdayNumberOfDate(textAt(row, 4))), words] as const
    }),
  )
}

/** Returns the number of the weekday of a date, 1 = Monday. Undefined for no date of the form "YYYY-MM-DD". */
export function weekdayNumberOfDate(date: string | undefined): number | undefined {
  if (date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
  const day = new Date(`${date}T00:00:00Z`).getUTCDay() // 0 = Sunday; NaN for no date
  return day === 0 ? 7 : day
}

function byWeekday(
  rows: readonly (readonly [Weekday | undefined, readonly (string | undefined)[]])[],
): Place['open_hours'] {
  const hours: Partial<Record<Weekday, string[]>> = {}
  for (const [weekday, words] of rows) {
    const texts = readEach(words, fitLine)
    // Rows begin with today, so the first row of a weekday is the next one.
    if (weekday !== undefined && texts.length > 0) hours[weekday] ??= texts.slice(0, MAX_SLOTS)
  }
  return Object.keys(hours).length > 0 ? hours : undefined
}

/**
 * Reads how busy a place is by weekday and hour, in percent of its busiest hour. Closed hours are 0. Days without hours
 * are omitted.
 */
export function readPopularTimes(node: unknown): Partial<Place> {
  const days: Partial<Record<Weekday, Record<string, number>>> = {}
  for (const day of listAt(node, 84, 0)) {
    const weekday = weekdayOf(integerAt(day, 0))
    const hours = readDay(day)
    if (weekday !== undefined && Object.keys(hours).length > 0) days[weekday] = hours
  }
  return { popular_times: Object.keys(days).length > 0 ? days : undefined }
}

function readDay(day: unknown): Record<string, number> {
  const hours: Record<string, number> = {}
  for (const entry of listAt(day, 1)) {
    const hour = integerAt(entry, 0)
    const percent = numberAt(entry, 1)
    if (hour === undefined || hour < 0 || hour > 23 || percent === undefined) continue
    hours[String(hour)] = Math.min(100, Math.max(0, Math.round(percent)))
  }
  return hours
}
