import type { Review } from '@placefleet/shared/review'
import type { ReviewOrder } from '@placefleet/shared/review-options'
import type { Locale } from '../urls/parameters.ts'
import type { PlaceUrl } from '../urls/place-url.ts'
import type { ReviewList } from './payload.ts'

/** Whose reviews, and in which order. */
export type FirstPage = {
  readonly base: URL
  readonly place: PlaceUrl
  readonly locale: Locale
  readonly order: ReviewOrder
}

/** How far a list of reviews is read. */
export type Until = {
  /** Whether these reviews are enough, whatever their order. */
  readonly enough: (reviews: readonly Review[]) => boolean
  /** Whether nothing that is wanted comes after this review in the requested order. */
  readonly ends: (last: Review | undefined) => boolean
}

export type ReviewsWanted = FirstPage & Until

/** Reviews in the requested order. `complete` when `enough` was reached or the list ended. */
export type ReviewsFound = { readonly reviews: Review[]; readonly complete: boolean }

/** An address of the site that lists the reviews of a place over plain HTTP. */
export type ReviewDoor = {
  readonly name: 'GetLocalBoqProxy' | 'listugcposts'
  /** The URL of the first page, or of the one after the page that gave `token`. */
  readonly url: (wanted: FirstPage, token?: string) => URL
  readonly parse: (text: string) => ReviewList
  /** How many reviews a page has, except the last one. */
  readonly pageSize: number
}
