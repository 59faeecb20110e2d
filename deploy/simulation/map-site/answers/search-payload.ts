import { CITY } from '../city/geography.ts'
import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { searchEnvelope, type Viewport } from '../payload/envelopes.ts'
import { BadPb, readSearchPb, type SearchRequest } from '../payload/pb.ts'
import { searchNode } from '../payload/place-node.ts'
import { type Cell, guarded } from '../payload/row.ts'
import { isTrimmed, type Site, viewFor } from '../site.ts'

/** Where the map is when nobody says: the site knows the town from the client's address. */
export const HOME_VIEWPORT: Viewport = {
  altitude: 9712.5,
  lat: CITY.lat,
  lon: CITY.lon,
  width: 1024,
  height: 768,
  fieldOfView: 13.1,
}

const ADS = 2

/** The payload of a search as the site words it. */
function searchBody(site: Site, exchange: Exchange, query: string, request: SearchRequest): Cell {
  const { envelope, ads } = site.options()
  const view = viewFor(site, exchange)
  const trimmed = isTrimmed(site, exchange)
  const shown = request.wantsPlaces ? site.city.pages(query, request.viewport) : []
  const node = (index: number) => searchNode(site.city.details(index), view, trimmed, request.fields)
  const sponsored = ads && request.offset === 0 && shown.length > 2 * ADS ? shown.slice(-ADS) : []
  return searchEnvelope({
    query,
    viewport: request.viewport ?? HOME_VIEWPORT,
    nodes: shown.slice(request.offset, request.offset + request.pageSize).map(node),
    ads: sponsored.map(node),
    envelope,
  })
}

// With tch=1 the body comes as a string inside an object, as autocompletion clients want it.
const wrapped = (body: string, url: URL) =>
  `${JSON.stringify({ c: 0, d: body, e: 'x7GfaZ', p: true, u: `${url.pathname}${url.search}` })}/*""*/`

/** Answers `GET /search?tbm=map`. */
export function answerSearch(site: Site, exchange: Exchange): Reply {
  const { url } = exchange
  try {
    const request = readSearchPb(url.searchParams.get('pb') ?? '')
    const body = guarded(searchBody(site, exchange, url.searchParams.get('q') ?? '', request))
    const download = { 'content-disposition': 'attachment; filename="f.txt"' }
    return jsonReply(url.searchParams.get('tch') === '1' ? wrapped(body, url) : body, download)
  } catch (error) {
    if (error instanceof BadPb) return errorReply(400)
    throw error
  }
}
