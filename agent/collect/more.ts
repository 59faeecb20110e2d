import type { PlaceUrl } from '../maps/urls/place-url.ts'
import type { More } from './finish-place.ts'
import { photosOf } from './more-photos.ts'
import { reviewsOf } from './more-reviews.ts'
import type { TaskContext } from './task-context.ts'

/** Where the map site has more of a place than one payload holds. */
export const moreOf = (task: TaskContext, place: PlaceUrl): More => ({
  reviews: reviewsOf(task, place),
  photos: photosOf(task, place),
})
