import { type Image, LIMITED_PARTS, type LimitedPart, type Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'
import { endsWanted, type ReviewOptions, wantedReviews } from '@placefleet/shared/review-options'
import { type PhotosFound, photosInBrowser } from '../maps/photos/browser.ts'
import { type Photo, photoImage } from '../maps/photos/payload.ts'
import type { MissingPart, PlaceExtra } from '../maps/place/payload/payload.ts'
import { ask } from '../maps/requests/attempt.ts'
import { MapFailed } from '../maps/requests/failure.ts'
import { isRefusal } from '../maps/requests/verdicts.ts'
import { reviewsInBrowser } from '../maps/reviews/browser.ts'
import { type ReviewsFound, type ReviewsWanted, reviewsByHttp, type Until } from '../maps/reviews/http.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import type { TaskContext } from './task.ts'

/** A place without the parts that have their own caps, and those parts. */
type Split = { readonly bare: Place; readonly images: Image[]; readonly inline: Review[] }

function split({ images = [], user_reviews = [], ...bare }: Place): Split {
  return { bare, images, inline: user_reviews }
}

/** Which reviews of a list are wanted. `tooFew`: whether a list that ended has too few of them. */
type ReviewsAsked = Until & { readonly tooFew: (reviews: readonly Review[]) => boolean }

/** Reads more reviews than the page shows, in the order of the job. `cut`: the site held some back. */
type MoreReviews = (request: ReviewsAsked) => Promise<{ readonly reviews: Review[]; readonly cut: boolean }>

/**
 * Lists show slightly fewer reviews than the place counts, because some are hidden or deleted. A list with a smaller
 * share than this was cut.
 */
const LISTED_SHARE = 0.9

/** The sources for parts of a place that its payload lacks. */
export type More = { readonly reviews: MoreReviews; readonly photos: MorePhotos }

/**
 * Completes a place: adds its images and reviews up to the job's caps. `limited` of the place names the wanted parts of
 * which the site held something back.
 * @param missing the parts that its payload lacks
 */
export async function finishPlace(
  task: TaskContext,
  place: Place,
  { photos: shown, photo_count: count }: Pick<PlaceExtra, 'photos' | 'photo_count'>,
  missing: readonly MissingPart[],
  more: More,
): Promise<Place> {
  const { bare, images: tabs, inline } = split(place)
  const { max_images, max_reviews } = task.parameters
  const [images, reviews] = await Promise.all([
    imagesOf({ tabs, shown, count }, max_images, more.photos),
    max_reviews > 0 ? collectReviews(task, place, inline, more.reviews) : { lists: {}, isLimited: false },
  ])
  const isLimited: Record<LimitedPart, boolean> = {
    reviews: reviews.isLimited,
    images: images.isLimited,
    details: missing.some((part) => part !== 'reviews'),
  }
  const limited = LIMITED_PARTS.filter((part) => isLimited[part])
  return { ...bare, ...images.part, ...reviews.lists, ...(limited.length > 0 ? { limited } : {}) }
}

/** The most reviews of a place that are read while those with other ratings are passed over. */
const MOST_READ = 2_000

async function collectReviews(
  { parameters }: Pick<TaskContext, 'parameters'>,
  place: Place,
  inline: readonly Review[],
  more: MoreReviews,
): Promise<{ lists: Pick<Place, 'user_reviews' | 'user_reviews_extended'>; isLimited: boolean }> {
  const { max_reviews, reviews_sort } = parameters
  const onPage = wantedReviews(inline, parameters).slice(0, max_reviews)
  // The page shows the most relevant ones, so they do not belong to the best or the worst.
  const shown = reviews_sort === 'highest' || reviews_sort === 'lowest' ? [] : onPage
  const known = new Set(shown.map(({ id }) => id))
  const others = (reviews: readonly Review[]) => wantedReviews(reviews, parameters).filter(({ id }) => !known.has(id))
  const count = countOf(place, parameters)
  const expected = Math.min(max_reviews, count ?? place.review_count ?? max_reviews)
  const missing = expected - shown.length
  const unknown = place.rating === undefined && place.review_count === undefined
  if (missing <= 0 || unknown) return { lists: withReviews(shown, []), isLimited: false }
  const least = count === undefined ? 0 : expected * LISTED_SHARE
  const { reviews, cut } = await more({
    enough: (found) => found.length >= MOST_READ || others(found).length >= missing,
    ends: (last) => endsWanted(last, parameters),
    tooFew: (found) => found.length < MOST_READ && shown.length + others(found).length < least,
  })
  const extended = others(reviews).slice(0, max_reviews - shown.length)
  return { lists: extended.length > 0 ? withReviews(shown, extended) : withReviews(onPage, []), isLimited: cut }
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

const withReviews = (shown: Review[], extended: Review[]) => ({
  ...(shown.length > 0 ? { user_reviews: shown } : {}),
  ...(extended.length > 0 ? { user_reviews_extended: extended } : {}),
})

/** Reads more photos than the page shows, until `enough`. `cut`: the site held some back. */
type MorePhotos = (
  enough: (photos: readonly Photo[]) => boolean,
) => Promise<{ readonly photos: readonly Photo[]; readonly cut: boolean }>

/** The photos in a place payload: one per tab, the single ones, and the total number. */
type KnownPhotos = {
  readonly tabs: readonly Image[]
  readonly shown: readonly Photo[]
  readonly count: number | undefined
}

/**
 * Returns at most `most` images of a place, each once and at full size: first those of its tabs, then those shown, and
 * if more are needed and exist, those of its gallery.
 */
async function imagesOf(
  known: KnownPhotos,
  most: number,
  more: MorePhotos,
): Promise<{ part: Pick<Place, 'images'>; isLimited: boolean }> {
  if (most === 0) return { part: {}, isLimited: false }
  const images = new Map<string, Image>()
  let isLimited = false
  const add = (batch: readonly Image[]) => {
    for (const image of batch) {
      const source = withoutSize(image.url)
      if (!images.has(source)) images.set(source, { ...image, url: atFullSize(image.url) })
    }
  }
  add([...known.tabs, ...imagesFrom(known.shown)])
  if (images.size < most && images.size < (known.count ?? 0)) {
    const wanted = most - images.size
    const gallery = await more((photos) => photos.filter(({ url }) => !images.has(withoutSize(url))).length >= wanted)
    isLimited = gallery.cut
    add(imagesFrom(gallery.photos))
  }
  const collected = [...images.values()].slice(0, most)
  return { part: collected.length > 0 ? { images: collected } : {}, isLimited }
}

const imagesFrom = (photos: readonly Photo[]) => photos.filter(({ kind }) => kind !== 'street_view').map(photoImage)

// The same photo occurs in a tab, among those shown and in the gallery, in several sizes: the part after the last "=".
const SIZE = /=[whs]\d+(-[a-z0-9]+)*$/

const withoutSize = (url: string) => url.replace(SIZE, '')

/** Returns the URL of the image in its original size. The URL contains the size; `s0` is the original. */
const atFullSize = (url: string) => url.replace(SIZE, '=s0')

/** Fetches the reviews and photos of a place that its payload lacks. */
export const moreOf = (task: TaskContext, place: PlaceUrl): More => ({
  reviews: reviewsOf(task, place),
  photos: photosOf(task, place),
})

/**
 * Pages through the reviews of a place. A list that the site does not return is `cut`. Throws MapFailed when the site
 * refuses the exit.
 */
function reviewsOf(task: TaskContext, place: PlaceUrl): MoreReviews {
  const { base, parameters, drift, log } = task
  const locale = { language: parameters.language, country: parameters.country }
  return async ({ tooFew, ...until }) => {
    const wanted: ReviewsWanted = { base, place, locale, order: parameters.reviews_sort, ...until }
    try {
      const { answer, limited } = await ask<ReviewsFound>(task, {
        door: 'reviews',
        async byHttp(session) {
          const list = await reviewsByHttp(session, wanted)
          drift.reviewed(list.reviews)
          return list
        },
        inBrowser: (tab) => reviewsInBrowser(tab, wanted),
        // Lists of a signed-out client may end after 8 or 18 reviews, as if there were no more.
        missing: ({ reviews, complete }) => (complete && !tooFew(reviews) ? 0 : 1),
        verdictOn: ({ reviews }) => (reviews.length > 0 ? 'whole' : 'doubtful_empty'),
        isEmpty: ({ reviews, complete }) => !complete && reviews.length === 0,
      })
      return { reviews: answer.reviews, cut: limited }
    } catch (error) {
      if (!(error instanceof MapFailed) || isRefusal(error.fault)) throw error
      log.info({ place_key: place.place_key, fault: error.fault }, 'could not read the reviews of a place')
      return { reviews: [], cut: true }
    }
  }
}

/**
 * Pages through the gallery of a place. The site serves it only to its own pages, never over plain HTTP. Throws like
 * `reviewsOf`.
 */
function photosOf(task: TaskContext, place: PlaceUrl): MorePhotos {
  const { base, parameters, log, choice } = task
  const locale = { language: parameters.language, country: parameters.country }
  return async (enough) => {
    if (choice === 'http') return { photos: [], cut: true }
    try {
      const { answer, limited } = await ask<PhotosFound>(task, {
        door: 'photos',
        inBrowser: (tab) => photosInBrowser(tab, { base, place, locale, enough }),
        missing: ({ complete }) => (complete ? 0 : 1),
        verdictOn: ({ photos }) => (photos.length > 0 ? 'whole' : 'doubtful_empty'),
        isEmpty: ({ photos, complete }) => !complete && photos.length === 0,
      })
      return { photos: answer.photos, cut: limited }
    } catch (error) {
      if (!(error instanceof MapFailed) || isRefusal(error.fault)) throw error
      log.info({ place_key: place.place_key, fault: error.fault }, 'could not read the photos of a place')
      return { photos: [], cut: true }
    }
  }
}
