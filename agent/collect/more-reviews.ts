import { reviewsInBrowser } from '../maps/reviews/browser.ts'
import { reviewsByHttp } from '../maps/reviews/http.ts'
import { MapFailed } from '../maps/session/fault.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'
import type { MoreReviews } from './finish-place.ts'
import type { TaskContext } from './task-context.ts'

/** How the reviews of a place are paged for; a list that the site refuses is `cut` to nothing. */
export function reviewsOf(task: TaskContext, place: PlaceUrl): MoreReviews {
  const { base, ladder, parameters, log } = task
  const locale = { language: parameters.language }
  return async (enough) => {
    try {
      const { answer, limited } = await ladder.climb({
        subject: 'reviews',
        byHttp: (session) => reviewsByHttp(session, base, place.place_key, locale, enough),
        inBrowser: (page) => reviewsInBrowser(page, base, place, locale, enough),
        gaps: ({ complete }) => (complete ? 0 : 1),
        proves: () => false, // one list that was given says nothing of the next
      })
      return { reviews: answer.reviews, cut: limited }
    } catch (error) {
      if (!(error instanceof MapFailed)) throw error
      log.info({ place_key: place.place_key, fault: error.fault }, 'the reviews of a place were not given')
      return { reviews: [], cut: true }
    }
  }
}
