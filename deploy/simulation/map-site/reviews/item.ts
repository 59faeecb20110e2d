import type { Review } from '@placefleet/shared/review'
import { photoUrl, videoUrl } from '../city/photos.ts'
import { type Cell, row } from '../payload/row.ts'
import { clickId } from '../payload/tracking.ts'
import type { PlaceDetails } from '../place/details.ts'
import { filled } from '../place/facet.ts'
import { contributorLink, SITE } from '../place/identity.ts'
import { agoWords, type View } from '../view.ts'
import type { ReviewDetails } from './reviews.ts'

const PICTURE = 'w150-h150-k-no-p'

/** Returns the id by which reviews name their place. */
const lowHalf = (place: PlaceDetails) => `0x0:0x${place.ids.dataId.split(':0x')[1]}`

/** Returns the URL of a review's page. */
export const reviewLink = (place: PlaceDetails, { id }: ReviewDetails, { hl }: View) =>
  `${SITE}/maps/reviews/data=!4m8!14m7!1m6!2m5!1s${id}!2m1!1s${lowHalf(place)}?hl=${hl}`

/** Returns the age of a review since it was written or last edited, in words. */
export const reviewAge = ({ published, edited }: ReviewDetails, view: View) =>
  `${edited === published ? '' : view.words.edited}${agoWords(edited, view)}`

/** Returns the URL of a review's author, on the site that the review comes from. `list`: the page of all reviews. */
export const authorLink = ({ authorId }: ReviewDetails, { hl }: View, list = '') =>
  authorId ? `${contributorLink(authorId)}${list}?hl=${hl}` : 'https://www.tripadvisor.com/members/traveller'

/** Returns the translation of a review in another language than that of the page. */
export const translationOf = ({ praise, language }: ReviewDetails, view: View): string | undefined =>
  praise === undefined || language === view.language ? undefined : view.words.praise[praise]

/** The question of the site that every reviewer of the city answered, with as many stars as the place got. */
const SERVICE = { id: 'GUIDED_DINING_SERVICE_ASPECT', name: 'Service' } as const

/** Returns the reviewer's answers to questions of the site. */
export const answerCells = (place: PlaceDetails, { stars }: ReviewDetails): Cell => {
  const { id, name } = SERVICE
  return [[[id], name, null, null, null, name, 1, clickId(place.index, 52), null, null, null, [stars]]]
}

/** Returns a member of a list of reviews. */
export function reviewItem(place: PlaceDetails, review: ReviewDetails, view: View): Cell {
  const report = `${SITE}/local/review/rap/report?postId=${review.id}`
  return [
    [
      review.id,
      writtenCell(place, review, view),
      contentCell(place, review, view),
      replyCell(place, review, view),
      [null, 0, null, [reviewLink(place, review, view)], [report]],
    ],
  ]
}

const writtenCell = (place: PlaceDetails, review: ReviewDetails, view: View): Cell => {
  const logo = 'https://www.gstatic.com/images/branding/product/1x/googleg_48dp.png'
  return row({
    0: lowHalf(place),
    2: review.published,
    3: review.edited,
    4: authorCell(review, view),
    6: reviewAge(review, view),
    13: [review.source, logo, null, null, 5],
    15: 1,
  })
}

const authorCell = (review: ReviewDetails, view: View): Cell => {
  const link = authorLink(review, view)
  if (!review.authorId) return row({ 2: [link, review.author, review.picture] })
  const author = row({
    0: review.author,
    1: review.picture,
    2: [link],
    3: review.authorId,
    5: review.authorReviews,
    6: 3,
    10: [`Local Guide · ${view.words.reviewCount(review.authorReviews)}`],
  })
  return [null, null, [authorLink(review, view, '/reviews')], null, null, author]
}

const contentCell = (place: PlaceDetails, review: ReviewDetails, view: View): Cell => {
  const { original, stars, language } = review
  const translation = translationOf(review, view)
  const isForeign = review.authorId === undefined
  const names = view.words.languageNames
  const languages = [language, view.language, names[language], names[view.language], 1]
  const texts = [[original ?? '', null, [0, 185]], ...(translation ? [[translation, null, [0, 147]]] : [])]
  return row({
    0: isForeign ? undefined : [stars],
    2: filled(review.photos.map((photo) => pictureCell(place, photo))),
    6: answerCells(place, review),
    8: isForeign ? [null, stars] : undefined,
    14: original && (translation ? languages : [language]),
    15: original && texts,
  })
}

const pictureCell = (place: PlaceDetails, photo: ReviewDetails['photos'][number]): Cell => {
  const report = `//www.google.com/local/imagery/report/?cb_client=maps_sv.tactile&image_key=!1e10!2s${photo.id}`
  const isVideo = photo.kind === 'video'
  const record = row({
    0: photo.id,
    1: 10,
    2: 12,
    6: [photoUrl(photo, PICTURE)],
    10: clickId(place.index, 51),
    11: [report],
    21: row({ 2: [10, 3, [photo.height, photo.width]], 7: [report] }),
    22: isVideo ? 0 : 1,
    26: isVideo ? [null, [[640, 360, null, videoUrl(photo)]]] : undefined,
  })
  return [photo.id, record, photo.id, 1]
}

// Without a reply the member contains links for the owner to write one.
const replyCell = ({ ids }: PlaceDetails, { id, replied }: ReviewDetails, view: View): Cell => {
  const edit: Cell = [null, null, null, `/local/business/${ids.listingId}/customers/reviews/reply?p=${id}`]
  if (!replied) return row({ 6: edit, 8: edit, 11: edit }, 12)
  return row({
    1: replied,
    2: replied,
    3: agoWords(replied, view),
    6: edit,
    8: edit,
    13: [view.language],
    14: [[view.words.thanks, null, [0, 127]]],
  })
}

const iso = (micros: number) => new Date(Math.floor(micros / 1000)).toISOString()

/** Returns what a correct collection reports for a review. */
export function reviewTruth(review: ReviewDetails, view: View): Review {
  const { original, stars, photos, replied } = review
  const translation = translationOf(review, view)
  const images = filled(photos.map((photo) => photoUrl(photo, PICTURE)))
  const videos = filled(photos.filter(({ kind }) => kind === 'video').map(videoUrl))
  return {
    id: review.id,
    author: review.author,
    author_url: authorLink(review, view),
    profile_picture: review.picture,
    rating: stars,
    ...(original ? { text: translation ?? original, language: review.language } : {}),
    ...(translation ? { text_original: original } : {}),
    published_at: iso(review.published),
    relative_time: reviewAge(review, view),
    ...(images ? { images } : {}),
    ...(videos ? { videos } : {}),
    answers: [{ ...SERVICE, rating: stars }],
    ...(replied ? { reply: { text: view.words.thanks, published_at: iso(replied) } } : {}),
  }
}
