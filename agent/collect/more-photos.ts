import { type PhotosFound, photosInBrowser } from '../maps/photos/browser.ts'
import { MapFailed } from '../maps/session/fault.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import type { MorePhotos } from './images.ts'
import type { TaskContext } from './task-context.ts'

const NOT_GIVEN: PhotosFound = { photos: [], complete: false }

/** How the gallery of a place is paged through. Plain HTTP is never given it. */
export function photosOf(task: TaskContext, place: PlaceUrl): MorePhotos {
  const { base, ladder, parameters, log } = task
  const locale = { language: parameters.language }
  return async (enough) => {
    try {
      const { answer } = await ladder.climb<PhotosFound>({
        subject: 'photos',
        byHttp: async () => NOT_GIVEN,
        inBrowser: (page) => photosInBrowser(page, base, place, locale, enough),
        gaps: ({ complete }) => (complete ? 0 : 1),
        proves: () => false,
      })
      return answer.photos
    } catch (error) {
      if (!(error instanceof MapFailed)) throw error
      log.info({ place_key: place.place_key, fault: error.fault }, 'the photos of a place were not given')
      return []
    }
  }
}
