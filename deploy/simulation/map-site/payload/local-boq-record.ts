import type { PlaceDetails } from '../city/details.ts'
import { photoUrl, videoUrl } from '../city/photos.ts'
import type { ReviewDetails } from '../city/reviews.ts'
import { contributorLink, FOREIGN_AUTHOR, reviewAge } from '../truth.ts'
import { agoWords, type View } from '../view.ts'
import { answerCells, lowHalf, originalOf } from './reviews.ts'
import { type Cell, row } from './row.ts'

const SITE = 'https://www.google.com'
const LENGTH = 48
const SHORT = 200
const STARS = 5

const asHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;').replaceAll('\n', '<br>')

/** Returns a review as a record of GetLocalBoqProxy: texts are HTML, times of reviews in milliseconds. */
export function localBoqRecord(place: PlaceDetails, review: ReviewDetails, view: View): Cell[] {
  const original = originalOf(review)
  const isTranslated = original !== undefined && review.language !== view.language
  const shown = asHtml((isTranslated ? view.words.praise[review.praise ?? 0] : original) ?? '')
  const report = `${SITE}/local/content/rap/report?postId=${review.id}&t=1`
  const link = `${SITE}/maps/reviews/data=!4m8!14m7!1m6!2m5!1s${review.id}!2m1!1s${lowHalf(place)}?hl=${view.hl}`
  return row(
    {
      1: review.stars,
      2: [reviewAge(review, view), null, String(Math.floor(review.published / 1000))],
      3: [review.author, review.picture.replace('=s120-', '=s64-'), authorPage(review, view), review.authorReviews, 3],
      4: review.replied ? [null, agoWords(review.replied, view), asHtml(view.words.thanks), null, view.hl] : undefined,
      5: review.id,
      10: report,
      12: link,
      14: pictureCells(review, report, view),
      26: original === undefined ? undefined : review.language,
      27: shown === '' ? undefined : shown,
      28: shown === '' ? undefined : shown.slice(0, SHORT),
      30: answerCells(place, review),
      32: isTranslated ? asHtml(original) : '',
      44: [
        review.source,
        [null, null, 'https://www.gstatic.com/images/branding/product/1x/googleg_48dp.png'],
        null,
        null,
        1,
      ],
      45: review.stars,
      46: STARS,
      47: row({ 1: [] }),
    },
    LENGTH,
  )
}

const authorPage = ({ authorId }: ReviewDetails, view: View) =>
  authorId ? `${contributorLink(authorId)}/reviews?hl=${view.hl}` : FOREIGN_AUTHOR

const pictureCells = ({ photos, published }: ReviewDetails, report: string, view: View): Cell | undefined =>
  photos.length === 0
    ? undefined
    : photos.map((photo): Cell[] => {
        const video = photo.kind === 'video' ? videoUrl(photo) : null
        const aspect = photo.width / photo.height
        return [photoUrl(photo, 'k-no'), '', report, photo.id, aspect, video, agoWords(published, view)]
      })
