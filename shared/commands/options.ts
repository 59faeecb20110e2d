import { z } from 'zod'

/** The placeholder of an option's value and its description in the help. */
export const shownAs = (value: string, description: string) => ({ value, description })

/** A flag without a value. */
export const switchOption = (description: string) => z.boolean().optional().meta(shownAs('', description))

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
