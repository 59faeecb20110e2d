import type { AboutSection, Place } from '@placefleet/shared/place'
import { WEEKDAYS, type Weekday } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'
import type { AboutFact } from './city/about.ts'
import type { PlaceDetails } from './city/details.ts'
import { CITY } from './city/geography.ts'
import { openingDays, statusOf } from './city/opening.ts'
import { photoUrl, videoUrl } from './city/photos.ts'
import type { ReviewDetails } from './city/reviews.ts'
import { slotsOf } from './city/schedule.ts'
import { wordsOf } from './language/choose.ts'
import { agoWords, type View } from './view.ts'

const SITE = 'https://www.google.com'

/** Encodes the place's name for a URL, with "+" for spaces. */
export const nameInUrl = (title: string) => encodeURIComponent(title).replaceAll('%20', '+').replaceAll("'", '%27')

/** Returns the place's canonical URL. */
const canonicalLink = (place: PlaceDetails) =>
  `${SITE}/maps/place/${nameInUrl(place.title)}/data=!4m2!3m1!1s${place.ids.dataId}!10m1!1e1`

/** Returns the URL of a place's list of reviews. */
export const reviewsLink = (place: PlaceDetails, view: View) =>
  `https://search.google.com/local/reviews?placeid=${place.ids.placeId}&q=${nameInUrl(place.title)}&authuser=0&hl=${view.hl}&gl=DE`

/** Returns the URL of a contributor's page. */
export const contributorLink = (account: string) => `${SITE}/maps/contrib/${account}`

/** Formats the address, e.g. "Street 5, 12345 Berlin". */
export const addressLine = (place: PlaceDetails) =>
  place.address ? `${place.address.street}, ${place.address.postalCode} ${CITY.name}` : undefined

const countryName = (view: View) => new Intl.DisplayNames([view.language], { type: 'region' }).of(CITY.country)

/** Formats the address as clients see it. Foreign clients see the country at the end. */
export const shownAddress = (place: PlaceDetails, view: View) => {
  const line = addressLine(place)
  return line && view.layout.withCountry ? `${line}, ${countryName(view)}` : line
}

/** Formats the short plus code, e.g. "GCC4+2X Berlin". */
export const shortPlusCode = (place: PlaceDetails) => `${place.plusCode.slice(4)} ${CITY.name}`

/** Returns the labels of a place's categories, the main category first. */
export const categoriesOf = (place: PlaceDetails, view: View) =>
  place.index % 3 === 0
    ? [view.words.category[place.category], view.words.subcategory[place.category]]
    : [view.words.category[place.category]]

/** The size of pictures in reviews. */
export const REVIEW_PICTURE = 'w150-h150-k-no-p'

const englishDay = (weekday: number): Weekday => WEEKDAYS[weekday - 1] ?? 'Monday'

const openHours = (place: PlaceDetails, view: View): Place['open_hours'] => {
  const days = openingDays(place.schedule, view.today, view.words)
  return days.length === 0
    ? undefined
    : Object.fromEntries(days.map(({ date, texts }) => [englishDay(date.weekday), texts]))
}

const openIntervals = ({ schedule }: PlaceDetails): Place['open_intervals'] => {
  if (schedule.kind === 'unknown') return undefined
  const slots = (day: number) => (schedule.kind === 'always' ? [{ open: 0, close: 0 }] : slotsOf(schedule, day))
  return [1, 2, 3, 4, 5, 6, 7].flatMap((day) =>
    slots(day).map(({ open, close }) => ({ day, from: open, to: close <= open ? close + 1_440 : close })),
  )
}

const popularTimes = (place: PlaceDetails): Place['popular_times'] =>
  place.busyness &&
  Object.fromEntries([...place.busyness].map(([weekday, hours]) => [englishDay(weekday), Object.fromEntries(hours)]))

const completeAddress = (place: PlaceDetails): Place['complete_address'] =>
  place.address && {
    ...(place.address.borough ? { borough: place.address.borough } : {}),
    street: place.address.street,
    city: CITY.name,
    postal_code: place.address.postalCode,
    ...(place.address.state ? { state: place.address.state } : {}),
    country: CITY.country,
  }

const optionOf = ({ label, says }: AboutFact, view: View): AboutSection['options'][number] => {
  const name = view.words.about[label]
  if (says.kind === 1) return { name, enabled: says.yes }
  return { name, enabled: true, values: says.kind === 2 ? [view.words.about[says.value]] : says.values }
}

// Merges options of the same name, e.g. "Credit cards" as a yes and as a list of brands.
const merged = (options: AboutSection['options']): AboutSection['options'] => {
  const byName = new Map<string, AboutSection['options'][number]>()
  for (const option of options) {
    const before = byName.get(option.name)
    byName.set(option.name, before ? { ...before, ...option, enabled: before.enabled || option.enabled } : option)
  }
  return [...byName.values()]
}

const aboutOf = (place: PlaceDetails, view: View): AboutSection[] => {
  const sections = Map.groupBy(place.about, ({ section }) => section)
  return [...sections].map(([id, facts]) => ({
    id,
    name: view.words.about[id],
    options: merged(facts.map((fact) => optionOf(fact, view))),
  }))
}

const creditCards = (place: PlaceDetails) => place.about.flatMap(({ says }) => (says.kind === 3 ? says.values : []))

const ratingFields = ({ rating }: PlaceDetails, view: View, place: PlaceDetails): Partial<Place> => {
  if (!rating) return { rating: 0, review_count: 0 }
  if (!rating.perStar) return { rating: rating.value }
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = rating.perStar
  return {
    rating: rating.value,
    review_count: rating.count,
    reviews_per_rating: { '1': one, '2': two, '3': three, '4': four, '5': five },
    reviews_link: reviewsLink(place, view),
  }
}

