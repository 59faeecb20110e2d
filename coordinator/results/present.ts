import type { Review } from '@placefleet/shared/place'
import type { ResultDocument } from './documents.ts'
import type { Result } from './schema.ts'

/** Returns a stored place as the API shows it. The fields named here are always present, the others only when not empty. */
export function presentResult({ _id, user_id, job_id, web_presence, place, created_at }: ResultDocument): Result {
  const { emails = [], user_reviews = [], user_reviews_extended = [], ...shown } = place
  return {
    ...withoutEmpty({ ...shown, user_reviews_extended: user_reviews_extended.map(presentReview) }),
    id: _id,
    user_id,
    job_id,
    title: place.title,
    category: place.category ?? '',
    address: place.address ?? '',
    website: place.website ?? '',
    phone: place.phone ?? '',
    emails: emails.join(', '),
    web_presence,
    rating: place.rating ?? 0,
    open_hours: place.open_hours ?? {},
    images: place.images ?? [],
    user_reviews: user_reviews.map(presentReview),
    created_at: created_at.toISOString(),
  }
}

const presentReview = (review: Review) => ({ ...review, text: review.text ?? '', images: review.images ?? [] })

function withoutEmpty<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<Fields>
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
