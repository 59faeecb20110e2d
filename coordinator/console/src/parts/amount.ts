/** Credits for people: at most four decimals, at least two, e.g. "24.70" or "0.0035". */
export function credits(amount: string | number, language = 'en'): string {
  return Number(amount).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
}

/** A count with its thousands divided. */
export const count = (value: number, language = 'en'): string => value.toLocaleString(language)
