import { pbMessage, pbNumber, pbText } from '../urls/pb.ts'
import { type Locale, localeParameters, queryString } from '../urls/query.ts'

/** The number of the order "newest first". The site also knows 1 most relevant, 3 highest and 4 lowest. */
const NEWEST_FIRST = 2

/** Which part of the list: the `token` of the previous answer, and the page size (10 in a browser, at most 20). */
export interface ReviewPage {
  readonly token?: string | undefined
  readonly size?: number
}

// The fields that the site's own page requests of each review: its parts, its source, its translation.
const REVIEW_FIELDS = '!8m9!2b1!3b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!11m0'

/** The URL of a page of a place's reviews (`listugcposts`), newest first. The first page has no token. */
export function reviewListUrl(base: URL, placeKey: string, locale: Locale, page: ReviewPage = {}): URL {
  const { token = '', size = 10 } = page
  const pb = [
    pbMessage(
      1,
      pbText(1, placeKey),
      pbMessage(6, pbMessage(4, pbNumber(1, 'e', 1)), pbMessage(4, pbNumber(1, 'e', 3))),
    ),
    pbMessage(2, pbNumber(1, 'i', size), pbText(2, token)),
    pbMessage(5, pbNumber(7, 'e', 81)),
    REVIEW_FIELDS,
    pbMessage(13, pbNumber(1, 'e', NEWEST_FIRST)),
  ].join('')
  return new URL(`/maps/rpc/listugcposts?${queryString({ ...localeParameters(locale), pb })}`, base)
}
