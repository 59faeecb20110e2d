import type { Review } from '@placefleet/shared/review'
import type { ResultDocument } from './documents.ts'
import type { Result } from './schema.ts'

/** Returns a stored place as the API shows it. The fields named here are always present, the others only when not empty. */
export function presentResult({
  _id,
  user_id,
  job_id,
  input,
  web_presence,
  place,
  created_at,
}: ResultDocument): Result {
  const { emails = [], user_reviews = [], user_reviews_extended, ...shown } = withoutEmpty(place)
  return Object.assign(shown, {
    id: _id,
    user_id,
    job_id,
    ...(input !== undefined && { input }),
    title: place.title,
    category: place.category ?? '',
    address: place.address ?? '',
    website: place.website ?? '',
    phone: place.phone ?? '',
    emails: emails.join(', '),
    ...(emails.length > 0 && { email_list: emails }),
    web_presence,
    rating: place.rating ?? 0,
    open_hours: place.open_hours ?? {},
    images: place.images ?? [],
    user_reviews: user_reviews.map(presentReview),
    ...(user_reviews_extended && { user_reviews_extended: user_reviews_extended.map(presentReview) }),
    created_at: created_at.toISOString(),
  })
}

const presentReview = (review: Review) => ({ ...review, text: review.text ?? '', images: review.images ?? [] })

// Loops, because pages have thousands of fields: lists of entries take three times the CPU.
function withoutEmpty<Fields extends object>(fields: Fields): Partial<Fields> {
  const filled: Partial<Fields> = {}
  for (const name in fields) if (!isEmpty(fields[name])) filled[name] = fields[name]
  return filled
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (typeof value !== 'object') return false
  for (const _ in value) return false
  return true
}
