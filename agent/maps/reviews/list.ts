import type { Review } from '@placefleet/shared/place'
import { batchMessage, parseList } from '../answers/body.ts'
import { getAt, listAt, type Node, textAt } from '../answers/index-path.ts'
import { distinct } from './inline.ts'
import { readReview, tokenAfter } from './payload.ts'

/** A page of reviews. `refused`: the site answered in form but gave nothing, as it does to clients it does not like. */
export interface ReviewList {
  state: 'listed' | 'refused' | 'malformed'
  reviews: Review[]
  next_token?: string
}

const PROCEDURE = '/MapsUgcPostService.ListUgcPosts'

/**
 * Reads an answer with reviews: a `listugcposts` body, the answer of the page's own batchexecute request, or a list of
 * items alone. The last page has no `next_token`. `now` in milliseconds; reviews from the future lose their time.
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

// [null, token, items]; an older form has the items first; else the body is the list of items.
function itemsOf(envelope: Node): Node | undefined {
  if (Array.isArray(envelope[2])) return isItem(envelope[0]) ? envelope : listAt(envelope, 2)
  if (isItem(envelope[0])) return envelope
  if (Array.isArray(envelope[0]) && (envelope[0].length === 0 || isItem(envelope[0][0]))) return envelope[0]
  return undefined
}

// An item is a list that begins with the review, which begins with its id; or the review itself.
function isItem(member: unknown): boolean {
  return textAt(member, 0, 0) !== undefined || (textAt(member, 0) !== undefined && Array.isArray(getAt(member, 1)))
}

// [null,null,null,null,null,1] is the refusal; a missing list with a token or other content is something unknown.
function stateWithoutItems(envelope: Node): 'refused' | 'malformed' {
  const content = envelope.filter((member) => member !== null && member !== 1)
  return content.length === 0 ? 'refused' : 'malformed'
}
