import { SITE_LANGUAGES, type SiteLanguage } from '../language/choose.ts'
import { chance } from '../random.ts'
import type { PlaceDetails } from './details.ts'
import { accountId } from './identifiers.ts'
import { type Photo, photoOf } from './photos.ts'

/** A review, in no display language. Times are microseconds since 1970. */
export interface ReviewDetails {
  id: string
  author: string
  /** Absent on reviews taken over from another site. */
  authorId: string | undefined
  picture: string
  authorReviews: number
  source: 'Google' | 'Tripadvisor'
  stars: number
  language: SiteLanguage
  /** Number of the text in the words of a language; absent for a rating without text. */
  praise: number | undefined
  published: number
  edited: number
  photos: Photo[]
  replied: number | undefined
}

export const REVIEW_ORDERS = ['relevant', 'newest', 'highest', 'lowest'] as const
export type ReviewOrder = (typeof REVIEW_ORDERS)[number]

/** The longest list of reviews, even when the place has more: longer than any job wants. */
const MOST_REVIEWS = 600

const AUTHORS = [
  'Cristina Dragoi',
  'E. Özdemir',
  'Ιωάννα Μεζιρίδου',
  'Łukasz Kowalski',
  'Pierre-Albert G.',
  '田中 太郎',
  "Aoife O'Neill",
  'Mohammed الأحمد',
  'Ana <3',
  'J & K',
] as const
const REVIEW_SALT = 111
const VIDEO_SALT = 112
const DAY = 86_400_000_000

/** Review number `nth` of a place, in order of relevance, as of the instant `now` (milliseconds since 1970). */
export function reviewOf(seed: number, place: PlaceDetails, nth: number, now: number): ReviewDetails {
  const dice = chance(seed, place.index, nth, REVIEW_SALT)
  const foreign = place.category === 'hotel' && dice.happens(0.1)
  const published =
    now * 1000 - dice.between(2, 1_400) * DAY - dice.between(0, 86_399) * 1_000_000 - dice.between(0, 999_999)
  const later = dice.between(1, 24) * 3_600_000_000
  const photoAt = (k: number): Photo => {
    const photo = photoOf(seed, place.index, 1000 + nth * 8 + k)
    return chance(seed, place.index, nth, k, VIDEO_SALT).happens(0.2) ? { ...photo, kind: 'video' } : photo
  }
  const stars = dice.pick([5, 5, 5, 4, 4, 3, 2, 1] as const)
  return {
    id: dice.happens(0.5) ? `ChdDSUhN${dice.token(27)}` : `Ci9DQUlR${dice.token(60)}`,
    author: dice.pick(AUTHORS),
    authorId: foreign ? undefined : accountId(seed, place.index, nth),
    picture: `https://lh3.googleusercontent.com/a-/ALV-UjX${dice.token(50)}=s120-c-rp-mo-br100`,
    authorReviews: dice.between(1, 300),
    source: foreign ? 'Tripadvisor' : 'Google',
    stars,
    language: dice.pick(SITE_LANGUAGES),
    praise: dice.happens(0.12) ? undefined : dice.between(0, 5),
    published,
    edited: dice.happens(0.15) ? published + later : published,
    photos: dice.happens(0.3) ? Array.from({ length: dice.between(1, 3) }, (_, k) => photoAt(k)) : [],
    replied: dice.happens(0.25) ? published + 2 * later : undefined,
  }
}

/** Returns how many reviews the lists of a place contain. */
const reviewTotal = (place: PlaceDetails) => Math.min(place.rating?.count ?? 0, MOST_REVIEWS)

/** Returns the first reviews of a place, at most `most`, in the requested order. */
export function reviewsOf(
  seed: number,
  place: PlaceDetails,
  order: ReviewOrder,
  now: number,
  most = MOST_REVIEWS,
): ReviewDetails[] {
  const length = order === 'relevant' ? Math.min(most, reviewTotal(place)) : reviewTotal(place)
  const all = Array.from({ length }, (_, nth) => reviewOf(seed, place, nth, now))
  if (order === 'relevant') return all
  if (order === 'newest') return all.toSorted((a, b) => b.published - a.published).slice(0, most)
  return all.toSorted((a, b) => (order === 'highest' ? b.stars - a.stars : a.stars - b.stars)).slice(0, most)
}
