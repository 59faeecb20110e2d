import { z } from 'zod'
import { type MicroCredits, microCredits } from '../billing/money.ts'

/** The placeholder of an option's value and its description in the help. */
export const shownAs = (value: string, description: string) => ({ value, description })

/** A flag without a value. */
export const switchOption = (description: string) => z.boolean().optional().meta(shownAs('', description))

/** A user, by id or email. */
export const userOption = z.string().min(1).meta(shownAs('user', 'id or email of the user'))

/** An id. */
export const idOption = (description: string) => z.uuid('is not a UUID').meta(shownAs('id', description))

/** The number of items to list. */
export const limitOption = (fallback: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number from 1 to 99999')
    .transform(Number)
    .default(fallback)
    .meta(shownAs('count', `maximum number of items (default ${fallback})`))

/** An amount in credits, such as 2.50. */
export const creditsOption = () =>
  z.string().transform((text, context): MicroCredits => {
    try {
      return microCredits(text)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      context.issues.push({
        code: 'custom',
        input: text,
        message: 'must be credits with at most 6 decimals, e.g. 2.50',
      })
      return z.NEVER
    }
  })
