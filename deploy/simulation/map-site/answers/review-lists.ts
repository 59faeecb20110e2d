import type { PlaceDetails } from '../city/details.ts'
import { REVIEW_ORDERS, type ReviewDetails, type ReviewOrder } from '../city/reviews.ts'
import type { Exchange } from '../exchange.ts'
import { reviewItem } from '../payload/reviews.ts'
import { type Cell, row } from '../payload/row.ts'
import { chance } from '../random.ts'
import { type Site, viewFor } from '../site.ts'
import type { View } from '../view.ts'

const LIMITED_REVIEWS = 5
const MOST_A_PAGE = 20

const tokenFor = (offset: number) => `CjEIARIpCgoAP7_LALL8____EhC5-MRQaPp0xsVI7DYAAAAAGgn92QoCYMZK_x0YACIA:${offset}`

const offsetOf = (token: string) => Number(/:(\d+)$/.exec(token)?.[1] ?? 0)

interface ReviewPage {
  id: string
  order: ReviewOrder
  size: number
  mostAPage: number
  /** The token; empty for the first page. */
  token: string
}

/** A page of a place's reviews. `next` is the token of the page after it. */
interface ReviewsOfPage {
  place: PlaceDetails
  view: View
  reviews: ReviewDetails[]
  next: string | null
}

const TOKEN_SALT = 9501

function mostReviews(site: Site): number {
  const { limited, reviewsCut } = site.options()
  return Math.min(limited ? LIMITED_REVIEWS : Number.POSITIVE_INFINITY, reviewsCut ?? Number.POSITIVE_INFINITY)
}

/** Returns a page of a place's reviews. Undefined for an unknown place. */
export function reviewsOfPage(site: Site, exchange: Exchange, page: ReviewPage): ReviewsOfPage | undefined {
  const index = site.city.indexOf(page.id)
  if (index === undefined) return undefined
  const view = viewFor(site, exchange)
  const reviews = site.city.reviewDetails(index, page.order, view.now).slice(0, mostReviews(site))
  const from = offsetOf(page.token)
  const to = from + Math.min(page.size, page.mostAPage)
  const loses = chance(site.city.seed, exchange.nth, TOKEN_SALT).happens(site.options().missingTokens)
  const next = to < reviews.length && !loses ? tokenFor(to) : null
  return { place: site.city.details(index), view, reviews: reviews.slice(from, to), next }
}

/** Returns a page as the map's own lists have it: `[null, <next token or null>, [item, …]]`. */
export function reviewPage(site: Site, exchange: Exchange, page: Omit<ReviewPage, 'mostAPage'>): Cell | undefined {
  const list = reviewsOfPage(site, exchange, { ...page, mostAPage: MOST_A_PAGE })
  if (!list) return undefined
  const { place, view, reviews, next } = list
  return row({
    1: next,
    2: reviews.map((review) => reviewItem(place, review, view)),
  })
}

/** The sort order of each list number (1 to 4). */
export const orderOf = (sort: number): ReviewOrder => REVIEW_ORDERS[sort - 1] ?? 'relevant'
