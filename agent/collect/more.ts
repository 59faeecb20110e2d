import { type PhotosFound, photosInBrowser } from '../maps/photos/browser.ts'
import { reviewsInBrowser } from '../maps/reviews/browser.ts'
import { reviewsByHttp } from '../maps/reviews/http.ts'
import { MapFailed } from '../maps/session/fault.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import type { More, MoreReviews } from './finish-place.ts'
import type { MorePhotos } from './images.ts'
import type { TaskContext } from './task-context.ts'

/** Fetches the reviews and photos of a place that its payload leaves out. */
export const moreOf = (task: TaskContext, place: PlaceUrl): More => ({
  reviews: reviewsOf(task, place),
  photos: photosOf(task, place),
})

/** Pages through the reviews of a place. A refused list gives no reviews and is `cut`. */
function reviewsOf(task: TaskContext, place: PlaceUrl): MoreReviews {
  const { base, ladder, parameters, log } = task
  const locale = { language: parameters.language, country: parameters.country }
  return async (enough) => {
    try {
      const { answer, limited } = await ladder.climb({
        subject: 'reviews',
        byHttp: (session) => reviewsByHttp(session, base, place.place_key, locale, enough),
        inBrowser: (page) => reviewsInBrowser(page, base, place, locale, enough),
        gaps: ({ complete }) => (complete ? 0 : 1),
        proves: () => false, // a complete list says nothing about the next one
      })
      return { reviews: answer.reviews, cut: limited }
    } catch (error) {
      if (!(error instanceof MapFailed)) throw error
      log.info({ place_key: place.place_key, fault: error.fault }, 'could not read the reviews of a place')
      return { reviews: [], cut: true }
    }
  }
}

const NO_PHOTOS: PhotosFound = { photos: [], complete: false }

/** Pages through the gallery of a place. The site serves it to its own page only, never to plain HTTP. */
function photosOf(task: TaskContext, place: PlaceUrl): MorePhotos {
  const { base, ladder, parameters, log } = task
  const locale = { language: parameters.language, country: parameters.country }
  return async (enough) => {
    try {
      const { answer } = await ladder.climb<PhotosFound>({
        subject: 'photos',
        byHttp: async () => NO_PHOTOS,
        inBrowser: (page) => photosInBrowser(page, base, place, locale, enough),
        gaps: ({ complete }) => (complete ? 0 : 1),
        proves: () => false,
      })
      return answer.photos
    } catch (error) {
      if (!(error instanceof MapFailed)) throw error
      log.info({ place_key: place.place_key, fault: error.fault }, 'could not read the photos of a place')
      return []
    }
  }
}
