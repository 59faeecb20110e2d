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
