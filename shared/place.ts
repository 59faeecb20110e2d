import { z } from 'zod'

/** The weekdays in English, Monday first: the keys of `open_hours` and `popular_times` in every language. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

// A coordinator enforces these bounds on the places of an agent. They are far above the sizes on the map site, and low
// enough that the largest place stays well under the 4 MB of one gRPC message.
const line = z.string().min(1).max(2_000)
const address = z.string().min(1).max(8_192)
const paragraph = z.string().min(1).max(20_000)
const timestamp = z.iso.datetime()

export const CompleteAddress = z
  .object({
    borough: line.optional(),
    street: line.optional(),
    city: line.optional(),
    postal_code: line.optional(),
    state: line.optional(),
    country: line.optional().describe('ISO 3166 code of two letters'),
  })
  .meta({
    id: 'CompleteAddress',
    description: 'An address in its parts.',
    examples: [{ street: '12 Anexartisias', city: 'Limassol', postal_code: '3036', country: 'CY' }],
  })
export type CompleteAddress = z.infer<typeof CompleteAddress>

export const Owner = z.object({ id: line.optional(), name: line.optional(), link: address.optional() }).meta({
  id: 'Owner',
  description: "The map account that owns the listing. A claimed place has the account's id.",
  examples: [{ id: '101234567890', name: 'Dr. Demo', link: 'https://example.com/owner' }],
})

export const Image = z.object({ title: line.optional(), url: address }).meta({
  id: 'Image',
  description: 'A photo of a place.',
  examples: [{ title: 'Interior', url: 'https://example.com/interior.jpg' }],
})
export type Image = z.infer<typeof Image>

export const Link = z.object({ link: address, source: line.optional() }).meta({
  id: 'Link',
  description: 'A page about a place.',
  examples: [{ link: 'https://example.com/book', source: 'example.com' }],
})
export type Link = z.infer<typeof Link>

export const AboutOption = z
  .object({ name: line, enabled: z.boolean(), values: z.array(line).max(100).optional() })
  .meta({
    id: 'AboutOption',
    description: 'One property of a place.',
    examples: [{ name: 'Wheelchair accessible entrance', enabled: true }],
  })
export type AboutOption = z.infer<typeof AboutOption>

export const AboutSection = z.object({ id: line, name: line, options: z.array(AboutOption).max(200) }).meta({
  id: 'AboutSection',
  description: 'Properties of a place under one heading.',
  examples: [
    {
      id: 'accessibility',
      name: 'Accessibility',
      options: [{ name: 'Wheelchair accessible entrance', enabled: true }],
    },
  ],
})
export type AboutSection = z.infer<typeof AboutSection>

export const ReviewReply = z.object({ text: paragraph.optional(), published_at: timestamp.optional() }).meta({
  id: 'ReviewReply',
  description: "The owner's reply to a review.",
  examples: [{ text: 'Thank you, Ada!', published_at: '2026-02-12T08:00:00.000Z' }],
})

export const Review = z
  .object({
    id: line,
    author: line.optional(),
    author_url: address.optional(),
    profile_picture: address.optional(),
    rating: z.number().min(0).max(5).optional(),
    text: paragraph.optional(),
    text_original: paragraph.optional().describe('the text as written, when `text` is its translation'),
    language: line.optional(),
    published_at: timestamp.optional(),
    relative_time: line.optional().describe('the age of the review in the words of the site, e.g. "2 months ago"'),
    images: z.array(address).max(200).optional(),
    reply: ReviewReply.optional().describe("the owner's reply"),
  })
  .describe('A customer review of a place.')
export type Review = z.infer<typeof Review>

const hours = z.partialRecord(z.enum(WEEKDAYS), z.array(line).max(20))
const popularTimes = z.partialRecord(
  z.enum(WEEKDAYS),
  z.record(z.string().regex(/^(1?\d|2[0-3])$/), z.number().int().min(0).max(100)),
)

/**
 * One business listing as an agent sends it and a coordinator stores it. Only the key and the title are required. An
 * absent field was not on the page; it is never sent as an empty string, list or map.
 */
export const Place = z
  .object({
    place_key: z.string().regex(/^0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16}$/),
    title: line,
    category: line.optional(),
    categories: z.array(line).max(100).optional(),
    address: line.optional(),
    complete_address: CompleteAddress.optional(),
    website: address.optional(),
    phone: line.optional(),
    plus_code: line.optional(),
    latitude: z.number().min(-90).max(90).optional(),
    longitude: z.number().min(-180).max(180).optional(),
    rating: z.number().min(0).max(5).optional(),
    review_count: z.number().int().min(0).max(1_000_000_000).optional(),
    reviews_per_rating: z.partialRecord(z.enum(['1', '2', '3', '4', '5']), z.number().int().min(0)).optional(),
    reviews_link: address.optional(),
    price_range: line.optional(),
    open_hours: hours.optional(),
    popular_times: popularTimes.optional(),
    status: line.optional(),
    description: paragraph.optional(),
    thumbnail: address.optional(),
    street_view_url: address.optional(),
    timezone: line.optional(),
    place_id: line.optional(),
    data_id: line.optional(),
    cid: z
      .string()
      .regex(/^\d{1,20}$/)
      .optional(),
    link: address.optional(),
    owner: Owner.optional(),
    images: z.array(Image).max(500).optional(),
    reservations: z.array(Link).max(100).optional(),
    order_online: z.array(Link).max(100).optional(),
    menu: Link.optional(),
    about: z.array(AboutSection).max(100).optional(),
    credit_cards_accepted: z.array(line).max(100).optional(),
    user_reviews: z.array(Review).max(500).optional(),
    user_reviews_extended: z.array(Review).max(500).optional(),
    emails: z.array(z.string().min(3).max(320)).max(100).optional(),
    social_links: z.record(z.string().min(1).max(50), address).optional(),
    phones: z.array(z.string().min(3).max(50)).max(100).optional(),
    closed: z.enum(['permanently', 'temporarily']).optional().describe('absent while the place is open'),
  })
  .meta({ id: 'Place' })
export type Place = z.infer<typeof Place>

/** The part of a place that a search lists: enough to collect the place, or to drop it early. */
export const PlaceReference = Place.pick({
  place_key: true,
  place_id: true,
  link: true,
  website: true,
  latitude: true,
  longitude: true,
}).extend({ title: line.optional() })
export type PlaceReference = z.infer<typeof PlaceReference>
