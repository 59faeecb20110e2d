import { z } from 'zod'
import { Review } from './review.ts'
import { address, line, paragraph, timestamp } from './text.ts'

/** The weekdays in English, Monday first: the keys of `open_hours` and `popular_times` in every language. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

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
  description: 'The map account that owns the listing. Absent for a place that nobody has claimed.',
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

export const Post = z
  .object({
    text: paragraph,
    published_at: timestamp.optional(),
    link: address.optional().describe('the page of the post'),
    image: address.optional(),
  })
  .meta({
    id: 'Post',
    description: 'What the owner has posted on the map site.',
    examples: [
      {
        text: 'Open on Sundays in March.',
        published_at: '2026-03-01T09:00:00.000Z',
        link: 'https://example.com/posts/1',
        image: 'https://example.com/post.jpg',
      },
    ],
  })
export type Post = z.infer<typeof Post>

export const Service = z
  .object({
    name: line,
    price: line.optional().describe('in the words of the site, e.g. "From €40.00"'),
    description: paragraph.optional(),
  })
  .meta({
    id: 'Service',
    description: 'A service, or a dish of a menu.',
    examples: [{ name: 'Check-up', price: '€40.00', description: 'Takes half an hour.' }],
  })
export type Service = z.infer<typeof Service>

export const ServiceGroup = z.object({ name: line, items: z.array(Service).max(200) }).meta({
  id: 'ServiceGroup',
  description: 'Services under one heading.',
  examples: [{ name: 'Dental care', items: [{ name: 'Check-up', price: '€40.00' }, { name: 'Whitening' }] }],
})
export type ServiceGroup = z.infer<typeof ServiceGroup>

export const Question = z.object({ question: paragraph, answers: z.array(paragraph).max(50) }).meta({
  id: 'Question',
  description: 'A question of a visitor, with the answers that the page shows.',
  examples: [{ question: 'Is there parking?', answers: ['Yes, behind the house.'] }],
})
export type Question = z.infer<typeof Question>

export const Dish = z.object({ name: line, image: address.optional() }).meta({
  id: 'Dish',
  description: 'A dish that visitors show in their photos.',
  examples: [{ name: 'Meze', image: 'https://example.com/meze.jpg' }],
})
export type Dish = z.infer<typeof Dish>

export const SimilarPlace = z
  .object({ title: line, place_id: line.optional(), rating: z.number().min(0).max(5).optional() })
  .meta({
    id: 'SimilarPlace',
    description: 'A place that people also search for.',
    examples: [{ title: 'Old Port Dental', place_id: 'ChIJDdnwdv0y5xQRRytw1ihZQeU', rating: 4.4 }],
  })
export type SimilarPlace = z.infer<typeof SimilarPlace>

export const ReviewTopic = z.object({ topic: line, count: z.number().int().min(0).max(1_000_000_000) }).meta({
  id: 'ReviewTopic',
  description: 'A word that reviews of the place have in common, and the number of these reviews.',
  examples: [{ topic: 'friendly staff', count: 21 }],
})
export type ReviewTopic = z.infer<typeof ReviewTopic>

const email = z.string().min(3).max(320)

export const EmailDetail = z
  .object({
    email,
    mx: z
      .boolean()
      .optional()
      .describe('whether its domain has a mail server; absent when nobody was asked, as in jobs with proxies'),
    generic: z.boolean().describe('whether it names a role (`info@`), not a person'),
  })
  .meta({
    id: 'EmailDetail',
    description: 'An email address of a place, and what is known about it.',
    examples: [{ email: 'hello@example.com', mx: true, generic: true }],
  })
export type EmailDetail = z.infer<typeof EmailDetail>

const minutes = z.int().min(0)

export const OpenInterval = z
  .object({
    day: z.int().min(1).max(7).describe('the weekday on which it begins: 1 is Monday, 7 Sunday'),
    from: minutes.max(1_439).describe('minutes after midnight'),
    to: minutes.max(2_879).describe('minutes after the midnight before `from`; above 1440 on the next day'),
  })
  .meta({
    id: 'OpenInterval',
    description: 'A time in which a place is open, in its own time zone.',
    examples: [{ day: 5, from: 1_080, to: 1_560 }],
  })
export type OpenInterval = z.infer<typeof OpenInterval>

const hours = z.partialRecord(z.enum(WEEKDAYS), z.array(line).max(20))
const popularTimes = z.partialRecord(
  z.enum(WEEKDAYS),
  z.record(z.string().regex(/^(1?\d|2[0-3])$/), z.number().int().min(0).max(100)),
)

/** The parts of a place that the map site may hold back: lists with their own caps, and everything else. */
export const LIMITED_PARTS = ['reviews', 'images', 'details'] as const
export type LimitedPart = (typeof LIMITED_PARTS)[number]

/**
 * One business listing as an agent sends it and a coordinator stores it. Only the key and the title are required. An
 * absent field was not on the page; it is never sent as an empty string, list or map.
 */
