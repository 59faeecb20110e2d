import type { ReviewAnswer } from '@placefleet/shared/review'
import { COLUMNS, type Column } from './columns.ts'
import type { Result } from './schema.ts'

type Row = (number | string | undefined)[]
type Review = Result['user_reviews'][number]

/** The lists of a place that get their own sheets, with the columns that they replace and the heads of the sheets. */
export const LISTS = {
  reviews: {
    columns: ['user_reviews', 'user_reviews_extended'] as readonly Column[],
    head: [
      ...['place_id', 'place_title', 'review_id', 'rating', 'text', 'text_original', 'language', 'author'],
      ...['published_at', 'relative_time', 'reply_text', 'reply_published_at', 'author_url', 'profile_picture'],
      ...['images', 'videos', 'answers'],
    ],
  },
  images: { columns: ['images'] as readonly Column[], head: ['place_id', 'place_title', 'review_id', 'title', 'url'] },
}

/**
 * Returns the chosen columns without the lists, or the id when no column is left: the other sheets refer to it. When
 * none was chosen, the columns are in an order for people.
 */
export function sheetColumns(chosen: readonly Column[]): readonly Column[] {
  const listed = [...LISTS.reviews.columns, ...LISTS.images.columns]
  const left = chosen.filter((name) => !listed.includes(name))
  if (left.length === 0) return ['id']
  return isEachColumn(chosen) ? forPeople(left) : left
}

const isEachColumn = (chosen: readonly Column[]): boolean => chosen.join() === COLUMNS.join()

/** What people look for first. */
const FIRST: readonly Column[] = [
  ...(['title', 'category', 'phone', 'emails', 'website', 'address', 'rating', 'review_count'] as const),
  ...(['web_presence', 'open_hours', 'status', 'closed', 'price_range', 'social_links'] as const),
]
/** What only programs need. */
const LAST: readonly Column[] = ['id', 'user_id', 'job_id', 'place_id', 'data_id', 'cid', 'created_at']

const forPeople = (columns: readonly Column[]): readonly Column[] => {
  const others = columns.filter((name) => !FIRST.includes(name) && !LAST.includes(name))
  return [...FIRST, ...others, ...LAST]
}

/** Returns the reviews of a place from the chosen lists, one per row. */
export function reviewRows(result: Result, columns: readonly Column[]): Row[] {
  const onPage = columns.includes('user_reviews') ? result.user_reviews : []
  const paged = columns.includes('user_reviews_extended') ? (result.user_reviews_extended ?? []) : []
  return [...onPage, ...paged].map((review) => reviewRow(result, review))
}

const reviewRow = ({ id, title }: Result, review: Review): Row => [
  ...[id, title, review.id, review.rating, review.text, review.text_original, review.language, review.author],
  ...[review.published_at, review.relative_time, review.reply?.text, review.reply?.published_at],
  ...[review.author_url, review.profile_picture, review.images.length || undefined],
  ...[review.videos?.join('\n'), review.answers?.map(answerText).join('\n')],
]

const answerText = ({ id, name = id, rating, choices = [] }: ReviewAnswer): string =>
  `${name}: ${rating ?? choices.join(', ')}`

/** Returns the images of a place and of its reviews, one per row. */
export function imageRows(result: Result): Row[] {
  const { id, title, images, user_reviews, user_reviews_extended = [] } = result
  const ofPlace = images.map((image): Row => [id, title, undefined, image.title, image.url])
  const ofReviews = [...user_reviews, ...user_reviews_extended].flatMap((review) =>
    review.images.map((url): Row => [id, title, review.id, undefined, url]),
  )
  return [...ofPlace, ...ofReviews]
}
