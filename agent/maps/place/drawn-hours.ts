import { type Place, WEEKDAYS, type Weekday } from '@placefleet/shared/place'
import type { CheerioAPI } from 'cheerio/slim'
import { agreeing } from '../answers/closed-words.ts'
import { textOf } from '../answers/dom.ts'
import { fitLine, readEach } from '../answers/values.ts'

const A_MONDAY = Date.UTC(2024, 0, 1)
const DAY = 24 * 3_600_000
const MAX_SLOTS = 20

/** Reads hours, status and whether it is closed for good from a drawn place page. Weekdays are recognised by their names in `language`. */
export function readDrawnHours($: CheerioAPI, language: string): Pick<Place, 'open_hours' | 'status' | 'closed'> {
  const names = weekdayNames(language)
  const hours: Partial<Record<Weekday, string[]>> = {}
  for (const row of $('table.eK4R0e tr.y0skZc').toArray()) {
    const weekday = weekdayNamed(textOf($(row).find('td.ylH6lf')), names)
    const texts = readEach($(row).find('li.G8aQO').toArray(), (slot) => fitLine($(slot).text()))
    const slots = texts.slice(0, MAX_SLOTS)
    if (weekday !== undefined && slots.length > 0) hours[weekday] ??= slots
  }
  return {
    open_hours: Object.keys(hours).length > 0 ? hours : undefined,
    ...agreeing(undefined, textOf($('.ZDu9vd'))),
  }
}

// More may follow the name of the day: "Thursday (Thanksgiving)". The longest matching name decides.
function weekdayNamed(text: string | undefined, names: readonly string[]): Weekday | undefined {
  const written = text?.toLowerCase() ?? ''
  const fitting = names.filter((name) => written.startsWith(name)).sort((one, other) => other.length - one.length)
  return WEEKDAYS[names.indexOf(fitting[0] ?? '')]
}

function weekdayNames(language: string): string[] {
  // The region of a language (zh-TW) does not change the names of weekdays, and a malformed one would throw.
  const [known = 'en'] = /^[a-z]{2,3}(?=-|$)/i.exec(language) ?? []
  const format = new Intl.DateTimeFormat(known, { weekday: 'long', timeZone: 'UTC' })
  return WEEKDAYS.map((_, index) => format.format(A_MONDAY + index * DAY).toLowerCase())
}
