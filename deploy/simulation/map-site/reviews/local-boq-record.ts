import { photoUrl, videoUrl } from '../city/photos.ts'
import { type Cell, row } from '../payload/row.ts'
import type { PlaceDetails } from '../place/details.ts'
import { filled } from '../place/facet.ts'
import { SITE } from '../place/identity.ts'
import { agoWords, type View } from '../view.ts'
import { answerCells, authorLink, reviewAge, reviewLink, translationOf } from './item.ts'
import type { ReviewDetails } from './reviews.ts'

const LENGTH = 48
const SHORT = 200

const asHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;').replaceAll('\n', '<br>')

/** Returns a review as a record of GetLocalBoqProxy: texts are HTML, times of reviews in milliseconds. */
export function localBoqRecord(place: PlaceDetails, review: ReviewDetails, view: View): Cell[] {
  const { id, stars, original, replied, author, authorReviews, published } = review
  const translation = translationOf(review, view)
  const shown = asHtml(translation ?? original ?? '') || undefined
  const report = `${SITE}/local/content/rap/report?postId=${id}&t=1`
  const picture = review.picture.replace('=s120-', '=s64-')
  const logo: Cell = [null, null, 'https://www.gstatic.com/images/branding/product/1x/googleg_48dp.png']
  const pictures = review.photos.map((photo): Cell => {
    const video = photo.kind === 'video' ? videoUrl(photo) : null
    const aspect = photo.width / photo.height
    return [photoUrl(photo, 'k-no'), '', report, photo.id, aspect, video, agoWords(published, view)]
  })
  return row(
    {
      1: stars,
      2: [reviewAge(review, view), null, String(Math.floor(published / 1000))],
      3: [author, picture, authorLink(review, view, '/reviews'), authorReviews, 3],
      4: replied && [null, agoWords(replied, view), asHtml(view.words.thanks), null, view.hl],
      5: id,
      10: report,
      12: reviewLink(place, review, view),
      14: filled(pictures),
      26: original && review.language,
      27: shown,
      28: shown?.slice(0, SHORT),
      30: answerCells(place, review),
      32: translation && original ? asHtml(original) : '',
      44: [review.source, logo, null, null, 1],
      45: stars,
      46: 5,
      47: row({ 1: [] }),
    },
    LENGTH,
  )
}
