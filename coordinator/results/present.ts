import type { ResultDocument } from './documents.ts'
import type { Result } from './schema.ts'

/** A stored place as the API shows it: named fields always there, the further ones only when there is something in them. */
export function presentResult({ _id, user_id, job_id, web_presence, place, created_at }: ResultDocument): Result {
  const { emails = [], ...shown } = place
  return {
    ...withoutEmpty(shown),
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
    user_reviews: place.user_reviews ?? [],
    created_at: created_at.toISOString(),
  }
}

function withoutEmpty<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<Fields>
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
