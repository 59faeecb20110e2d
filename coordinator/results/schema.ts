import { Image, Place } from '@placefleet/shared/place'
import { Review } from '@placefleet/shared/review'
import {
  parseWebPresenceQuery,
  WEB_PRESENCE_PATTERN,
  WEB_PRESENCE_TIERS,
  WEBSITE_FILTERS,
} from '@placefleet/shared/web-presence/tiers'
import { z } from 'zod'

const text = z.string()

/** The example of a result in the API description. */
export const resultExample = {
  id: 1_042,
  user_id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11',
  job_id: '4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10',
  title: 'Demo Dental',
  category: 'Dentist',
  categories: ['Dentist', 'Dental clinic'],
  address: '12 Anexartisias, Limassol 3036, Cyprus',
  website: 'https://facebook.com/demodental',
  phone: '+357 25 000000',
  emails: 'hello@example.com, office@example.com',
  web_presence: 'social' as const,
  latitude: 34.6786,
  longitude: 33.0413,
  review_count: 87,
  rating: 4.7,
  open_hours: { Monday: ['9 am–5 pm'], Sunday: ['Closed'] },
  open_intervals: [{ day: 1, from: 540, to: 1_020 }],
  status: 'Temporarily closed',
  closed: 'temporarily' as const,
  email_list: ['hello@example.com', 'office@example.com'],
  email_details: [
    { email: 'hello@example.com', mx: true, generic: true },
    { email: 'office@example.com', mx: true, generic: true },
  ],
  claimed: true,
  local_title: 'Ντέμο Ντένταλ',
  local_address: 'Ανεξαρτησίας 12, Λεμεσός 3036, Κύπρος',
  phone_e164: '+35725000000',
  time_spent: 'People typically spend 30 min here',
  booking_links: [{ link: 'https://example.com/book', source: 'example.com' }],
  posts: [{ text: 'Open on Sundays in March.', published_at: '2026-03-01T09:00:00.000Z' }],
  services: [{ name: 'Dental care', items: [{ name: 'Check-up', price: '€40.00' }] }],
  questions: [{ question: 'Is there parking?', answers: ['Yes, behind the house.'] }],
  popular_dishes: [{ name: 'Meze', image: 'https://example.com/meze.jpg' }],
  also_searched: [{ title: 'Old Port Dental', place_id: 'ChIJDdnwdv0y5xQRRytw1ihZQeU', rating: 4.4 }],
  review_topics: [{ topic: 'friendly staff', count: 21 }],
  limited: ['reviews' as const],
  images: [],
  user_reviews: [],
  created_at: '2026-03-02T09:17:03.000Z',
}

const countsExample = { none: 10, social: 21, directory: 6, builder: 7, booking: 4, has: 0 }

/** The example of a page of results in the API description. */
export const resultPageExample = {
  results: [resultExample],
  total: 48,
  page: 1,
  limit: 1,
  has_more: true,
  web_presence_counts: countsExample,
}

const ShownReview = Review.extend({
  text: z.string().describe('empty when the author gave only a rating'),
  images: z.array(z.string()),
}).meta({
  id: 'Review',
  description: 'A review of a place.',
  examples: [
    { id: 'r1', author: 'Ada', rating: 5, text: 'Kind.', images: [], published_at: '2026-02-11T10:30:00.000Z' },
  ],
})

export const Result = Place.omit({ place_key: true })
  .extend({
    id: z.int().min(1).describe('unique in the deployment; rises in order of storage'),
    user_id: z.string().describe('the user whose job stored it'),
    job_id: z.uuid().describe('the job that stored it'),
    input: z.string().optional().describe('the text in `places` that named it; absent when a search found it'),
    category: text.describe('the main category, in the language of the job; empty when the place has none'),
    address: text.describe('the whole address in one line; empty when the place has none'),
    website: text.describe('the listed website, without the redirect of the map site; empty when the place has none'),
    phone: text.describe('the listed phone, as the map site writes it; empty when the place has none'),
    emails: z.string().describe('separated by a comma and a space; empty when there are none'),
    email_list: z.array(z.string()).optional().describe('the same as `emails`, as a list'),
    web_presence: z.enum(WEB_PRESENCE_TIERS).describe('which kind of website the business has'),
    review_count: z.int().min(0).optional().describe('absent when the map site does not show it'),
    rating: z.number().describe('0 when unrated'),
    open_hours: Place.shape.open_hours.unwrap().describe('English weekdays with the times as the map site writes them'),
    images: z.array(Image).describe('at most `max_images`, in full size'),
    user_reviews: z.array(ShownReview).describe('the reviews that the page of the place shows'),
    user_reviews_extended: z.array(ShownReview).optional().describe('further reviews, loaded page by page'),
    created_at: z.iso.datetime().describe('when it was stored'),
  })
  .meta({
    id: 'Result',
    description: 'A stored place. Optional fields are absent when empty.',
    examples: [resultExample],
  })
export type Result = z.infer<typeof Result>

const count = z.int().min(0)

/** The number of stored places of a job by tier. Filters do not change it. */
export const WebPresenceCounts = z
  .object({ none: count, social: count, directory: count, builder: count, booking: count, has: count })
  .meta({
    id: 'WebPresenceCounts',
    description: 'The number of stored places of the job by tier. Filters do not change it.',
    examples: [countsExample],
  })
export type WebPresenceCounts = z.infer<typeof WebPresenceCounts>

/** The query parameter that filters by tier. */
export const TiersQuery = z
  .string()
  .default('')
  .transform((text, context) => {
    const query = parseWebPresenceQuery(text)
    if (query.ok) return query.tiers
    const values = [...WEB_PRESENCE_TIERS, ...WEBSITE_FILTERS].join(', ')
    const message = `has an unknown value: ${query.unknown.slice(0, 50)}; the values are ${values}`
    context.issues.push({ code: 'custom', input: text, message })
    return z.NEVER
  })
  .meta({
    description: 'tiers, `all`, `no_website` or `has_website`, separated by commas',
    pattern: WEB_PRESENCE_PATTERN,
  })
