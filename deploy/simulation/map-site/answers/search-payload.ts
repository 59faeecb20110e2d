import type { PlaceDetails } from '../city/details.ts'
import { CITY } from '../city/geography.ts'
import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { pageOf } from '../modes/paging.ts'
import { searchPath } from '../pages/addresses.ts'
import { searchEnvelope, type Viewport } from '../payload/envelopes.ts'
import { BadPb, readSearchPb, type SearchRequest } from '../payload/pb.ts'
import { searchNode } from '../payload/place-node.ts'
import { type Cell, GUARD, textOf, withText } from '../payload/row.ts'
import { ELSEWHERE_DEGREES, isEmptied, isWrongPlace, placeElsewhere, shownPlaces } from '../search-faults.ts'
import { isTrimmed, type Site, viewFor } from '../site.ts'
import type { View } from '../view.ts'

/** The position of the map without a viewport: the site derives the town from the client's address. */
export const HOME_VIEWPORT: Viewport = {
  altitude: 9712.5,
  lat: CITY.lat,
  lon: CITY.lon,
  width: 1024,
  height: 768,
  fieldOfView: 13.1,
}

interface KnownNode {
  readonly key: string
  readonly cells: Cell[]
}

// A place is in the answers of many searches, with the same node each time. Its last node is enough.
const NODES = new WeakMap<PlaceDetails, KnownNode>()

function nodeOf(place: PlaceDetails, view: View, trimmed: boolean, fields: SearchRequest['fields']): Cell[] {
  const { hl, now, layout } = view
  const key = JSON.stringify([hl, now, layout, trimmed, fields])
  const cached = NODES.get(place)
  if (cached?.key === key) return cached.cells
  const cells = withText(searchNode(place, view, trimmed, fields))
  NODES.set(place, { key, cells })
  return cells
}

const ADS = 2
const SIMILAR = 3

function searchBody(site: Site, exchange: Exchange, query: string, request: SearchRequest): Cell {
  const view = viewFor(site, exchange)
  const trimmed = isTrimmed(site, exchange)
  const elsewhere = isWrongPlace(site, exchange)
  const { places, ads, similar } = request.wantsPlaces ? listed(site, exchange, query, request) : NOTHING
  const node = (index: number) => {
    const place = elsewhere ? placeElsewhere(site.city.seed, index) : site.city.details(index)
    return nodeOf(place, view, trimmed, request.fields)
  }
  const viewport = request.viewport ?? HOME_VIEWPORT
  return searchEnvelope({
    query,
    viewport: elsewhere ? { ...viewport, lon: viewport.lon + ELSEWHERE_DEGREES } : viewport,
    nodes: places.map(node),
    ads: ads.map(node),
    similar: similar.map((index) => searchNode(placeElsewhere(site.city.seed, index), view, trimmed, request.fields)),
    envelope: site.options().envelope,
  })
}

interface Results {
  places: readonly number[]
  ads: readonly number[]
  /** Shown beside the results, but not results. */
  similar: readonly number[]
}

const NOTHING: Results = { places: [], ads: [], similar: [] }

/** Returns the part of a search that one answer shows. */
function listed(site: Site, exchange: Exchange, query: string, request: SearchRequest): Results {
  const options = site.options()
  const { seed } = site.city
  const isFirst = (request.offset ?? 0) === 0
  if (isEmptied(site, exchange, isFirst)) return NOTHING
  const ranking = { order: options.order, most: options.mostResults }
  const all = site.city.pages(query, request.viewport, ranking)
  const shown = shownPlaces(site, exchange, all)
  const page = { offset: request.offset, size: request.pageSize, hasViewport: request.viewport !== undefined }
  const places = pageOf(shown, page, options, seed)
  return {
    places,
    ads: options.ads && isFirst && shown.length > 2 * ADS ? shown.slice(-ADS) : [],
    similar: options.similar && isFirst ? places.slice(0, SIMILAR) : [],
  }
}

/** Answers `GET /search?tbm=map`, or the address that has replaced it. */
export function answerSearch(site: Site, exchange: Exchange): Reply {
  const { url } = exchange
  if (url.pathname !== searchPath(site.options())) return errorReply(410)
  try {
    const request = readSearchPb(url.searchParams.get('pb') ?? '')
    const body = GUARD + textOf(searchBody(site, exchange, url.searchParams.get('q') ?? '', request))
    const download = { 'content-disposition': 'attachment; filename="f.txt"' }
    return jsonReply(body, download)
  } catch (error) {
    if (error instanceof BadPb) return errorReply(400)
    throw error
  }
}
