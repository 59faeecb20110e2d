import type { ReviewOrder } from '@placefleet/shared/review-options'
import { parseList } from '../answers/body.ts'
import { eachOnce, getAt, listAt, readEach, textAt } from '../answers/values.ts'
import { queryString, type Site } from '../urls/parameters.ts'
import type { PlaceUrl } from '../urls/place-url.ts'
import { readLocalBoqRecord } from './local-boq-record.ts'
import type { ReviewList } from './payload.ts'

export type FirstPage = {
  readonly place: PlaceUrl
  readonly order: ReviewOrder
}

/** The numbers of the orders, and the indexes of the arguments of the request. */
const SORT = { relevant: 1, newest: 2, highest: 3, lowest: 4 } as const
const ARGUMENT = { sort: 1, pageSize: 9, places: 11, topics: 16, token: 19, last: 23 } as const
/** What the window sends for the topics of reviews: all. */
const ALL_TOPICS = [1, 1, null, [[3], [4], [5], [6], [7]]]
/** The most reviews that a page may have. */
const MOST = 60

/**
 * Returns the URL of the list that the review window of the site's web search loads: of its first page, or of the page
 * after the one that gave `token`. It answers clients to which the lists of the map are closed.
 */
export function localBoqUrl({ base, locale }: Site, { place, order }: FirstPage, token = ''): URL {
  const request: unknown[] = Array(ARGUMENT.last + 1).fill(null)
  request[ARGUMENT.sort] = SORT[order]
  request[ARGUMENT.pageSize] = MOST
  request[ARGUMENT.places] = [place.place_key]
  request[ARGUMENT.topics] = ALL_TOPICS
  request[ARGUMENT.token] = token
  request[ARGUMENT.last] = 0
  const reqpld = JSON.stringify([null, [...Array(9).fill(null), request]])
  const query = queryString({ hl: locale.language, gl: locale.country, msc: 'gwsrpc', reqpld })
  return new URL(`/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy?${query}`, base)
}

/** Reads an answer. It gives no time of an owner's reply. */
export const parseLocalBoq = (text: string): ReviewList => readLocalBoq(parseList(text), Date.now())

/** Reads a payload: `[headers, [… ten, [null, total, records, null, null, null, next token]]]`. */
export function readLocalBoq(payload: unknown, now: number): ReviewList {
  const block = getAt(payload, 1, 10)
  if (!Array.isArray(block)) return { state: 'malformed', reviews: [] }
  const records = listAt(block, 2)
  const reviews = eachOnce(readEach(records, (record) => readLocalBoqRecord(record, now)))
  if (records.length > 0 && reviews.length === 0) return { state: 'malformed', reviews }
  return { state: 'listed', reviews, next_token: textAt(block, 6) }
}
