import type { Place, Review } from '@placefleet/shared/place'
import { filled } from '../answers/fit.ts'
import { listAt, type Node } from '../answers/index-path.ts'
import { readFlatReview, readReview } from './payload.ts'

const MAX_REVIEWS = 500

/** The reviews a place payload holds itself (8 of them), newest vintage of their place in it first. */
export function readInlineReviews(node: unknown, now: number): Pick<Place, 'user_reviews'> {
  const found = [
    distinct(listAt(node, 175, 9, 0, 0), (member) => readReview(member, now)),
    distinct(listAt(node, 175, 0, 0), (member) => readReview(member, now)),
    distinct(listAt(node, 52, 0), (record) => readFlatReview(record, now)),
  ]
  return { user_reviews: filled(found.find((reviews) => reviews.length > 0) ?? [], MAX_REVIEWS) }
}

/** The reviews of a list, each once, in its order. */
export function distinct(members: Node, read: (member: unknown) => Review | undefined): Review[] {
  const reviews = members.map(read).filter((review) => review !== undefined)
  return [...new Map(reviews.map((review) => [review.id, review])).values()]
}
