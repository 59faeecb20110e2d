/**
 * Returns the languages of a browser as tags that `Intl` takes, the favourite first. A host without a locale gives
 * `en-US@posix`, of which `en-US` counts. What is no language at all is left out.
 */
export const knownLocales = (tags: readonly string[] = navigator.languages): string[] =>
  tags.flatMap((tag) => {
    const [language = ''] = tag.split(/[.@]/)
    try {
      return Intl.getCanonicalLocales(language.replaceAll('_', '-'))
    } catch {
      return [] // not a language
    }
  })

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Returns the viewer's own variant of a language, e.g. "en-GB": it decides the format of dates and times. */
const localeOf = (language: string): string => knownLocales().find((tag) => tag.split('-')[0] === language) ?? language

/** Returns the hour and minute of a moment of today. */
export const clockTime = (at: string | number, language: string): string =>
  new Date(at).toLocaleTimeString(localeOf(language), { hour: '2-digit', minute: '2-digit' })

export const fullTime = (at: string, language: string): string =>
  new Date(at).toLocaleString(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' })

/** Returns the hour of a moment of the last day, e.g. "12 PM" or "12 Uhr". */
export const hourOf = (at: string, language: string): string =>
  new Date(at).toLocaleTimeString(localeOf(language), { hour: 'numeric' })

/** Returns the weekday and hour of a moment of the last week, e.g. "Sat 12 PM". */
export const dayAndHour = (at: string, language: string): string =>
  new Date(at).toLocaleString(localeOf(language), { weekday: 'short', hour: 'numeric' })

/** Returns a UTC day such as 2026-03-01 in short, e.g. "1 Mar". */
export const shortDay = (day: string, language: string): string =>
  new Date(day).toLocaleDateString(localeOf(language), { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Returns the name of a weekday in a language; 0 is Sunday. */
export const weekdayName = (weekday: number, language: string): string =>
  new Date(Date.UTC(2026, 1, 1 + weekday)).toLocaleDateString(language, { weekday: 'long', timeZone: 'UTC' }) // a Sunday

/** Returns a span in words, e.g. "3 min 12 s". */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}

/** Returns in words how long ago something was, or how soon it will be; undefined beyond a week. */
export function relativeTime(ms: number, language: string): string | undefined {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (Math.abs(ms) < 60_000) return words.format(0, 'second')
  if (Math.abs(ms) > 7 * 86_400_000) return undefined
  const unit = UNITS.find(([, size]) => Math.abs(ms) >= size)
  return unit && words.format(Math.trunc(ms / unit[1]), unit[0])
}

/** Formats credits with two to four decimals, e.g. "24.70" or "0.0035". */
export function credits(amount: string | number, language: string): string {
  return Number(amount).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
}

/** Formats credits in a column of a table: all of its amounts have the same decimals. */
export const creditsInColumn = (amount: string | number, language: string): string =>
  Number(amount).toLocaleString(language, { minimumFractionDigits: 4, maximumFractionDigits: 4 })

/** Formats seconds in the unit that suits them, e.g. "40 seconds", "12 minutes" or "1.5 hours". */
export function duration(seconds: number, language: string): string {
  const [value, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3_600 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour']
  const maximumFractionDigits = unit === 'hour' ? 1 : 0
  return value.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits })
}

/** Formats a count with thousands separators. */
export const count = (value: number, language: string): string => value.toLocaleString(language)