export const Place = z
  .object({
    place_key: z.string().regex(/^0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16}$/),
    title: line.describe('the name of the business, in the language of the job'),
    category: line.optional().describe('the main category, in the language of the job'),
    categories: z.array(line).max(100).optional().describe('all categories, the main one first'),
    address: line.optional().describe('the whole address in one line'),
    complete_address: CompleteAddress.optional().describe('the address in its parts'),
    website: address.optional().describe('the listed website, without the redirect of the map site'),
    phone: line.optional().describe('the listed phone, as the map site writes it'),
    plus_code: line.optional().describe('the position as an Open Location Code'),
    latitude: z.number().min(-90).max(90).optional().describe('decimal degrees'),
    longitude: z.number().min(-180).max(180).optional().describe('decimal degrees'),
    rating: z.number().min(0).max(5).optional(),
    review_count: z.number().int().min(0).max(1_000_000_000).optional(),
    reviews_per_rating: z
      .partialRecord(z.enum(['1', '2', '3', '4', '5']), z.number().int().min(0))
      .optional()
      .describe('the number of ratings by stars'),
    reviews_link: address.optional().describe('the page with the reviews'),
    price_range: line.optional().describe('in the words of the site, e.g. "€10–20"'),
    open_hours: hours.optional(),
    open_intervals: z
      .array(OpenInterval)
      .max(140)
      .optional()
      .describe('`open_hours` of the seven days from that day on as numbers, Monday first; absent when not certain'),
    popular_times: popularTimes.optional().describe('how busy it is, in percent, by English weekday and hour'),
    status: line
      .optional()
      .describe('whether the place is open now, in the words of the site; never says otherwise than `closed`'),
    description: paragraph.optional().describe('the editorial text, else the text of the owner'),
    thumbnail: address.optional().describe('the first picture'),
    street_view_url: address.optional().describe('a picture of the street'),
    timezone: line.optional().describe('an IANA time zone, e.g. "Asia/Nicosia"'),
    place_id: line.optional().describe('the public id of the map site, which begins with `ChIJ`'),
    data_id: line.optional().describe('the id in the links of the map site, `0x…:0x…`'),
    cid: z
      .string()
      .regex(/^\d{1,20}$/)
      .optional()
      .describe('the second half of `data_id` as a decimal number'),
    link: address.optional().describe('the page of the place on the map site'),
    owner: Owner.optional().describe('the account that owns the listing; absent for a place that nobody has claimed'),
    images: z.array(Image).max(500).optional().describe('at most `max_images`, in full size'),
    reservations: z.array(Link).max(100).optional().describe('pages to reserve a table'),
    order_online: z.array(Link).max(100).optional().describe('pages to order food'),
    menu: Link.optional().describe('the page of the menu'),
    about: z.array(AboutSection).max(100).optional().describe('properties such as accessibility, under their headings'),
    credit_cards_accepted: z.array(line).max(100).optional().describe('the accepted cards'),
    user_reviews: z.array(Review).max(500).optional(),
    user_reviews_extended: z.array(Review).max(500).optional(),
    emails: z.array(email).max(100).optional(),
    social_links: z
      .record(z.string().min(1).max(50), address)
      .optional()
      .describe('profiles that the website links, by network; with `include_emails`'),
    phones: z
      .array(z.string().min(3).max(50))
      .max(100)
      .optional()
      .describe('phones that the website names; with `include_emails`'),
    closed: z
      .enum(['permanently', 'temporarily'])
      .optional()
      .describe('absent while the place is open, and when the answer does not tell'),
    claimed: z
      .boolean()
      .optional()
      .describe('whether an owner has claimed the place; absent when the answer does not tell'),
    local_title: line.optional().describe('the name in the language of the place, when it differs'),
    local_address: line.optional().describe('the address in the language of the place, when it differs'),
    phone_e164: z
      .string()
      .regex(/^\+\d{4,15}$/)
      .optional()
      .describe('`phone` in the form E.164, e.g. "+35725101555"'),
    time_spent: line.optional().describe('how long people stay, in the words of the site'),
    booking_links: z.array(Link).max(100).optional().describe('pages to book an appointment or ask for an estimate'),
    posts: z.array(Post).max(50).optional().describe('newest first'),
    services: z.array(ServiceGroup).max(100).optional().describe('services, or dishes of a menu, under their headings'),
    questions: z
      .array(Question)
      .max(50)
      .optional()
      .describe('questions of visitors, with the answers that the page shows'),
    popular_dishes: z.array(Dish).max(100).optional().describe('dishes that visitors show in their photos'),
    also_searched: z.array(SimilarPlace).max(50).optional().describe('places that people also search for'),
    review_topics: z.array(ReviewTopic).max(100).optional().describe('words that reviews have in common'),
    email_details: z.array(EmailDetail).max(100).optional().describe('what is known about each address of `emails`'),
    limited: z
      .array(z.enum(LIMITED_PARTS))
      .max(LIMITED_PARTS.length)
      .optional()
      .describe('the parts of which the map site held something back; absent when nothing is known to be missing'),
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
