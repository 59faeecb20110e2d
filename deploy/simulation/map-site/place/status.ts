import type { Words } from '../language.ts'
import { TODAY } from '../view.ts'
import type { PlaceDetails } from './details.ts'
import { type Schedule, type Slot, slotsOf } from './schedule.ts'

/** `code`: 1 open, 4 closed and opens today, 5 closed and opens another day. `short`: only "Open" or "Closed". */
type Status = { code?: number; text: string; short: string }

const { weekday: WEEKDAY, minutes: NOW } = TODAY

/** Returns the current status of a place; undefined when the site shows none. */
export function statusOf({ closed, schedule, index }: PlaceDetails, words: Words): Status | undefined {
  if (closed) return { text: words[closed], short: words.closed }
  if (schedule === 'always') return { code: 1, text: words.open24, short: words.open }
  // Without hours the site may still show that a place is open (as on a real search).
  if (!schedule) return index % 4 === 0 ? { text: words.openNow, short: words.open } : undefined
  const close = openUntil(schedule)
  if (close === undefined) return whenClosed(schedule, words)
  return { code: 1, text: `${words.open} · ${words.closesAt(words.time(close))}`, short: words.open }
}

function openUntil(schedule: Schedule): number | undefined {
  const until = (slots: readonly Slot[], minutes: number) =>
    slots.find(({ open, close }) => minutes >= open && minutes < (close <= open ? close + 1440 : close))?.close
  return until(slotsOf(schedule, WEEKDAY), NOW) ?? until(slotsOf(schedule, WEEKDAY - 1), NOW + 1440)
}

function whenClosed(schedule: Schedule, words: Words): Status {
  const short = words.closed
  for (let days = 0; days < 8; days++) {
    const weekday = ((WEEKDAY - 1 + days) % 7) + 1
    const slot = slotsOf(schedule, weekday).find(({ open }) => days > 0 || open > NOW)
    if (!slot) continue
    const time = words.time(slot.open)
    const day = days > 0 ? (words.weekdaysShort[weekday - 1] ?? '') : ''
    return { code: days === 0 ? 4 : 5, text: `${short} · ${words.opensAt(time, day)}`, short }
  }
  return { code: 5, text: short, short }
}
