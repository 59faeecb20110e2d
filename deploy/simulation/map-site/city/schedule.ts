import { chance } from '../random.ts'
import type { CategoryId } from './categories.ts'
import { categoryOf } from './categories.ts'

/** Opening of a day in minutes after midnight. `close` not after `open` means the next day; 0 is midnight. */
export interface Slot {
  open: number
  close: number
}

/** A week's hours, Monday first; a day without slots is closed. */
export type Schedule = { kind: 'unknown' } | { kind: 'always' } | { kind: 'weekly'; days: readonly (readonly Slot[])[] }

const HOURS_SALT = 51

const day = (open: number, close: number): Slot[] => [{ open: open * 60, close: (close % 24) * 60 }]
const week = (usual: Slot[], saturday: Slot[], sunday: Slot[]) => [usual, usual, usual, usual, usual, saturday, sunday]

const lunchAndDinner = [
  { open: 11 * 60 + 30, close: 14 * 60 },
  { open: 17 * 60, close: 22 * 60 + 30 },
]

type Week = (start: number) => Slot[][]

const PATTERNS: Record<'food' | 'night' | 'trade' | 'open-late', readonly [Week, ...Week[]]> = {
  food: [
    () => [[], ...week(lunchAndDinner, lunchAndDinner, lunchAndDinner).slice(1)],
    (start) => week(day(start, 22), day(start, 23), day(start, 20)),
    (start) => week(day(start - 2, 18), day(start - 1, 16), []),
  ],
  night: [
    () => [[], [], day(18, 25), day(18, 25), day(18, 27), day(18, 27), day(17, 24)],
    () => week(day(16, 25), day(16, 26), day(16, 24)),
  ],
  trade: [
    (start) => week(day(start - 1, 17), day(start, 12), []),
    (start) => week([{ open: start * 60 - 30, close: 12 * 60 + 30 }, ...day(14, 18)], [], []),
    (start) => week(day(start, 18), [], []),
  ],
  'open-late': [
    (start) => week(day(start - 3, 24), day(start - 2, 24), day(start - 1, 22)),
    (start) => week(day(start - 3, 23), day(start, 22), day(start, 22)),
  ],
}

const patternOf = (category: CategoryId): keyof typeof PATTERNS => {
  if (category === 'bar') return 'night'
  if (category === 'gym') return 'open-late'
  return ['restaurant', 'cafe', 'coffee_shop', 'bakery'].includes(category) ? 'food' : 'trade'
}

/** Returns the opening hours of place number `index`. */
export function scheduleOf(seed: number, index: number): Schedule {
  const dice = chance(seed, index, HOURS_SALT)
  const { id } = categoryOf(index)
  if (dice.happens(0.08)) return { kind: 'unknown' }
  if (dice.happens(id === 'hotel' ? 0.7 : id === 'gym' ? 0.3 : 0.02)) return { kind: 'always' }
  return { kind: 'weekly', days: dice.pick(PATTERNS[patternOf(id)])(dice.between(9, 11)) }
}

/** Returns the slots of a weekday, 1 = Monday to 7 = Sunday. */
export function slotsOf(schedule: Schedule, weekday: number): readonly Slot[] {
  return schedule.kind === 'weekly' ? (schedule.days[weekday - 1] ?? []) : []
}
