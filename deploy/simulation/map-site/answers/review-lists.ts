import { REVIEW_ORDERS, type ReviewOrder } from '../city/reviews.ts'
import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { BadPb, readPb, tokenAt } from '../payload/pb.ts'
import { reviewItem } from '../payload/reviews.ts'
import { type Cell, guarded } from '../payload/row.ts'
import { type Site, viewFor } from '../site.ts'

const LIMITED_REVIEWS = 5
const MOST_A_PAGE = 20

const tokenFor = (offset: number) => `CjEIARIpCgoAP7_LALL8____EhC5-MRQaPp0xsVI7DYAAAAAGgn92QoCYMZK_x0YACIA:${offset}`

const offsetOf = (token: string) => Number(/:(\d+)$/.exec(token)?.[1] ?? 0)

export interface ReviewPage {
  id: string
  order: ReviewOrder
  size: number
  /** Empty for the first page. */
  token: string
}

/** A page of a place's reviews: `[null, <next token or null>, [item, …]]`. Undefined for an unknown place. */
export function reviewPage(site: Site, exchange: Exchange, page: ReviewPage): Cell | undefined {
  const index = site.city.indexOf(page.id)
  if (index === undefined) return undefined
  const view = viewFor(site, exchange)
  const place = site.city.details(index)
  const all = site.city.reviewDetails(index, page.order, view.now)
  const given = site.options().limited ? all.slice(0, LIMITED_REVIEWS) : all
  const from = offsetOf(page.token)
  const next = from + Math.min(page.size, MOST_A_PAGE)
  return [
    null,
    next < given.length ? tokenFor(next) : null,
    given.slice(from, next).map((review) => reviewItem(place, review, view)),
  ]
}

/** The order that a list's number (1 to 4) stands for. */
export const orderOf = (sort: number): ReviewOrder => REVIEW_ORDERS[sort - 1] ?? 'relevant'

/** Answers `GET /maps/rpc/listugcposts`. */
export function answerReviewList(site: Site, exchange: Exchange): Reply {
  if (site.options().reviewList === 'shut') return jsonReply(guarded([null, null, null, null, null, 1]))
  try {
    const tokens = readPb(exchange.url.searchParams.get('pb') ?? '')
    const page = reviewPage(site, exchange, {
      id: tokenAt(tokens, 1, 1)?.value ?? '',
      size: Number(tokenAt(tokens, 2, 1)?.value ?? 10),
      token: tokenAt(tokens, 2, 2)?.value ?? '',
      order: orderOf(Number(tokenAt(tokens, 13, 1)?.value ?? 1)),
    })
    return page ? jsonReply(guarded(page)) : errorReply(400)
  } catch (error) {
    if (error instanceof BadPb) return errorReply(400)
    throw error
  }
}
