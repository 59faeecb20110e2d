import type { Result } from './schema.ts'

/**
 * The columns of the table exports, in this order for good: new ones are added at the end. First what SPEC names, in its order, then
 * the further fields.
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
] as const satisfies readonly (keyof Result)[]

/** What a table shows of a field: numbers as numbers, text as text, anything nested as JSON, nothing as nothing. */
export function cellOf(value: Result[keyof Result]): number | string | undefined {
  if (value === undefined || typeof value === 'number' || typeof value === 'string') return value
  return Object.keys(value).length === 0 ? undefined : JSON.stringify(value)
}
