import { accountId } from '../city/identifiers.ts'
import { type Photo, photoOf } from '../city/photos.ts'
import { SITE_LANGUAGES, wordsOf } from '../language.ts'
import type { PlaceDetails } from '../place/details.ts'
import { chance } from '../random.ts'
import { NOW } from '../view.ts'

/** A review, in no display language. Times are microseconds since 1970. */
export type ReviewDetails = ReturnType<typeof reviewOf>

export const REVIEW_ORDERS = ['relevant', 'newest', 'highest', 'lowest'] as const
export type ReviewOrder = (typeof REVIEW_ORDERS)[number]

/** The longest list of reviews, even when the place has more: longer than any job wants. */
const MOST_REVIEWS = 600

const AUTHORS =
  "Cristina Dragoi|E. Özdemir|Ιωάννα Μεζιρίδου|Łukasz Kowalski|Pierre-Albert G.|田中 太郎|Aoife O'Neill|Mohammed الأحمد|Ana <3|J & K"
const REVIEW_SALT = 111
const VIDEO_SALT = 112
const DAY = 86_400_000_000

/** Review number `nth` of a place, in order of relevance. */
function reviewOf({ seed, index, category }: PlaceDetails, nth: number) {
  const dice = chance(seed, index, nth, REVIEW_SALT)
  const isForeign = category.id === 'hotel' && dice.happens(0.1)
  const published =
    NOW * 1000 - dice.between(2, 1_400) * DAY - dice.between(0, 86_399) * 1_000_000 - dice.between(0, 999_999)
  const later = dice.between(1, 24) * 3_600_000_000
  const photoAt = (k: number): Photo => {
    const photo = photoOf(seed, index, 1000 + nth * 8 + k)
    return chance(seed, index, nth, k, VIDEO_SALT).happens(0.2) ? { ...photo, kind: 'video' } : photo
  }
  const stars = dice.pick([5, 5, 5, 4, 4, 3, 2, 1])
  const id = dice.happens(0.5) ? `ChdDSUhN${dice.token(27)}` : `Ci9DQUlR${dice.token(60)}`
  const author = dice.pickText(AUTHORS)
  const picture = `https://lh3.googleusercontent.com/a-/ALV-UjX${dice.token(50)}=s120-c-rp-mo-br100`
  const authorReviews = dice.between(1, 300)
  const language = dice.pick(SITE_LANGUAGES)
  // Absent on a rating without text.
  const praise = dice.happens(0.12) ? undefined : dice.between(0, 5)
  return {
    id,
    author,
    /** Absent on reviews taken over from another site. */
    authorId: isForeign ? undefined : accountId(seed, index, nth),
    picture,
    authorReviews,
    source: isForeign ? 'Tripadvisor' : 'Google',
    stars,
    language,
    praise,
    /** The text as its author wrote it. */
    original: praise === undefined ? undefined : wordsOf(language).praise[praise],
    published,
    edited: dice.happens(0.15) ? published + later : published,
    photos: dice.happens(0.3) ? Array.from({ length: dice.between(1, 3) }, (_, k) => photoAt(k)) : [],
    replied: dice.happens(0.25) ? published + 2 * later : undefined,
  }
}

/** Returns the first reviews of a place, at most `most`, in the requested order. */
export function reviewsOf(place: PlaceDetails, order: ReviewOrder, most = MOST_REVIEWS): ReviewDetails[] {
  const total = Math.min(place.rating?.count ?? 0, MOST_REVIEWS)
  const length = order === 'relevant' ? Math.min(most, total) : total
  const all = Array.from({ length }, (_, nth) => reviewOf(place, nth))
  if (order === 'relevant') return all
  if (order === 'newest') return all.toSorted((a, b) => b.published - a.published).slice(0, most)
  return all.toSorted((a, b) => (order === 'highest' ? b.stars - a.stars : a.stars - b.stars)).slice(0, most)
}
