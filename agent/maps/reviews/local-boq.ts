import { parseList } from '../answers/body.ts'
import { eachOnce, getAt, listAt, readEach, textAt } from '../answers/values.ts'
import { queryString } from '../urls/parameters.ts'
import type { FirstPage, ReviewDoor } from './doors.ts'
import { readLocalBoqRecord } from './local-boq-record.ts'
import type { ReviewList } from './payload.ts'

/**
 * The list that the review window of the site's web search loads. It answers clients that the lists of the map are shut
 * to, gives sixty reviews at once, and no time of an owner's reply.
 */
export const LOCAL_BOQ: ReviewDoor = {
  name: 'GetLocalBoqProxy',
  url: localBoqUrl,
  parse: (text) => readLocalBoq(parseList(text), Date.now()),
  pageSize: 60,
}

/** The numbers of the orders, and the indexes of the arguments of the request. */
const SORT = { relevant: 1, newest: 2, highest: 3, lowest: 4 } as const
const ARGUMENT = { sort: 1, pageSize: 9, places: 11, topics: 16, token: 19, last: 23 } as const
/** What the window sends for the topics of reviews: all. */
const ALL_TOPICS = [1, 1, null, [[3], [4], [5], [6], [7]]]

function localBoqUrl({ base, place, locale, order }: FirstPage, token = ''): URL {
  const request: unknown[] = Array(ARGUMENT.last + 1).fill(null)
  request[ARGUMENT.sort] = SORT[order]
  request[ARGUMENT.pageSize] = LOCAL_BOQ.pageSize
  request[ARGUMENT.places] = [place.place_key]
  request[ARGUMENT.topics] = ALL_TOPICS
  request[ARGUMENT.token] = token
  request[ARGUMENT.last] = 0
  const reqpld = JSON.stringify([null, [...Array(9).fill(null), request]])
  const query = queryString({ hl: locale.language, msc: 'gwsrpc', reqpld })
  return new URL(`/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy?${query}`, base)
}

/**
 * Reads a payload: `[headers, [… ten, [null, total, records, null, null, null, next token]]]`. `now` is in milliseconds; a
 * time in the future is omitted.
 */
export function readLocalBoq(payload: unknown, now: number): ReviewList {
  const block = getAt(payload, 1, 10)
  if (!Array.isArray(block)) return { state: 'malformed', reviews: [] }
  const records = listAt(block, 2)
  const reviews = eachOnce(readEach(records, (record) => readLocalBoqRecord(record, now)))
  if (records.length > 0 && reviews.length === 0) return { state: 'malformed', reviews }
  const token = textAt(block, 6)
  return { state: 'listed', reviews, ...(token === undefined ? {} : { next_token: token }) }
}
