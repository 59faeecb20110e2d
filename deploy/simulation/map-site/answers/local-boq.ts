import { z } from 'zod'
import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { sorryPage } from '../pages/sorry.ts'
import { localBoqRecord } from '../payload/local-boq-record.ts'
import { type Cell, guarded, row } from '../payload/row.ts'
import { sessionId } from '../payload/tracking.ts'
import type { Site } from '../site.ts'
import { orderOf, reviewsOfPage } from './review-lists.ts'

const ARGUMENTS = 9

const Arguments = z.looseObject({
  1: z.int().min(1).max(4),
  9: z.int().min(1),
  11: z.tuple([z.string().regex(/^0x[0-9a-f]+:0x[0-9a-f]+$/)]),
  19: z.string(),
})
const Request = z.tuple([z.null(), z.array(z.unknown()).length(ARGUMENTS + 1)])

/** Answers `GET …/GetLocalBoqProxy`: the list that the review window of the web search loads. */
export function answerLocalBoq(site: Site, exchange: Exchange): Reply {
  const { localBoq, localBoqPage } = site.options()
  if (localBoq === 'forbidden') return errorReply(403)
  if (localBoq === 'gone') return errorReply(404)
  if (localBoq === 'garbage') return jsonReply(guarded([[null, ['moved']], 2]))
  if (localBoq === 'limited') return sorryPage(`${site.origin()}${exchange.url.pathname}`, exchange.address, 429)
  try {
    const [, members] = Request.parse(JSON.parse(exchange.url.searchParams.get('reqpld') ?? 'null'))
    const args = Arguments.parse(Object.assign({}, members[ARGUMENTS]))
    if (localBoq === 'breaks' && args[19] !== '') return errorReply(403)
    const page = { id: args[11][0], order: orderOf(args[1]), size: args[9], mostAPage: localBoqPage, token: args[19] }
    const list = reviewsOfPage(site, exchange, page)
    if (!list) return errorReply(400)
    const { place, view, reviews, next } = list
    const records: Cell[] = localBoq === 'empty' ? [] : reviews.map((review) => localBoqRecord(place, review, view))
    const block = row({ 1: place.rating?.count, 2: records, 6: localBoq === 'empty' ? '' : (next ?? '') })
    return jsonReply(guarded([row({ 1: [sessionId(place.index)] }), row({ 10: block })]))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return errorReply(400)
    throw error
  }
}
