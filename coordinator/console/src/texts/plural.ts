import type { ConsoleLanguage } from './language.ts'

/** Returns a number with its noun, e.g. "1 place" or "1,000 places". A `#` in a form stands for the number. */
export function plural(
  language: ConsoleLanguage,
  number: number,
  { one, other }: { one: string; other: string },
): string {
  const form = new Intl.PluralRules(language).select(number) === 'one' ? one : other
  return form.replace('#', number.toLocaleString(language))
}
