import { type CategoryId, categoryOf } from '../city/categories.ts'
import { chance } from '../random.ts'

/** Opening of a day in minutes after midnight. `close` not after `open` means the next day; 0 is midnight. */
export type Slot = { readonly open: number; readonly close: number }

/** A week's hours, Monday first; a day without slots is closed. Undefined when the site does not know the hours. */
export type Schedule = readonly (readonly Slot[])[] | 'always' | undefined

const HOURS_SALT = 51

const day = (open: number, close: number): Slot[] => [{ open: open * 60, close: (close % 24) * 60 }]
const week = (usual: Slot[], saturday: Slot[], sunday: Slot[]) => [usual, usual, usual, usual, usual, saturday, sunday]

const TWO_MEALS = [...day(11.5, 14), ...day(17, 22.5)]

type Week = (start: number) => Slot[][]

const PATTERNS: Record<'food' | 'night' | 'trade' | 'late', readonly [Week, ...Week[]]> = {
  food: [
    () => [[], ...week(TWO_MEALS, TWO_MEALS, TWO_MEALS).slice(1)],
    (start) => week(day(start, 22), day(start, 23), day(start, 20)),
    (start) => week(day(start - 2, 18), day(start - 1, 16), []),
  ],
  night: [
    () => [[], [], day(18, 25), day(18, 25), day(18, 27), day(18, 27), day(17, 24)],
    () => week(day(16, 25), day(16, 26), day(16, 24)),
  ],
  trade: [
    (start) => week(day(start - 1, 17), day(start, 12), []),
    (start) => week([...day(start - 0.5, 12.5), ...day(14, 18)], [], []),
    (start) => week(day(start, 18), [], []),
  ],
  late: [
    (start) => week(day(start - 3, 24), day(start - 2, 24), day(start - 1, 22)),
    (start) => week(day(start - 3, 23), day(start, 22), day(start, 22)),
  ],
}

const KINDS: Partial<Record<CategoryId, keyof typeof PATTERNS>> = {
  bar: 'night',
  gym: 'late',
  restaurant: 'food',
  cafe: 'food',
  coffee_shop: 'food',
  bakery: 'food',
}

/** Returns the opening hours of place number `index`. */
export function scheduleOf(seed: number, index: number): Schedule {
  const dice = chance(seed, index, HOURS_SALT)
  const { id } = categoryOf(index)
  if (dice.happens(0.08)) return undefined
  if (dice.happens(id === 'hotel' ? 0.7 : id === 'gym' ? 0.3 : 0.02)) return 'always'
  return dice.pick(PATTERNS[KINDS[id] ?? 'trade'])(dice.between(9, 11))
}

/** Returns the slots of a weekday, 1 = Monday to 7 = Sunday. */
export const slotsOf = (schedule: Schedule, weekday: number): readonly Slot[] =>
  typeof schedule === 'object' ? (schedule[weekday - 1] ?? []) : []
