import { CITY } from './city/geography.ts'

/** A time in the city's time zone. */
export interface LocalTime {
  year: number
  month: number
  day: number
  /** 1 = Monday to 7 = Sunday. */
  weekday: number
  /** Minutes after midnight. */
  minutes: number
}

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: CITY.timezone,
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
})

/** Converts milliseconds since 1970 to the city's time zone. */
export function localTime(instant: number): LocalTime {
  const parts = FORMAT.formatToParts(instant)
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  const [year, month, day] = [number('year'), number('month'), number('day')]
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7
  return { year, month, day, weekday, minutes: number('hour') * 60 + number('minute') }
}

/** Returns the local date `days` later, with the same time of day. */
export function laterBy(time: LocalTime, days: number): LocalTime {
  const date = new Date(Date.UTC(time.year, time.month - 1, time.day + days))
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay() || 7,
    minutes: time.minutes,
  }
}

/** The default "now" of the simulated site: a fixed Tuesday, so that every answer is predictable. */
export const DEFAULT_NOW = '2025-06-17T09:30:00.000Z'
