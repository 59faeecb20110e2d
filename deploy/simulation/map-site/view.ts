import { type SiteLanguage, siteLanguage, type Words, wordsOf } from './language.ts'

/** What an answer depends on. */
export interface View {
  /** The value of `hl` in the request. */
  readonly hl: string
  readonly language: SiteLanguage
  readonly words: Words
  /** Whether addresses end with the country. */
  readonly withCountry: boolean
  /** `captured`: nodes of places are as large as recorded ones. `small`: they have the members that clients read. */
  readonly nodes: 'captured' | 'small'
}

/** Returns the view for any `hl`. */
export function viewOf(hl: string, { withCountry = false, nodes = 'small' }: Partial<View> = {}): View {
  const language = siteLanguage(hl)
  return { hl, language, words: wordsOf(language), withCountry, nodes }
}

/** The time of the site, so that every answer is predictable: a Tuesday, half past eleven in the city. */
export const NOW = Date.parse('2025-06-17T09:30:00.000Z')
export const TODAY = { year: 2025, month: 6, day: 17, weekday: 2, minutes: 690 } as const

/** Returns a date by the number of days after today. Its weekday is 1 on Monday to 7 on Sunday. */
export function dayAfter(days: number): { year: number; month: number; day: number; weekday: number } {
  const date = new Date(Date.UTC(TODAY.year, TODAY.month - 1, TODAY.day + days))
  const weekday = date.getUTCDay() || 7
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday }
}

const DAY_MS = 86_400_000

/** Returns an age like "2 months ago". `micros`: microseconds since 1970. */
export function agoWords(micros: number, { words }: View): string {
  const days = Math.max(1, Math.floor((NOW - micros / 1000) / DAY_MS))
  if (days < 7) return words.ago(days, 'day')
  if (days < 30) return words.ago(Math.floor(days / 7), 'week')
  return days < 365 ? words.ago(Math.floor(days / 30), 'month') : words.ago(Math.floor(days / 365), 'year')
}
