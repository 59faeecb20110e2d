import { chance } from '../random.ts'
import { type Schedule, slotsOf } from './schedule.ts'

/** Percent of the busiest hour, by weekday (1 = Monday to 7 = Sunday) and hour; a closed weekday is missing. */
export type Busyness = ReadonlyMap<number, ReadonlyMap<number, number>>

const BUSY_SALT = 91
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]

const isOpen = (schedule: Schedule, weekday: number, hour: number) =>
  schedule.kind !== 'weekly' ||
  slotsOf(schedule, weekday).some(({ open, close }) => {
    const end = close <= open ? close + 1440 : close
    return hour * 60 >= open - 30 && hour * 60 < end
  })

/** Returns how busy a place is, in hours 6 to 23; the busiest hour of the week has 100. */
export function busynessOf(seed: number, index: number, schedule: Schedule): Busyness {
  const dice = chance(seed, index, BUSY_SALT)
  const peak = dice.between(12, 20)
  const days = WEEKDAYS.filter((weekday) => schedule.kind !== 'weekly' || slotsOf(schedule, weekday).length > 0)
  const raw = days.map((weekday): [number, [number, number][]] => [
    weekday,
    Array.from({ length: 18 }, (_, step): [number, number] => {
      const hour = step + 6
      const level = Math.max(3, 80 - 9 * Math.abs(hour - peak)) * (0.6 + 0.4 * dice.next())
      return [hour, isOpen(schedule, weekday, hour) ? level : 0]
    }),
  ])
  const highest = Math.max(1, ...raw.flatMap(([, hours]) => hours.map(([, level]) => level)))
  return new Map(
    raw.map(([weekday, hours]) => [
      weekday,
      new Map(hours.map(([hour, level]) => [hour, Math.round((100 * level) / highest)])),
    ]),
  )
}