const pictureFields = (place: PlaceDetails, view: View): Partial<Place> => {
  const first = place.photos[0]
  if (!first) return {}
  return {
    thumbnail: photoUrl(first.photo, 'w408-h306-k-no'),
    images: place.photos.map(({ tab, photo }) => ({
      title: view.words.photoTabs[tab],
      url: photoUrl(photo, 'w298-h298-k-no'),
    })),
    ...(place.panorama ? { street_view_url: `${SITE}/maps/@?api=1&map_action=pano&pano=${place.panorama}` } : {}),
  }
}

const ownerFields = ({ title, ownerId }: PlaceDetails, view: View): Partial<Place> =>
  ownerId ? { owner: { name: `${title} (${view.words.owner})`, id: ownerId, link: contributorLink(ownerId) } } : {}

const addressFields = (place: PlaceDetails): Partial<Place> => {
  const address = addressLine(place)
  const complete_address = completeAddress(place)
  return address && complete_address ? { address, complete_address, plus_code: shortPlusCode(place) } : {}
}

const offerFields = (place: PlaceDetails): Partial<Place> => ({
  ...(place.reservations.length > 0 ? { reservations: place.reservations } : {}),
  ...(place.orders.length > 0 ? { order_online: place.orders } : {}),
  ...(place.menu ? { menu: place.menu } : {}),
})

const hourFields = (place: PlaceDetails, view: View): Partial<Place> => {
  const open_hours = openHours(place, view)
  const open_intervals = openIntervals(place)
  const popular_times = popularTimes(place)
  const status = statusOf(place, view.today, view.words)?.text
  return {
    ...(place.closed ? { closed: place.closed } : {}),
    ...(open_hours ? { open_hours } : {}),
    ...(open_intervals ? { open_intervals } : {}),
    ...(popular_times ? { popular_times } : {}),
    ...(status ? { status } : {}),
  }
}

/** Returns the description: the editorial text, or else the owner's. */
const descriptionOf = (place: PlaceDetails, view: View) =>
  place.hasEditorial ? view.words.editorial : place.hasOwnerText ? view.words.ownerText(place.title) : undefined

/** Returns what a correct collection of the place page reports, without emails. `inline`: the reviews on that page. */
export function placeTruth(place: PlaceDetails, view: View, inline: readonly ReviewDetails[]): Place {
  const categories = categoriesOf(place, view)
  const description = descriptionOf(place, view)
  const about = aboutOf(place, view)
  const cards = creditCards(place)
  return {
    place_key: place.ids.dataId,
    data_id: place.ids.dataId,
    place_id: place.ids.placeId,
    cid: place.ids.cid,
    title: place.title,
    link: canonicalLink(place),
    category: view.words.category[place.category],
    categories,
    latitude: place.location.lat,
    longitude: place.location.lon,
    timezone: CITY.timezone,
    ...addressFields(place),
    ...(place.web.url ? { website: place.web.url } : {}),
    ...(place.phone ? { phone: place.phone.national } : {}),
    ...ratingFields(place, view, place),
    ...(place.price ? { price_range: place.price } : {}),
    ...hourFields(place, view),
    ...(description ? { description } : {}),
    ...pictureFields(place, view),
    ...ownerFields(place, view),
    ...offerFields(place),
    ...(about.length > 0 ? { about } : {}),
    ...(cards.length > 0 ? { credit_cards_accepted: cards } : {}),
    ...(inline.length > 0 ? { user_reviews: inline.map((review) => reviewTruth(review, view)) } : {}),
  }
}

const reviewText = (review: ReviewDetails, view: View): Partial<Review> => {
  if (review.praise === undefined) return {}
  const original = wordsOf(review.language).praise[review.praise] ?? ''
  if (review.language === view.language) return { text: original, language: review.language }
  return { text: view.words.praise[review.praise] ?? '', text_original: original, language: review.language }
}

const iso = (micros: number) => new Date(Math.floor(micros / 1000)).toISOString()

/** Returns the age of a review since it was written or last edited, in words. */
export const reviewAge = (review: ReviewDetails, view: View) =>
  review.edited === review.published
    ? agoWords(review.published, view)
    : view.words.edited(agoWords(review.edited, view))

/** The author's page on the site that a review comes from. */
export const FOREIGN_AUTHOR = 'https://www.tripadvisor.com/members/traveller'

/** Returns the URL of a review's author. */
export const authorLink = (review: ReviewDetails, view: View) =>
  review.authorId ? `${contributorLink(review.authorId)}?hl=${view.hl}` : FOREIGN_AUTHOR

/** The question of the site that every reviewer of the city answered, with as many stars as the place got. */
export const SERVICE_QUESTION = { id: 'GUIDED_DINING_SERVICE_ASPECT', name: 'Service' } as const

const videosOf = ({ photos }: ReviewDetails): Partial<Review> => {
  const videos = photos.filter(({ kind }) => kind === 'video').map(videoUrl)
  return videos.length > 0 ? { videos } : {}
}

/** Returns what a correct collection reports for a review. */
export function reviewTruth(review: ReviewDetails, view: View): Review {
  return {
    id: review.id,
    author: review.author,
    author_url: authorLink(review, view),
    profile_picture: review.picture,
    rating: review.stars,
    ...reviewText(review, view),
    published_at: iso(review.published),
    relative_time: reviewAge(review, view),
    ...(review.photos.length > 0 ? { images: review.photos.map((photo) => photoUrl(photo, REVIEW_PICTURE)) } : {}),
    ...videosOf(review),
    answers: [{ id: SERVICE_QUESTION.id, name: SERVICE_QUESTION.name, rating: review.stars }],
    ...(review.replied ? { reply: { text: view.words.thanks, published_at: iso(review.replied) } } : {}),
  }
}
