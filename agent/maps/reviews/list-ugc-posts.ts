import { localeParameters, pbMessage, pbNumber, pbText, queryString } from '../urls/parameters.ts'
import type { FirstPage, ReviewDoor } from './doors.ts'
import { parseReviewList } from './payload.ts'

/** The list that the map's own pages loaded until 2026. The site shuts it to many clients. */
export const LIST_UGC_POSTS: ReviewDoor = {
  name: 'listugcposts',
  url: listUgcPostsUrl,
  parse: parseReviewList,
  pageSize: 20,
}

const SORT = { relevant: 1, newest: 2, highest: 3, lowest: 4 } as const

// The fields that the site's own page requests of each review: its parts, its source, its translation.
const REVIEW_FIELDS = '!8m9!2b1!3b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!11m0'

function listUgcPostsUrl({ base, place, locale, order }: FirstPage, token = ''): URL {
  const pb = [
    pbMessage(
      1,
      pbText(1, place.place_key),
      pbMessage(6, pbMessage(4, pbNumber(1, 'e', 1)), pbMessage(4, pbNumber(1, 'e', 3))),
    ),
    pbMessage(2, pbNumber(1, 'i', LIST_UGC_POSTS.pageSize), pbText(2, token)),
    pbMessage(5, pbNumber(7, 'e', 81)),
    REVIEW_FIELDS,
    pbMessage(13, pbNumber(1, 'e', SORT[order])),
  ].join('')
  return new URL(`/maps/rpc/listugcposts?${queryString({ ...localeParameters(locale), pb })}`, base)
}
