import { type LocalTime, laterBy } from '../clock.ts'
import type { Words } from '../language/en.ts'
import type { PlaceDetails } from './details.ts'
import { type Schedule, type Slot, slotsOf } from './schedule.ts'

/** The hours of one weekday, in the words of the site. */
export interface OpeningDay {
  date: LocalTime
  name: string
  texts: string[]
  slots: readonly Slot[]
  allDay: boolean
}

/** The seven days from today on; empty when the hours are unknown. */
export function openingDays(schedule: Schedule, today: LocalTime, words: Words): OpeningDay[] {
  if (schedule.kind === 'unknown') return []
  return [0, 1, 2, 3, 4, 5, 6].map((step) => {
    const date = laterBy(today, step)
    const slots = slotsOf(schedule, date.weekday)
    const allDay = schedule.kind === 'always'
    const texts = slots.map(({ open, close }) => words.range(open, close))
    return {
      date,
      name: words.weekdays[date.weekday - 1] ?? '',
      slots,
      allDay,
      texts: texts.length > 0 ? texts : [allDay ? words.open24 : words.closed],
    }
  })
}

export interface Status {
  /** 1 open, 2 closing soon, 4 closed and opens today, 5 closed and opens another day; absent when unknown. */
  code: number | undefined
  text: string
  /** Only "Open" or "Closed". */
  short: string
}

const SOON_MINUTES = 60

const openUntil = (schedule: Schedule, now: LocalTime): number | undefined => {
  const until = (slots: readonly Slot[], minutes: number) =>
    slots.find(({ open, close }) => minutes >= open && minutes < (close <= open ? close + 1440 : close))?.close
  return (
    until(slotsOf(schedule, now.weekday), now.minutes) ??
    until(slotsOf(schedule, ((now.weekday + 5) % 7) + 1), now.minutes + 1440)
  )
}

const nextOpening = (schedule: Schedule, now: LocalTime) => {
  for (let days = 0; days < 8; days++) {
    const weekday = ((now.weekday - 1 + days) % 7) + 1
    const slot = slotsOf(schedule, weekday).find(({ open }) => days > 0 || open > now.minutes)
    if (slot) return { days, weekday, open: slot.open }
  }
  return undefined
}

const whenClosed = (schedule: Schedule, now: LocalTime, words: Words): Status => {
  const next = nextOpening(schedule, now)
  if (!next) return { code: 5, text: words.closed, short: words.closed }
  const weekday = next.days > 0 ? words.weekdaysShort[next.weekday - 1] : undefined
  const time = words.time(next.open)
  if (next.days === 0 && next.open - now.minutes <= SOON_MINUTES)
    return { code: 4, text: `${words.opensSoon} · ${time}`, short: words.closed }
  return {
    code: next.days === 0 ? 4 : 5,
    text: `${words.closed} · ${words.opensAt(time, weekday)}`,
    short: words.closed,
  }
}

/** Returns the current status of a place; undefined when the site shows none. */
export function statusOf(place: PlaceDetails, now: LocalTime, words: Words): Status | undefined {
  if (place.closed === 'permanently') return { code: undefined, text: words.permanentlyClosed, short: words.closed }
  if (place.closed === 'temporarily') return { code: undefined, text: words.temporarilyClosed, short: words.closed }
  if (place.schedule.kind === 'always') return { code: 1, text: words.open24, short: words.open }
  // Without hours the site may still show that a place is open (as on a real search).
  if (place.schedule.kind === 'unknown')
    return place.index % 4 === 0 ? { code: undefined, text: words.openNow, short: words.open } : undefined
  const close = openUntil(place.schedule, now)
  if (close === undefined) return whenClosed(place.schedule, now, words)
  const left = (close - (now.minutes % 1440) + 1440) % 1440
  const soon = left <= SOON_MINUTES
  const time = words.time(close)
  const text = soon ? `${words.closesSoon} · ${time}` : `${words.open} · ${words.closesAt(time)}`
  return { code: soon ? 2 : 1, text, short: words.open }
}
