import type { PlaceDetails } from '../city/details.ts'
import { type OpeningDay, openingDays, statusOf } from '../city/opening.ts'
import type { View } from '../view.ts'
import { type Cell, row } from './row.ts'

const COLOURS: Cell = [[0, 6, [null, [4292423717, 4294085506]]]]

// Encodes a time as [h], [h, m], or [] for midnight.
const time = (minutes: number): Cell[] => {
  if (minutes === 0) return []
  return minutes % 60 === 0 ? [minutes / 60] : [Math.floor(minutes / 60), minutes % 60]
}

const openOrClosed = (day: OpeningDay) => (day.allDay || day.slots.length > 0 ? 1 : 2)

const slotCells = (day: OpeningDay): Cell[] => {
  if (day.allDay) return [[day.texts[0] ?? '', [[], []]]]
  if (day.slots.length === 0) return [[day.texts[0] ?? '']]
  return day.slots.map(({ open, close }, nth) => [day.texts[nth] ?? '', [time(open), time(close)]])
}

const dayRow = (day: OpeningDay): Cell[] => [
  day.name,
  day.date.weekday,
  [day.date.year, day.date.month, day.date.day],
  slotCells(day),
  0,
  openOrClosed(day),
]

/** Returns `[203]`: hours and status. `days` is 7, or 1 in trimmed answers. Undefined if the site knows neither. */
export function hoursCell(place: PlaceDetails, view: View, days: 1 | 7): Cell | undefined {
  const rows = openingDays(place.schedule, view.today, view.words).slice(0, days).map(dayRow)
  const status = statusOf(place, view.today, view.words)
  if (rows.length === 0 && !status) return undefined
  const text: Cell | undefined = status && [status.text, COLOURS]
  const state = row({ 0: rows[0], 1: 0, 2: status?.code, 4: text, 5: text, 8: status && [status.short, COLOURS] })
  return [rows.length > 0 ? rows : null, state, 1, 2, null, null, 1]
}

/** Returns `[118]`: the hours of a department. They are not the place's hours. */
export function deliveryHoursCell(place: PlaceDetails, view: View): Cell | undefined {
  if (place.orders.length === 0 || place.schedule.kind !== 'weekly') return undefined
  const slots = [{ open: 17 * 60, close: 19 * 60 + 15 }]
  const rows = openingDays({ kind: 'weekly', days: Array(7).fill(slots) }, view.today, view.words).map(dayRow)
  return [[view.words.about.delivery, null, null, [rows, null, 1]]]
}
