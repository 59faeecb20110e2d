import type { Place } from '@placefleet/shared/place'
import type { Weekday } from '@placefleet/shared/weekday'
import { integerAt, listAt, numberAt } from '../../answers/index-path.ts'
import { weekdayOf } from './hours.ts'

/**
 * How busy a place is by weekday and hour of the day, in percent of its busiest hour. Day: `[number, hours]` with
 * 1 = Monday, Sunday first in the list; hour: `[hour, percent, …]`. Closed hours are 0. A day without hours is left out.
 */
export function readPopularTimes(node: unknown): Pick<Place, 'popular_times'> {
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
