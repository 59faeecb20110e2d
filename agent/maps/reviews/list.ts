import type { Place, Review } from '@placefleet/shared/place'
import { batchMessage, parseList } from '../answers/body.ts'
import { filled } from '../answers/fit.ts'
import { getAt, listAt, type Node, textAt } from '../answers/index-path.ts'
import { readFlatReview, readReview, tokenAfter } from './payload.ts'

/** A page of reviews. `refused`: a well-formed answer without a list, which the site gives to clients it distrusts. */
export interface ReviewList {
  state: 'listed' | 'refused' | 'malformed'
  reviews: Review[]
  next_token?: string
}

const PROCEDURE = '/MapsUgcPostService.ListUgcPosts'

/**
 * Reads an answer with reviews: a `listugcposts` body, the answer to the page's own batchexecute request, or a bare list
 * of items. The last page has no `next_token`. `now` is in milliseconds; a time in the future is left out.
 */
export function parseReviewList(text: string, { now = Date.now() }: { now?: number } = {}): ReviewList {
  const message = batchMessage(text, PROCEDURE) ?? parseList(text)
  const envelope: Node | undefined = Array.isArray(message) ? message : undefined
  if (envelope === undefined) return { state: 'malformed', reviews: [] }
  const items = itemsOf(envelope)
  if (items === undefined) return { state: stateWithoutItems(envelope), reviews: [] }
  const reviews = distinct(items, (item) => readReview(item, now))
  if (items.length > 0 && reviews.length === 0) return { state: 'malformed', reviews }
  const token = items === envelope ? tokenAfter(items.at(-1)) : textAt(envelope, 1)
  return { state: 'listed', reviews, ...(token === undefined ? {} : { next_token: token }) }
}

// The envelope is [null, token, items]. An older form has the items first; else the body is the list of items.
function itemsOf(envelope: Node): Node | undefined {
  if (Array.isArray(envelope[2])) return isItem(envelope[0]) ? envelope : listAt(envelope, 2)
  if (isItem(envelope[0])) return envelope
  if (Array.isArray(envelope[0]) && (envelope[0].length === 0 || isItem(envelope[0][0]))) return envelope[0]
  return undefined
}

// An item is a list that begins with the review, or the review itself, which begins with its id.
function isItem(member: unknown): boolean {
  return textAt(member, 0, 0) !== undefined || (textAt(member, 0) !== undefined && Array.isArray(getAt(member, 1)))
}

// [null,null,null,null,null,1] is the refusal. A missing list beside a token or other content is unknown.
function stateWithoutItems(envelope: Node): 'refused' | 'malformed' {
  const content = envelope.filter((member) => member !== null && member !== 1)
  return content.length === 0 ? 'refused' : 'malformed'
}

const MAX_REVIEWS = 500

/** The reviews in a place payload (8 of them), from the newest of the indexes at which payloads have held them. */
export function readInlineReviews(node: unknown, now: number): Pick<Place, 'user_reviews'> {
  const found = [
    distinct(listAt(node, 175, 9, 0, 0), (member) => readReview(member, now)),
    distinct(listAt(node, 175, 0, 0), (member) => readReview(member, now)),
    distinct(listAt(node, 52, 0), (record) => readFlatReview(record, now)),
  ]
  return { user_reviews: filled(found.find((reviews) => reviews.length > 0) ?? [], MAX_REVIEWS) }
}

/** The reviews of a list in its order, each once. */
function distinct(members: Node, read: (member: unknown) => Review | undefined): Review[] {
  const reviews = members.map(read).filter((review) => review !== undefined)
  return [...new Map(reviews.map((review) => [review.id, review])).values()]
}
