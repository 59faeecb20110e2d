import type { PlaceDetails } from '../city/details.ts'
import { photoUrl, videoUrl } from '../city/photos.ts'
import type { ReviewDetails } from '../city/reviews.ts'
import { wordsOf } from '../language/choose.ts'
import { authorLink, contributorLink, REVIEW_PICTURE, reviewAge, SERVICE_QUESTION } from '../truth.ts'
import { agoWords, type View } from '../view.ts'
import { type Cell, row } from './row.ts'
import { clickId } from './tracking.ts'

/** Returns the id by which reviews name their place. */
export const lowHalf = (place: PlaceDetails) => `0x0:0x${place.ids.dataId.split(':0x')[1]}`

const authorWords = (review: ReviewDetails, view: View) =>
  `Local Guide · ${view.words.reviewCount(review.authorReviews)}`

const authorCell = (review: ReviewDetails, view: View): Cell => {
  const link = authorLink(review, view)
  if (!review.authorId) return row({ 2: [link, review.author, review.picture] })
  const listed = `${contributorLink(review.authorId)}/reviews?hl=${view.hl}`
  const author = row({
    0: review.author,
    1: review.picture,
    2: [link],
    3: review.authorId,
    5: review.authorReviews,
    6: 3,
    8: [0, 2, 1],
    9: 0,
    10: [authorWords(review, view)],
  })
  return [null, null, [listed], null, null, author]
}

const writtenCell = (place: PlaceDetails, review: ReviewDetails, view: View): Cell => {
  const source: Cell = [
    review.source,
    'https://www.gstatic.com/images/branding/product/1x/googleg_48dp.png',
    null,
    null,
    5,
  ]
  return row({
    0: lowHalf(place),
    2: review.published,
    3: review.edited,
    4: authorCell(review, view),
    6: reviewAge(review, view),
    13: source,
    15: 1,
  })
}

const pictureCells = (place: PlaceDetails, review: ReviewDetails): Cell | undefined => {
  if (review.photos.length === 0) return undefined
  return review.photos.map((photo): Cell[] => {
    const report = `//www.google.com/local/imagery/report/?cb_client=maps_sv.tactile&image_key=!1e10!2s${photo.id}`
    const more = row({ 2: [10, 3, [photo.height, photo.width]], 7: [report] })
    const sizes: Cell = [[640, 360, null, videoUrl(photo)]]
    return [
      photo.id,
      row({
        0: photo.id,
        1: 10,
        2: 12,
        6: [photoUrl(photo, REVIEW_PICTURE)],
        10: clickId(place.index, 51),
        11: [report],
        21: more,
        22: photo.kind === 'video' ? 0 : 1,
        26: photo.kind === 'video' ? [null, sizes] : undefined,
      }),
      photo.id,
      1,
    ]
  })
}

/** Returns the reviewer's answers to questions of the site. */
export const answerCells = (place: PlaceDetails, review: ReviewDetails): Cell[] => {
  const { id, name } = SERVICE_QUESTION
  return [[[id], name, null, null, null, name, 1, clickId(place.index, 52), null, null, null, [review.stars]]]
}

/** Returns the text as its author wrote it. Undefined for a rating without text. */
export const originalOf = (review: ReviewDetails) =>
  review.praise !== undefined ? (wordsOf(review.language).praise[review.praise] ?? '') : undefined

const languageCell = (review: ReviewDetails, view: View): Cell => {
  const names = view.words.languageNames
  if (review.language === view.language) return [review.language]
  return [review.language, view.language, names[review.language], names[view.language], 1]
}

const contentCell = (place: PlaceDetails, review: ReviewDetails, view: View): Cell => {
  const original = originalOf(review)
  const translated =
    original !== undefined && review.language !== view.language
      ? (view.words.praise[review.praise ?? 0] ?? '')
      : undefined
  const foreign = review.source !== 'Google'
  return row({
    0: foreign ? undefined : [review.stars],
    2: pictureCells(place, review),
    6: answerCells(place, review),
    8: foreign ? [null, review.stars] : undefined,
    14: original === undefined ? undefined : languageCell(review, view),
    15:
      original === undefined
        ? undefined
        : [[original, null, [0, 185]], ...(translated === undefined ? [] : [[translated, null, [0, 147]]])],
  })
}

// Without a reply the member contains links for the owner to write one.
const replyCell = (place: PlaceDetails, review: ReviewDetails, view: View): Cell => {
  const edit: Cell = [null, null, null, `/local/business/${place.ids.listingId}/customers/reviews/reply?p=${review.id}`]
  if (!review.replied) return row({ 6: edit, 8: edit, 11: edit }, 12)
  return row({
    1: review.replied,
    2: review.replied,
    3: agoWords(review.replied, view),
    6: edit,
    8: edit,
    13: [view.language],
    14: [[view.words.thanks, null, [0, 127]]],
  })
}

/** Returns a review without its list envelope: `el` of the payloads. */
function reviewElement(place: PlaceDetails, review: ReviewDetails, view: View): Cell[] {
  const link = `https://www.google.com/maps/reviews/data=!4m8!14m7!1m6!2m5!1s${review.id}!2m1!1s${lowHalf(place)}?hl=${view.hl}`
  return [
    review.id,
    writtenCell(place, review, view),
    contentCell(place, review, view),
    replyCell(place, review, view),
    [null, 0, null, [link], [`https://www.google.com/local/review/rap/report?postId=${review.id}`]],
  ]
}

/** Returns a member of a list of reviews. */
export const reviewItem = (place: PlaceDetails, review: ReviewDetails, view: View): Cell[] => [
  reviewElement(place, review, view),
]
