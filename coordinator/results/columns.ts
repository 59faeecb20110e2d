import { z } from 'zod'
import type { Result } from './schema.ts'

/**
 * The columns of the table exports: first those that most users need, then the other fields. The order never
 * changes; new columns go to the end.
 */
export const COLUMNS = [
  'id',
  'user_id',
  'job_id',
  'title',
  'category',
  'address',
  'website',
  'phone',
  'emails',
  'web_presence',
  'review_count',
  'rating',
  'open_hours',
  'images',
  'user_reviews',
  'created_at',
  'reviews_link',
  'popular_times',
  'reviews_per_rating',
  'user_reviews_extended',
  'reservations',
  'order_online',
  'menu',
  'owner',
  'latitude',
  'longitude',
  'description',
  'timezone',
  'price_range',
  'complete_address',
  'about',
  'place_id',
  'data_id',
  'cid',
  'link',
  'plus_code',
  'status',
  'thumbnail',
  'street_view_url',
  'categories',
  'credit_cards_accepted',
  'social_links',
  'phones',
  'closed',
  'claimed',
  'local_title',
  'local_address',
  'phone_e164',
  'time_spent',
  'booking_links',
  'posts',
  'services',
  'questions',
  'popular_dishes',
  'also_searched',
  'review_topics',
  'email_list',
  'email_details',
  'limited',
  'open_intervals',
  'input',
] as const satisfies readonly (keyof Result)[]
export type Column = (typeof COLUMNS)[number]

/** The query parameter that chooses columns and their order. */
export const ColumnsQuery = z
  .string()
  .default('')
  .transform((text, context): readonly Column[] => {
    const names = text === '' ? COLUMNS : text.split(',')
    const unknown = names.find((name) => !isColumn(name))
    const message =
      unknown === undefined
        ? 'names a column twice'
        : `has an unknown column: ${unknown.slice(0, 50)}. The columns are ${COLUMNS.join(', ')}`
    const columns = names.filter(isColumn)
    if (unknown === undefined && new Set(columns).size === columns.length) return columns
    context.issues.push({ code: 'custom', input: text, message })
    return z.NEVER
  })
  .meta({
    pattern: `^((${COLUMNS.join('|')})(,(${COLUMNS.join('|')}))*)?$`,
    description: `the columns in the order of the file, separated by commas; absent: all, which are ${COLUMNS.join(', ')}`,
  })

const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name)

/** Returns a result with only the chosen fields, in their order. */
export function picked(result: Result, columns: readonly Column[]): Partial<Result> {
  if (columns === COLUMNS) return result
  return Object.fromEntries(columns.flatMap((name) => (result[name] === undefined ? [] : [[name, result[name]]])))
}

/**
 * Returns the value of a field in a table: numbers and text unchanged, lists and objects as JSON, undefined when empty.
 */
export function cellOf(value: unknown): number | string | undefined {
  if (value === undefined || typeof value === 'number' || typeof value === 'string') return value
  return isEmptyCell(value) ? undefined : JSON.stringify(value)
}

/** Returns whether a field is undefined, an empty text, an empty list or an empty object. */
export function isEmptyCell(value: unknown): boolean {
  return value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
}
