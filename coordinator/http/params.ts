import { z } from 'zod'

/** An id of ours, in any letter case, as lower case. Alone in being wrong it makes a 422, see validation.ts. */
export const uuid = z
  .stringFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: 'is not a UUID' })
  .toLowerCase()

/** The parameters of a path with one `:id`. */
export const IdParams = z.object({ id: uuid.describe('as it was answered when this was made') })

type IntegerRule = { min: number; max?: number; fallback: number; describe: string }

/** A whole number in a query string, written in plain digits: no sign, point, exponent, space or leading zero. */
export function queryInteger({ min, max = MAX_INTEGER, fallback, describe }: IntegerRule) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback)
    .meta({
      type: 'integer',
      minimum: min,
      maximum: max,
      default: fallback,
      description: `${describe}; ${fallback} unless given`, // the generator of the document drops `default` here
    })
}

/** Far beyond any page or offset there is, and small enough that a page times its size is still exact. */
const MAX_INTEGER = 1_000_000_000_000
