import { type Image, LIMITED_PARTS, type LimitedPart, type Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'
import { endsMatches, matchingReviews, type ReviewOptions } from '@placefleet/shared/review-options'
import { type PhotoResult, photosInBrowser } from '../maps/photos/browser.ts'
import { type Photo, photoImage } from '../maps/photos/payload.ts'
import type { MissingPart, PlaceExtra } from '../maps/place/payload/payload.ts'
import { ask, type Question } from '../maps/requests/attempt.ts'
import { MapFailed } from '../maps/requests/failure.ts'
import { isRefusal } from '../maps/requests/verdicts.ts'
import { reviewsInBrowser } from '../maps/reviews/browser.ts'
import { type ReviewQuery, type ReviewResult, reviewsByHttp } from '../maps/reviews/http.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import type { TaskContext } from './task.ts'

/** A part of a place, and whether the site held something of it back. */
type Part = { readonly fields: Partial<Place>; readonly isLimited: boolean }

const NOTHING: Part = { fields: {}, isLimited: false }

/**
 * Adds the images and reviews of a place up to the job's caps. `limited` names the parts that the site held back.
 * Throws MapFailed when the site refuses the exit.
 * @param missing the parts that its payload lacks
 */
export async function finishPlace(
  task: TaskContext,
  url: PlaceUrl,
  place: Place,
  extra: PlaceExtra,
  missing: readonly MissingPart[],
): Promise<Place> {
  const { images: _images, user_reviews: _reviews, ...bare } = place
  const [images, reviews] = await Promise.all([imagesOf(task, url, place, extra), reviewsOf(task, url, place)])
  const isLimited: Record<LimitedPart, boolean> = {
    reviews: reviews.isLimited,
    images: images.isLimited,
    details: missing.some((part) => part !== 'reviews'),
  }
  const limited = LIMITED_PARTS.filter((part) => isLimited[part])
  return { ...bare, ...images.fields, ...reviews.fields, ...(limited.length > 0 ? { limited } : {}) }
}

/** The most reviews of a place that are read while those with other ratings are passed over. */
const MOST_READ = 2_000
/** Lists hide some of the reviews that the place counts. One with a smaller share than this was cut. */
const LISTED_SHARE = 0.9

/** Returns the reviews of the payload, and those of the list if the job wants more. */
async function reviewsOf(task: TaskContext, url: PlaceUrl, place: Place): Promise<Part> {
  const { parameters, drift } = task
  const { max_reviews, reviews_sort: order } = parameters
  if (max_reviews === 0) return NOTHING
  const inline = matchingReviews(place.user_reviews ?? [], parameters).slice(0, max_reviews)
  // The page shows the most relevant ones, so they do not belong to the best or the worst.
  const shown = order === 'highest' || order === 'lowest' ? [] : inline
  const shownIds = new Set(shown.map(({ id }) => id))
  const extendedOf = (reviews: readonly Review[]) =>
    matchingReviews(reviews, parameters).filter(({ id }) => !shownIds.has(id))
  const count = countOf(place, parameters)
  const expected = Math.min(max_reviews, count ?? place.review_count ?? max_reviews)
  const missing = expected - shown.length
  const mayHaveMore = place.rating !== undefined || place.review_count !== undefined
  if (missing <= 0 || !mayHaveMore) return { fields: reviewLists(shown, []), isLimited: false }
  const least = count === undefined ? 0 : expected * LISTED_SHARE
  const query: ReviewQuery = {
    place: url,
    order,
    enough: (reviews) => reviews.length >= MOST_READ || extendedOf(reviews).length >= missing,
    ends: (last) => endsMatches(last, parameters),
  }
  const nothing: ReviewResult = { reviews: [], complete: false }
  const { answer, limited } = await askForPart(task, url, nothing, {
    door: 'reviews',
    async byHttp(session) {
      const list = await reviewsByHttp(session, query)
      drift.reviewed(list.reviews)
      return list
    },
    inBrowser: (tab) => reviewsInBrowser(tab, query),
    // Lists of a signed-out client may end after 8 or 18 reviews, as if there were no more.
    missing({ reviews, complete }) {
      const isCut = reviews.length < MOST_READ && shown.length + extendedOf(reviews).length < least
      return complete && !isCut ? 0 : 1
    },
    verdictOn: ({ reviews }) => (reviews.length > 0 ? 'whole' : 'doubtful_empty'),
    isOptional: true,
  })
  const extended = extendedOf(answer.reviews).slice(0, max_reviews - shown.length)
  const fields = extended.length > 0 ? reviewLists(shown, extended) : reviewLists(inline, [])
  return { fields, isLimited: limited }
}

/** Returns how many reviews of a place the job wants. Undefined when the place does not tell. */
function countOf({ review_count, reviews_per_rating }: Place, options: ReviewOptions): number | undefined {
  const { reviews_since, reviews_ratings } = options
  if (reviews_since !== undefined) return undefined
  if (reviews_ratings === undefined) return review_count
  if (!reviews_per_rating) return undefined
  const counts = Object.entries(reviews_per_rating).filter(([stars]) => reviews_ratings.includes(Number(stars)))
  return counts.reduce((sum, [, count]) => sum + count, 0)
}

const reviewLists = (shown: Review[], extended: Review[]) => ({
  ...(shown.length > 0 ? { user_reviews: shown } : {}),
  ...(extended.length > 0 ? { user_reviews_extended: extended } : {}),
})

/**
 * Returns at most `max_images` images of a place, each once and at full size: first those of its tabs, then those
 * shown, and if the job takes more, those of its gallery.
 */
async function imagesOf(
  task: TaskContext,
  url: PlaceUrl,
  { images: tabs = [] }: Place,
  { photos: shown, photo_count: count = 0 }: PlaceExtra,
): Promise<Part> {
  const most = task.parameters.max_images
  if (most === 0) return NOTHING
  const images = new Map<string, Image>()
  let isLimited = false
  const add = (batch: readonly Image[]) => {
    for (const image of batch) {
      const source = withoutSize(image.url)
      if (!images.has(source)) images.set(source, { ...image, url: atFullSize(image.url) })
    }
  }
  add([...tabs, ...imagesFrom(shown)])
  if (images.size < most && images.size < count) {
    const missing = most - images.size
    const isNew = (photo: Photo) => !images.has(withoutSize(photo.url))
    const { answer, limited } = await readGallery(task, url, (photos) => photos.filter(isNew).length >= missing)
    isLimited = limited
    add(imagesFrom(answer.photos))
  }
  const collected = [...images.values()].slice(0, most)
  return { fields: collected.length > 0 ? { images: collected } : {}, isLimited }
}

const imagesFrom = (photos: readonly Photo[]) => photos.filter(({ kind }) => kind === 'photo').map(photoImage)

// The same photo occurs in a tab, among those shown and in the gallery, in several sizes: the part after the last "=".
const SIZE = /=[whs]\d+(-[a-z0-9]+)*$/

const withoutSize = (url: string) => url.replace(SIZE, '')

const atFullSize = (url: string) => url.replace(SIZE, '=s0')

/** Pages through the gallery of a place. The site serves it only to its own pages, never over plain HTTP. */
function readGallery(task: TaskContext, place: PlaceUrl, enough: (photos: readonly Photo[]) => boolean) {
  const nothing: PhotoResult = { photos: [], complete: false }
  if (task.choice === 'http') return { answer: nothing, limited: true }
  return askForPart(task, place, nothing, {
    door: 'photos',
    inBrowser: (tab) => photosInBrowser(tab, place, enough),
    missing: ({ complete }) => (complete ? 0 : 1),
    verdictOn: ({ photos }) => (photos.length > 0 ? 'whole' : 'doubtful_empty'),
    isOptional: true,
  })
}

/** Asks for a part that a place can be stored without. Throws MapFailed only when the site refuses the exit. */
async function askForPart<Answer>(
  task: TaskContext,
  { place_key }: PlaceUrl,
  nothing: Answer,
  question: Question<Answer>,
): Promise<{ readonly answer: Answer; readonly limited: boolean }> {
  try {
    return await ask(task, question)
  } catch (error) {
    if (!(error instanceof MapFailed) || isRefusal(error.fault)) throw error
    task.log.info({ place_key, fault: error.fault, part: question.door }, 'could not read a part of a place')
    return { answer: nothing, limited: true }
  }
}
