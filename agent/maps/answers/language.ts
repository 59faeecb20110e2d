import { LANGUAGES } from '@placefleet/shared/language'
import { getAt, integerAt, listAt, textAt } from './values.ts'

const weekdayNames = new Map<string, readonly string[]>()

/** Returns the names of the weekdays in a language, Monday first, in lower case. */
function weekdayNamesIn(language: string): readonly string[] {
  const cached = weekdayNames.get(language)
  if (cached) return cached
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const names = [1, 2, 3, 4, 5, 6, 7].map((day) => format.format(Date.UTC(2024, 0, day))) // 2024-01-01 was a Monday
  const lower = names.map((name) => name.toLocaleLowerCase(language))
  weekdayNames.set(language, lower)
  return lower
}

/** Other codes that links may have for languages of jobs. */
const ALSO_KNOWN_AS: Readonly<Record<string, string>> = { iw: 'he', in: 'id', nb: 'no' }

/** Places of a search that are checked. All places of an answer are in one language. */
const SAMPLE = 5

/**
 * Returns whether a place node is in another language than the requested one. The names of its weekdays decide, else
 * the `hl` of its link to the reviews. Returns false when both are missing: a doubt does not justify a second request.
 */
export function isForeign(node: unknown, language: string): boolean {
  const days = listAt(node, 203, 0)
  const speaks = (candidate: string) => days.some((row) => isWeekday(textAt(row, 0), integerAt(row, 1), candidate))
  if (speaks(language)) return false
  if (LANGUAGES.some(speaks)) return true
  const linkLanguage = /[?&]hl=([a-z]+)/i.exec(textAt(node, 4, 3, 0) ?? '')?.[1]?.toLowerCase()
  return linkLanguage !== undefined && (ALSO_KNOWN_AS[linkLanguage] ?? linkLanguage) !== language
}

/**
 * Returns whether a search payload is in another language than the requested one, by the first places that it lists.
 */
export function isForeignSearch(payload: unknown, language: string): boolean {
  const rows = listAt(payload, 0, 1).map((row) => getAt(row, 14))
  const nodes = [...rows, ...listAt(payload, 64).map((row) => getAt(row, 1))].filter(Array.isArray).slice(0, SAMPLE)
  return nodes.filter((node) => isForeign(node, language)).length * 2 > nodes.length
}

// The name of a holiday may follow that of the day.
function isWeekday(text: string | undefined, number: number | undefined, language: string): boolean {
  const name = number === undefined ? undefined : weekdayNamesIn(language)[number - 1]
  return text !== undefined && name !== undefined && text.toLocaleLowerCase(language).startsWith(name)
}

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i

/** Returns a text that is a language tag of BCP 47, such as `pt-BR`. Undefined for another text. */
export const languageTag = (text: string | undefined): string | undefined =>
  text !== undefined && TAG.test(text) ? text : undefined
