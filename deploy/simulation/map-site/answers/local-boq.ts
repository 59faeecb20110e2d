import { parsedJson } from '@placefleet/shared/text'
import { z } from 'zod'
import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { sorryPage } from '../pages/sorry.ts'
import { guarded, row } from '../payload/row.ts'
import { sessionId } from '../payload/tracking.ts'
import { localBoqRecord } from '../reviews/local-boq-record.ts'
import { type Site, viewFor } from '../site.ts'
import { reviewsOfPage } from './review-lists.ts'

const Arguments = z.looseObject({
  1: z.int().min(1).max(4),
  9: z.int().min(1),
  11: z.tuple([z.string().regex(/^0x[0-9a-f]+:0x[0-9a-f]+$/)]),
  19: z.string(),
})
const nothing = z.null()
const Request = z.tuple([
  nothing,
  z
    .array(z.unknown())
    .length(10)
    .transform((members) => ({ ...Object(members[9]) }))
    .pipe(Arguments),
])

/** Answers `GET …/GetLocalBoqProxy`: the list that the review window of the web search loads. */
export function answerLocalBoq(site: Site, exchange: Exchange): Reply {
  const { url, address } = exchange
  const { localBoq, localBoqPage } = site.options()
  if (localBoq === 'forbidden') return errorReply(403)
  if (localBoq === 'gone') return errorReply(404)
  if (localBoq === 'garbage') return jsonReply(guarded([[null, ['moved']], 2]))
  if (localBoq === 'limited') return sorryPage(`${site.origin()}${url.pathname}`, address)
  const { data } = Request.safeParse(parsedJson(url.searchParams.get('reqpld') ?? ''))
  if (!data) return errorReply(400)
  const { 1: order, 9: size, 11: ids, 19: token } = data[1]
  if (localBoq === 'breaks' && token !== '') return errorReply(403)
  const list = reviewsOfPage(site, exchange, { id: ids[0], order, size: Math.min(size, localBoqPage), token })
  if (!list) return errorReply(400)
  const { place, reviews, next } = localBoq === 'empty' ? { ...list, reviews: [], next: null } : list
  const records = reviews.map((review) => localBoqRecord(place, review, viewFor(site, exchange)))
  const block = row({ 1: place.rating?.count, 2: records, 6: next ?? '' })
  return jsonReply(guarded([row({ 1: [sessionId(place.index)] }), row({ 10: block })]))
}
