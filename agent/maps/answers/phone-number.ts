import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

const E164 = /^\+\d{4,15}$/

/**
 * Returns a telephone number in the form E.164: `25 101555` in `CY` is `+35725101555`. Undefined when the text has too
 * few or too many digits for its country (ISO-2).
 */
export function internationalNumber(text: string, country?: string): string | undefined {
  const region = country !== undefined && isSupportedCountry(country) ? country : undefined
  const parsed = parsePhoneNumberFromString(text, region)
  return parsed?.isPossible() && E164.test(parsed.number) ? parsed.number : undefined
}
