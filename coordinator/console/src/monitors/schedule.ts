import type { Monitor } from './monitor-queries.ts'

type Schedule = Monitor['schedule']

/** How often a monitor runs, as the form asks for it. */
export type ScheduleDraft = {
  often: 'day' | 'week' | 'hours' | 'cron'
  /** As in 06:30. */
  time: string
  /** 0 is Sunday. */
  weekday: number
  hours: number
  cron: string
  /** The time zone of `time` and `cron`, e.g. Europe/Berlin. */
  timezone: string
}

/** Returns the schedule that the form of a new monitor begins with, in the time zone of this browser. */
export const newSchedule = (): ScheduleDraft => ({
  often: 'week',
  time: '06:00',
  weekday: 1,
  hours: 12,
  cron: '0 6 1 * *',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

const HOURS = { m: 1 / 60, h: 1, d: 24 }

/** Returns a schedule of the API as the form shows it. */
export function scheduleDraftOf(schedule: Schedule): ScheduleDraft {
  if ('every' in schedule) {
    const { amount, unit } = /^(?<amount>\d+)(?<unit>[mhd])$/.exec(schedule.every)?.groups ?? {}
    const hours = unit === 'm' || unit === 'h' || unit === 'd' ? Number(amount) * HOURS[unit] : 12
    return { ...newSchedule(), often: 'hours', hours }
  }
  const daily = dailyTime(schedule)
  const often = daily === undefined ? 'cron' : daily.weekday === undefined ? 'day' : 'week'
  return { ...newSchedule(), ...schedule, ...daily, often }
}

/** Returns the schedule in the form of the API. */
export function scheduleOf({ often, time, weekday, hours, cron, timezone }: ScheduleDraft): Schedule {
  if (often === 'hours') return { every: Number.isInteger(hours) ? `${hours}h` : `${Math.round(hours * 60)}m` }
  if (often === 'cron') return { cron: cron.trim(), timezone }
  const [hour, minute] = time
    .split(':')
    .filter((part) => part !== '')
    .map(Number)
  return { cron: [minute, hour, '*', '*', often === 'week' ? weekday : '*'].filter(isGiven).join(' '), timezone }
}

/** An empty time gives a schedule that the API refuses. */
const isGiven = (field: unknown): boolean => field !== undefined

const DAILY = /^(?<minute>\d{1,2}) (?<hour>\d{1,2}) \* \* (?<weekday>\*|[0-6])$/

/** Returns the time of a schedule that runs once a day or once a week; undefined for others. */
export function dailyTime({ cron }: { cron: string }): { time: string; weekday?: number } | undefined {
  const { minute, hour, weekday } = DAILY.exec(cron)?.groups ?? {}
  if (minute === undefined || hour === undefined) return undefined
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  return weekday === '*' ? { time } : { time, weekday: Number(weekday) }
}
