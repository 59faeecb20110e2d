import type { Exchange } from '../exchange.ts'
import { REVIEW_ORDERS } from '../reviews/reviews.ts'
import { happens, type Site } from '../site.ts'

const LIMITED_REVIEWS = 5
const TOKEN_SALT = 9501

const tokenFor = (offset: number) => `CjEIARIpCgoAP7_LALL8____EhC5-MRQaPp0xsVI7DYAAAAAGgn92QoCYMZK_x0YACIA:${offset}`

const offsetOf = (token: string) => Number(/:(\d+)$/.exec(token)?.[1] ?? 0)

interface ReviewPage {
  id: string
  /** The number of the order in requests, from 1. */
  order: number
  size: number
  /** The token; empty for the first page. */
  token: string
}

/** Returns a page of a place's reviews, with the token of the next one. Undefined for an unknown place. */
export function reviewsOfPage(site: Site, exchange: Exchange, page: ReviewPage) {
  const { limited, reviewsCut, missingTokens } = site.options()
  const index = site.city.indexOf(page.id)
  if (index === undefined) return undefined
  const most = Math.min(limited ? LIMITED_REVIEWS : Number.POSITIVE_INFINITY, reviewsCut ?? Number.POSITIVE_INFINITY)
  const reviews = site.city.reviewDetails(index, REVIEW_ORDERS[page.order - 1] ?? 'relevant').slice(0, most)
  const from = offsetOf(page.token)
  const to = from + page.size
  const isLast = to >= reviews.length || happens(site, exchange, missingTokens, TOKEN_SALT)
  return { place: site.city.details(index), reviews: reviews.slice(from, to), next: isLast ? null : tokenFor(to) }
}
