import { z } from 'zod'

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Whether ISO 3166 has this code, in lower case. `uk` is only a second name of `gb`, and `zz` that of no country. */
function isCountry(code: string): boolean {
  const region = code.toUpperCase()
  return region !== 'ZZ' && canonicalCountry(code) === code && names.of(region) !== undefined
}

const canonicalCountry = (code: string) => new Intl.Locale(`und-${code}`).region?.toLowerCase()

/** A country code as the map site takes it: ISO 3166, two lower-case letters. */
export const country = z
  .string()
  .regex(/^[a-z]{2}$/, { error: 'must be a country code of two lower-case letters, e.g. "cy"', abort: true })
  .refine(isCountry, {
    error: ({ input }) => `is not a country code of ISO 3166${input === 'uk' ? '; did you mean "gb"?' : ''}`,
  })
