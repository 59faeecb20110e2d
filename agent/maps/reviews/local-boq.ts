import type { Review } from '@placefleet/shared/review'
import { parseList } from '../answers/body.ts'
import {
  eachOnce,
  fitParagraph,
  getAt,
  lineAt,
  listAt,
  numberAt,
  omitUndefined,
  readEach,
  textAt,
  urlAt,
} from '../answers/values.ts'
import { queryString } from '../urls/parameters.ts'
import type { FirstPage, ReviewDoor } from './doors.ts'
import { fitStars, millisToIso, type ReviewList, readAnswers, urlsOf } from './payload.ts'

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
  const reviews = eachOnce(readEach(records, (record) => readRecord(record, now)))
  if (records.length > 0 && reviews.length === 0) return { state: 'malformed', reviews }
  const token = textAt(block, 6)
  return { state: 'listed', reviews, ...(token === undefined ? {} : { next_token: token }) }
}

function readRecord(record: unknown, now: number): Review | undefined {
  const id = lineAt(record, 5)
  if (id === undefined) return undefined
  const text = plainText(textAt(record, 27))
  const original = plainText(textAt(record, 32))
  const reply = plainText(textAt(record, 4, 2))
  const photos = listAt(record, 14)
  return omitUndefined({
    id,
    author: lineAt(record, 3, 0),
    author_url: profileOf(urlAt(record, 3, 2)),
    profile_picture: urlAt(record, 3, 1),
    rating: fitStars(numberAt(record, 1)),
    text: text ?? original,
    text_original: text === undefined || original === text ? undefined : original,
    language: lineAt(record, 26),
    published_at: millisToIso(wholeNumber(textAt(record, 2, 2)), now),
    relative_time: lineAt(record, 2, 0),
    images: urlsOf(photos, (photo) => urlAt(photo, 0)),
    videos: urlsOf(photos, (photo) => urlAt(photo, 5)),
    answers: readAnswers(getAt(record, 30)),
    reply: reply === undefined ? undefined : { text: reply },
  })
}

const wholeNumber = (digits: string | undefined): number | undefined =>
  digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined

// The link leads to the writer's reviews. The other lists link the profile itself.
const profileOf = (url: string | undefined): string | undefined => url?.replace(/(\/contrib\/\d+)\/reviews\b/, '$1')

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi
const LAST_CODE_POINT = 0x10ffff

/** Returns the text of a snippet of HTML: lines instead of `<br>`, characters instead of entities. */
function plainText(html: string | undefined): string | undefined {
  const text = html?.replace(/<br\s*\/?>/gi, '\n').replace(ENTITY, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity
  })
  return fitParagraph(text)
}
