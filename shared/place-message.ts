import { Place as PlaceMessage, type Review as ReviewMessage } from '@placefleet/proto/place'
import { Place } from './place.ts'
import type { Review } from './review.ts'

/** Returns the wire form of a place. `decodePlace` restores the same place. */
export const encodePlace = (place: Place): Buffer => Buffer.from(PlaceMessage.encode(toMessage(place)).finish())

function toMessage(place: Place): PlaceMessage {
  return {
    ...place,
    categories: place.categories ?? [],
    reviews_per_rating: mapValues(place.reviews_per_rating, (count) => count),
    open_hours: mapValues(place.open_hours, (ranges) => ({ ranges })),
    popular_times: mapValues(place.popular_times, (hours) => ({ hours })),
    images: place.images ?? [],
    reservations: place.reservations ?? [],
    order_online: place.order_online ?? [],
    about: (place.about ?? []).map((section) => ({
      ...section,
      options: section.options.map((option) => ({ ...option, values: option.values ?? [] })),
    })),
    credit_cards_accepted: place.credit_cards_accepted ?? [],
    user_reviews: (place.user_reviews ?? []).map(reviewToMessage),
    user_reviews_extended: (place.user_reviews_extended ?? []).map(reviewToMessage),
    emails: place.emails ?? [],
    social_links: place.social_links ?? {},
    phones: place.phones ?? [],
    booking_links: place.booking_links ?? [],
    posts: place.posts ?? [],
    services: place.services ?? [],
    questions: place.questions ?? [],
    popular_dishes: place.popular_dishes ?? [],
    also_searched: place.also_searched ?? [],
    review_topics: place.review_topics ?? [],
    email_details: place.email_details ?? [],
  }
}

const reviewToMessage = (review: Review): ReviewMessage => ({
  ...review,
  images: review.images ?? [],
  videos: review.videos ?? [],
  answers: (review.answers ?? []).map((answer) => ({ ...answer, choices: answer.choices ?? [] })),
})

const reviewFromMessage = (review: ReviewMessage) =>
  withoutEmpty({ ...review, answers: review.answers.map(withoutEmpty) })

/**
 * Reads and validates a place from its wire form: agents are not trusted more than users. Empty lists and maps are omitted,
 * because the wire format cannot distinguish them from absent ones.
 * @throws z.ZodError that names the members that are out of bounds, or Error when the bytes are no message.
 */
export function decodePlace(bytes: Uint8Array): Place {
  const message = PlaceMessage.decode(bytes)
  const { open_hours, popular_times, about, ...rest } = message
  return Place.parse({
    ...withoutEmpty(rest),
    open_hours: notEmpty(mapValues(open_hours, ({ ranges }) => ranges)),
    popular_times: notEmpty(mapValues(popular_times, ({ hours }) => hours)),
    about:
      about.length > 0
        ? about.map((section) => ({ ...section, options: section.options.map(withoutEmpty) }))
        : undefined,
    user_reviews: notEmpty(message.user_reviews.map(reviewFromMessage)),
    user_reviews_extended: notEmpty(message.user_reviews_extended.map(reviewFromMessage)),
  })
}

function mapValues<From, To>(
  map: Partial<Record<string, From>> | undefined,
  change: (value: From) => To,
): Record<string, To> {
  const entries = Object.entries(map ?? {})
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, change(value)]])))
}

function notEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length > 0 ? value : undefined
}

function withoutEmpty(value: object): Record<string, unknown> {
  const fields = Object.entries(value).filter(
    ([, member]) => typeof member !== 'object' || notEmpty(member) !== undefined,
  )
  return Object.fromEntries(fields)
}
