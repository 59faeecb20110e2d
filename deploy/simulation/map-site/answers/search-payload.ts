import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { searchPath } from '../pages/addresses.ts'
import { pageOf } from '../paging.ts'
import { HOME_VIEWPORT, type SearchAnswer, searchEnvelope } from '../payload/envelopes.ts'
import { BadPb, readSearchPb, type SearchRequest } from '../payload/pb.ts'
import { type Cell, GUARD, textOf, withText } from '../payload/row.ts'
import { detailsOf, type PlaceDetails } from '../place/details.ts'
import { searchNode } from '../place/node.ts'
import { chance } from '../random.ts'
import { happens, isTrimmed, type Site, viewFor } from '../site.ts'

// A place is in the answers of many searches, with the same node each time. Its last node is enough.
const NODES = new WeakMap<PlaceDetails, { readonly key: string; readonly cells: Cell[] }>()

const EMPTY_SALT = 9401
const WRONG_SALT = 9402
const FLICKER_SALT = 9403
const ADS = 2
const SIMILAR = 3
/** From the city to the places that searches return by mistake, in degrees of longitude at the same latitude. */
const ELSEWHERE_DEGREES = -15.3

function placeElsewhere(seed: number, index: number): PlaceDetails {
  const place = detailsOf(seed + 1, index)
  return { ...place, location: { ...place.location, lon: place.location.lon + ELSEWHERE_DEGREES } }
}

function answerOf(site: Site, exchange: Exchange, query: string, request: SearchRequest): SearchAnswer {
  const { wrongPlace, envelope } = site.options()
  const { seed } = site.city
  const view = viewFor(site, exchange)
  const trimmed = isTrimmed(site, exchange)
  const isElsewhere = happens(site, exchange, wrongPlace, WRONG_SALT)
  const key = JSON.stringify([view.hl, view.withCountry, view.nodes, trimmed])
  const node = (place: PlaceDetails): Cell[] => {
    const cached = NODES.get(place)
    if (cached?.key === key) return cached.cells
    const cells = withText(searchNode(place, view, trimmed))
    NODES.set(place, { key, cells })
    return cells
  }
  const nodeOf = (index: number) => node(isElsewhere ? placeElsewhere(seed, index) : site.city.details(index))
  const { places, ads, similar } = listed(site, exchange, query, request)
  const viewport = { ...HOME_VIEWPORT, ...request.centre }
  return {
    query,
    viewport: isElsewhere ? { ...viewport, lon: viewport.lon + ELSEWHERE_DEGREES } : viewport,
    nodes: places.map(nodeOf),
    ads: ads.map(nodeOf),
    similar: similar.map((index) => node(placeElsewhere(seed, index))),
    envelope,
  }
}

/** Returns the part of a search that one answer shows. `similar` places are beside the results. */
function listed(site: Site, exchange: Exchange, query: string, request: SearchRequest) {
  const { emptySearches, mostResults: most, order, flicker, ...options } = site.options()
  const { seed } = site.city
  const { offset, centre, pageSize, wantsPlaces } = request
  const isFirst = (offset ?? 0) === 0
  const isEmptied = happens(site, exchange, isFirst ? emptySearches.first : emptySearches.later, EMPTY_SALT)
  if (!wantsPlaces || isEmptied) return { places: [], ads: [], similar: [] }
  const isOmitted = (place: number) => chance(seed, exchange.nth, place, FLICKER_SALT).happens(flicker)
  const all = site.city.pages(query, centre, { order, most })
  const shown = flicker > 0 ? all.filter((place) => !isOmitted(place)) : all
  const places = pageOf(shown, { offset, size: pageSize, hasViewport: centre !== undefined }, site.options(), seed)
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
    const answer = answerOf(site, exchange, url.searchParams.get('q') ?? '', request)
    const download = { 'content-disposition': 'attachment; filename="f.txt"' }
    return jsonReply(GUARD + textOf(searchEnvelope(answer)), download)
  } catch (error) {
    if (error instanceof BadPb) return errorReply(400)
    throw error
  }
}
