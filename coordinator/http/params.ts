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

/** Returns the query parameters of a paged list. Spread them into a strict object with the list's own parameters. */
export const pageQuery = (limit: { fallback: number; max: number }) => ({
  page: queryInteger({ min: 1, fallback: 1, describe: 'page number, from 1' }),
  limit: queryInteger({ min: 1, ...limit, describe: 'items per page' }),
})

/** The page fields of a paged answer. Spread them into the schema of the response. */
export const PageFields = {
  total: z.int().min(0).describe('items on all pages'),
  page: z.int().min(1),
  limit: z.int().min(1),
  has_more: z.boolean().describe('whether another page follows'),
}

export type PageRequest = { page: number; limit: number }

export function pageOf({ page, limit, total }: PageRequest & { total: number }) {
  return { total, page, limit, has_more: page * limit < total }
}

export const skipOf = ({ page, limit }: PageRequest): number => (page - 1) * limit
