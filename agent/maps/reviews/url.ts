import { type Locale, localeParameters } from '../urls/locale.ts'
import { pbMessage, pbNumber, pbText, queryString } from '../urls/pb.ts'

// Orders of a list of reviews, with the number the site knows each by.
const REVIEW_SORT = { relevant: 1, newest: 2, highest: 3, lowest: 4 } as const

/** Which part of the list: `token` of the answer before, page size (10 as a browser, at most 20), order. */
export interface ReviewPage {
  readonly token?: string | undefined
  readonly size?: number
  readonly sort?: keyof typeof REVIEW_SORT
}

// What the site's own page asks for with each review: its parts, its source, its translation.
const REVIEW_FIELDS = '!8m9!2b1!3b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!11m0'

/** A page of a place's reviews (`listugcposts`). The first page has no token. */
export function reviewListUrl(base: URL, placeKey: string, locale: Locale, page: ReviewPage = {}): URL {
  const { token = '', size = 10, sort = 'newest' } = page
  const pb = [
    pbMessage(
      1,
      pbText(1, placeKey),
      pbMessage(6, pbMessage(4, pbNumber(1, 'e', 1)), pbMessage(4, pbNumber(1, 'e', 3))),
    ),
    pbMessage(2, pbNumber(1, 'i', size), pbText(2, token)),
    pbMessage(5, pbNumber(7, 'e', 81)),
    REVIEW_FIELDS,
    pbMessage(13, pbNumber(1, 'e', REVIEW_SORT[sort])),
  ].join('')
  return new URL(`/maps/rpc/listugcposts?${queryString({ ...localeParameters(locale), pb })}`, base)
}
