import { WITHOUT_NUL } from '@placefleet/shared/text'
import { z } from 'zod'

/**
 * A UUID in any letter case, normalized to lower case. A request with a malformed UUID and no other fault gets 422.
 */
export const uuid = z
  .stringFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: 'is not a UUID' })
  .toLowerCase()

/** The parameters of a path with one `:id`. */
export const IdParams = z.object({ id: uuid.describe('the id returned when this was created') })

const SEARCH_BYTES = 200

/** Returns a text that the database searches for; empty when absent. `what` describes it. */
export const searchText = (what: string) =>
  z
    .string()
    .refine((text) => Buffer.byteLength(text) <= SEARCH_BYTES, `must have at most ${SEARCH_BYTES} bytes`)
    .refine((text) => !text.includes('\0'), 'contains a NUL character; remove it') // MongoDB takes no pattern with one
    .default('')
    .meta({ description: `${what}; at most ${SEARCH_BYTES} bytes`, pattern: WITHOUT_NUL })

export const jobSearch = searchText('part of the name or of a keyword, in any letter case')

type IntegerRule = { min: number; max?: number; describe: string }

/** Returns a whole number in a query string, in plain digits: no sign, point, exponent, space or leading zero. */
export function queryInteger({ fallback, ...rule }: IntegerRule & { fallback: number }) {
  const description = `${rule.describe}; default ${fallback}` // the OpenAPI generator drops `default` here
  return integerText(rule)
    .default(fallback)
    .meta({ ...integerType(rule), default: fallback, description })
}

/** Like `queryInteger`, for a number that may be absent. */
export const optionalQueryInteger = (rule: IntegerRule) =>
  integerText(rule)
    .optional()
    .meta({ ...integerType(rule), description: rule.describe })

function integerText({ min, max = MAX_INTEGER }: IntegerRule) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

const integerType = ({ min, max = MAX_INTEGER }: IntegerRule) =>
  ({ type: 'integer', minimum: min, maximum: max }) as const

/** Larger than any page or offset, and small enough that page times size is exact. */
const MAX_INTEGER = 1_000_000_000_000
