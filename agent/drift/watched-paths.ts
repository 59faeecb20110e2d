import type { Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'

/** A field of a place or a review, its path in the payload, and the least share of them that have it. */
export type WatchedPath<Item = Place> = {
  readonly field: keyof Item & string
  readonly path: string
  readonly least: number
}

/** For fields that every place has. Below this share the answers are at fault, not the places. */
const ALWAYS = 0.9
/** For fields that some of any hundred places have, for every keyword. */
const SOMETIMES = 0.02

/**
 * The paths of a place payload. One place without hours is normal; a hundred without hours show a new layout. Fields
 * that a hundred places of one kind may lack, such as dishes and prices of services, tell nothing and are not watched.
 */
export const PLACE_PATHS: readonly WatchedPath[] = [
  { field: 'title', path: 'place[6][11]', least: ALWAYS },
  { field: 'place_key', path: 'place[6][10]', least: ALWAYS },
  { field: 'latitude', path: 'place[6][9][2]', least: ALWAYS },
  { field: 'longitude', path: 'place[6][9][3]', least: ALWAYS },
  { field: 'category', path: 'place[6][13][0]', least: 0.3 },
  { field: 'address', path: 'place[6][39]', least: 0.1 },
  { field: 'complete_address', path: 'place[6][183][1]', least: 0.1 },
  { field: 'phone', path: 'place[6][178][0][0]', least: SOMETIMES },
  { field: 'website', path: 'place[6][7][0]', least: SOMETIMES },
  { field: 'rating', path: 'place[6][4][7]', least: SOMETIMES },
  { field: 'review_count', path: 'place[6][4][8]', least: SOMETIMES },
  { field: 'reviews_per_rating', path: 'place[6][175][3]', least: SOMETIMES },
  { field: 'user_reviews', path: 'place[6][175][9][0][0]', least: SOMETIMES },
  { field: 'open_hours', path: 'place[6][203][0]', least: SOMETIMES },
  { field: 'status', path: 'place[6][203][1][4][0]', least: SOMETIMES },
  { field: 'about', path: 'place[6][100][1]', least: SOMETIMES },
  { field: 'images', path: 'place[6][171][0]', least: SOMETIMES },
  { field: 'thumbnail', path: 'place[6][72][0][1][6][0]', least: SOMETIMES },
  { field: 'owner', path: 'place[6][57]', least: SOMETIMES },
  { field: 'claimed', path: 'place[6][57], place[6][49]', least: SOMETIMES },
  { field: 'also_searched', path: 'place[6][99][0][0][1]', least: SOMETIMES },
  { field: 'review_topics', path: 'place[6][153][0]', least: SOMETIMES },
  { field: 'plus_code', path: 'place[6][183][2]', least: SOMETIMES },
  { field: 'timezone', path: 'place[6][30]', least: SOMETIMES },
]

/** The paths of a search payload, below the node of each result. */
export const SEARCH_PATHS: readonly WatchedPath[] = [
  { field: 'title', path: 'search[0][1][i][14][11]', least: ALWAYS },
  { field: 'place_key', path: 'search[0][1][i][14][10]', least: ALWAYS },
  { field: 'latitude', path: 'search[0][1][i][14][9][2]', least: ALWAYS },
  { field: 'longitude', path: 'search[0][1][i][14][9][3]', least: ALWAYS },
  { field: 'category', path: 'search[0][1][i][14][13][0]', least: 0.3 },
  { field: 'website', path: 'search[0][1][i][14][7][0]', least: SOMETIMES },
  { field: 'rating', path: 'search[0][1][i][14][4][7]', least: SOMETIMES },
]

/** Every review has these, but those from other sites may lack one. */
const MOSTLY = 0.5

/** The paths of the reviews in a place payload. */
export const INLINE_REVIEW_PATHS: readonly WatchedPath<Review>[] = [
  { field: 'author', path: 'place[6][175][9][0][0][i][0][1][4][5][0]', least: MOSTLY },
  { field: 'rating', path: 'place[6][175][9][0][0][i][0][2][0][0]', least: MOSTLY },
  { field: 'text', path: 'place[6][175][9][0][0][i][0][2][15][0][0]', least: SOMETIMES },
  { field: 'published_at', path: 'place[6][175][9][0][0][i][0][1][2]', least: MOSTLY },
]

/** The parts of the records of a list of reviews. They have no index, because records vary in length. */
export const LISTED_REVIEW_PATHS: readonly WatchedPath<Review>[] = [
  { field: 'author', path: 'reviews[1][10][2][i] author', least: MOSTLY },
  { field: 'rating', path: 'reviews[1][10][2][i] rating', least: MOSTLY },
  { field: 'text', path: 'reviews[1][10][2][i] text', least: SOMETIMES },
  { field: 'published_at', path: 'reviews[1][10][2][i] published_at', least: MOSTLY },
]

/** Returns whether every place has this field. */
export const isEssential = ({ least }: Pick<WatchedPath, 'least'>): boolean => least >= ALWAYS
