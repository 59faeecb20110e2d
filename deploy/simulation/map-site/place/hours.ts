import { type Place, WEEKDAYS, type Weekday } from '@placefleet/shared/place'
import type { Words } from '../language.ts'
import { type Cell, row } from '../payload/row.ts'
import { chance } from '../random.ts'
import { dayAfter, TODAY, type View } from '../view.ts'
import type { PlaceDetails } from './details.ts'
import { type Facet, filled } from './facet.ts'
import { type Schedule, type Slot, slotsOf } from './schedule.ts'
import { statusOf } from './status.ts'

const COLOURS: Cell = [[0, 6, [null, [4292423717, 4294085506]]]]
const DAYS = [1, 2, 3, 4, 5, 6, 7] as const

const nameOf = (weekday: number): Weekday => WEEKDAYS[weekday - 1] ?? 'Monday'

/** Returns hours, status and popular times. The cell at 203 has the days from today on. */
export function hoursFacet(place: PlaceDetails, { words }: View): Facet {
  const days = openingDays(place.schedule, words)
  const status = statusOf(place, words)
  const text = status && [status.text, COLOURS]
  const short = status && [status.short, COLOURS]
  const state = row({ 0: days[0]?.cell, 1: 0, 2: status?.code, 4: text, 5: text, 8: short })
  const rows = filled(days.map(({ cell }) => cell))
  const busy = place.hasBusyHours ? busyHours(place) : undefined
  return {
    members: {
      84: busy && popularTimesCell(busy, words),
      203: rows || status ? [rows ?? null, state, 1, 2, null, null, 1] : undefined,
    },
    truth: {
      open_hours: rows && Object.fromEntries(days.map(({ weekday, texts }) => [nameOf(weekday), texts])),
      open_intervals: place.schedule && openIntervals(place.schedule),
      popular_times:
        busy && Object.fromEntries([...busy].map(([weekday, hours]) => [nameOf(weekday), Object.fromEntries(hours)])),
      status: status?.text,
    },
  }
}

/** The seven days from today on: the texts of their hours, and their cells. Empty when the hours are unknown. */
function openingDays(schedule: Schedule, words: Words) {
  if (schedule === undefined) return []
  return [0, 1, 2, 3, 4, 5, 6].map((step) => {
    const { year, month, day, weekday } = dayAfter(step)
    const slots = slotsOf(schedule, weekday)
    const isOpen = schedule === 'always' || slots.length > 0
    const whole = schedule === 'always' ? words.open24 : words.closed
    const texts = filled(slots.map(({ open, close }) => words.range(open, close))) ?? [whole]
    const times = filled(slots.map(({ open, close }, nth): Cell => [texts[nth] ?? '', [time(open), time(close)]]))
    const allDay: Cell = isOpen ? [whole, [[], []]] : [whole]
    const name = words.weekdays[weekday - 1] ?? ''
    const cell: Cell = [name, weekday, [year, month, day], times ?? [allDay], 0, isOpen ? 1 : 2]
    return { weekday, texts, cell }
  })
}

// A time is [h] or [h, m], and [] at midnight.
const time = (minutes: number): Cell => {
  if (minutes === 0) return []
  return minutes % 60 === 0 ? [minutes / 60] : [Math.floor(minutes / 60), minutes % 60]
}

const openIntervals = (schedule: NonNullable<Schedule>): Place['open_intervals'] => {
  const slots = (day: number): readonly Slot[] =>
    schedule === 'always' ? [{ open: 0, close: 0 }] : slotsOf(schedule, day)
  return DAYS.flatMap((day) =>
    slots(day).map(({ open, close }) => ({ day, from: open, to: close <= open ? close + 1_440 : close })),
  )
}

const BUSY_SALT = 91

/** Percent of the busiest hour, by weekday and hour from 6 to 23; a closed weekday is missing. */
type BusyHours = ReadonlyMap<number, ReadonlyMap<number, number>>

function busyHours({ seed, index, schedule }: PlaceDetails): BusyHours {
  const dice = chance(seed, index, BUSY_SALT)
  const peak = dice.between(12, 20)
  const open = DAYS.filter((weekday) => typeof schedule !== 'object' || slotsOf(schedule, weekday).length > 0)
  const levelAt = (hour: number) =>
    Math.round(Math.max(3, 100 - 12 * Math.abs(hour - peak)) * (0.5 + 0.5 * dice.next()))
  const hours = () => Array.from({ length: 18 }, (_, step): [number, number] => [step + 6, levelAt(step + 6)])
  return new Map(open.map((weekday) => [weekday, new Map(hours())]))
}

// Sunday first. A closed day has no list.
const popularTimesCell = (busy: BusyHours, words: Words): Cell => {
  const hourCell = ([hour, percent]: [number, number]): Cell => {
    return [hour, percent, '', '', words.time(hour * 60), null, `${hour - (hour % 3)}`]
  }
  const days = [7, 1, 2, 3, 4, 5, 6].map((weekday): Cell => {
    const hours = busy.get(weekday)
    return [weekday, hours ? [...hours].map(hourCell) : null, 0]
  })
  return [days, TODAY.weekday, null, 1, Math.floor(TODAY.minutes / 60)]
}
