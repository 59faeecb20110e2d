import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import type { Viewport } from '../payload/envelopes.ts'
import { placeEnvelope } from '../payload/envelopes.ts'
import { BadPb, readPlacePb } from '../payload/pb.ts'
import { INLINE_REVIEWS, placeNode } from '../payload/place-node.ts'
import { GUARD, textOf } from '../payload/row.ts'
import { isTrimmed, type Site, viewFor } from '../site.ts'
import { HOME_VIEWPORT } from './search-payload.ts'

/** Returns the payload of a place, with its guard prefix. */
export function placeBody(
  site: Site,
  exchange: Exchange,
  index: number,
  trimmed: boolean,
  viewport: Viewport = HOME_VIEWPORT,
): string {
  const view = viewFor(site, exchange)
  const place = site.city.details(index)
  const inline = trimmed ? [] : site.city.reviewDetails(index, 'relevant', view.now, INLINE_REVIEWS)
  const node = placeNode(place, view, { trimmed, inline, neighbour: site.city.neighbour(index) })
  return GUARD + textOf(placeEnvelope(place, node, viewport, view))
}

/** Answers `GET /maps/preview/place`. */
export function answerPlacePayload(site: Site, exchange: Exchange): Reply {
  const pb = exchange.url.searchParams.get('pb') ?? ''
  try {
    const { id, viewport } = readPlacePb(pb)
    const index = id === undefined ? undefined : site.city.indexOf(id)
    if (index === undefined) return errorReply(400)
    return jsonReply(placeBody(site, exchange, index, isTrimmed(site, exchange), viewport))
  } catch (error) {
    if (error instanceof BadPb) return errorReply(400)
    throw error
  }
}
