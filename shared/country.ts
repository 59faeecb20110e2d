import { z } from 'zod'

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Whether ISO 3166 has this code, in lower case. `zz` is the code of no country. */
const isCountry = (code: string): boolean =>
  code !== 'zz' && currentCode(code) === code && names.of(code.toUpperCase()) !== undefined

/** Returns the code that is used today: `uk` is a second one of `gb`. */
const currentCode = (code: string): string => new Intl.Locale(`und-${code}`).region?.toLowerCase() ?? code

/** A country code as the map site takes it: ISO 3166, two lower-case letters. */
export const country = z
  .string()
  .regex(/^[a-z]{2}$/, { error: 'must be a country code of two lower-case letters, e.g. "cy"', abort: true })
  .refine(isCountry, {
    error: ({ input }) => {
      const meant = currentCode(String(input))
      return `is not a country code of ISO 3166${meant === input ? '' : `; did you mean "${meant}"?`}`
    },
  })
