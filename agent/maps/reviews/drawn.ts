import type { Review } from '@placefleet/shared/review'
import type { CheerioAPI } from 'cheerio/slim'
import { attributeOf, countsIn, type Part, paragraphOf, textOf } from '../answers/dom.ts'
import { languageTag } from '../answers/language.ts'
import { eachOnce, filled, omitUndefined, readEach, readUrl } from '../answers/values.ts'
import { fitStars } from './payload.ts'

const MAX_REVIEWS = 500
const REPLY = '.CDe7pd'

/**
 * Reads the reviews that a page shows, each once. The page cuts long texts, and shows only a relative time ("2 weeks
 * ago").
 */
export function readDrawnReviews($: CheerioAPI): Review[] | undefined {
  const reviews = readEach($('div.jftiEf[data-review-id]').toArray(), (review) => readDrawnReview($(review)))
  return filled(eachOnce(reviews), MAX_REVIEWS)
}

function readDrawnReview(review: Part): Review | undefined {
  const id = attributeOf(review, 'data-review-id')
  if (id === undefined) return undefined
  const reply = paragraphOf(review.find(`${REPLY} .wiI7pd`))
  // The owner's reply stands inside the review, with the same class for its text.
  const own = review.clone()
  own.find(REPLY).remove()
  return omitUndefined({
    id,
    author: textOf(own.find('.d4r55')),
    author_url: readUrl(own.find('button[data-href]').attr('data-href')),
    profile_picture: readUrl(own.find('img.NBa7we').attr('src')),
    rating: starsIn(attributeOf(own.find('.kvMYJc'), 'aria-label')),
    text: paragraphOf(own.find('.wiI7pd')),
    language: languageTag(attributeOf(own.find('.MyEned'), 'lang')),
    relative_time: textOf(own.find('.rsqaWe')),
    reply: reply === undefined ? undefined : { text: reply },
  })
}

// "4 stars", in words. Texts with two numbers ("4 of 5") are ambiguous in some languages, so they are skipped.
function starsIn(label: string | undefined): number | undefined {
  const [stars, ...more] = countsIn(label)
  return more.length === 0 ? fitStars(stars) : undefined
}
