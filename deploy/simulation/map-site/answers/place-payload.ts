import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { placeEnvelope } from '../payload/envelopes.ts'
import { BadPb, readPlacePb } from '../payload/pb.ts'
import { GUARD, textOf } from '../payload/row.ts'
import { placeNode } from '../place/node.ts'
import { isTrimmed, type Site, viewFor } from '../site.ts'

/** Returns the payload of a place, with its guard prefix. */
export function placeBody(site: Site, exchange: Exchange, index: number, trimmed: boolean): string {
  const place = site.city.details(index)
  const node = placeNode(place, viewFor(site, exchange), trimmed, site.city.beside(index))
  return GUARD + textOf(placeEnvelope(place, node))
}

/** Answers `GET /maps/preview/place`. */
export function answerPlacePayload(site: Site, exchange: Exchange): Reply {
  try {
    const id = readPlacePb(exchange.url.searchParams.get('pb') ?? '')
    const index = id === undefined ? undefined : site.city.indexOf(id)
    if (index === undefined) return errorReply(400)
    return jsonReply(placeBody(site, exchange, index, isTrimmed(site, exchange)))
  } catch (error) {
    if (error instanceof BadPb) return errorReply(400)
    throw error
  }
}
