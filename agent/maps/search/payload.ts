import { metresBetween, type Point } from '@placefleet/shared/great-circle'
import type { Place } from '@placefleet/shared/place'
import { parseBody } from '../answers/body.ts'
import { answersOfState, pageState } from '../answers/page-state.ts'
import { holdsKey, placeNodesIn } from '../answers/place-shape.ts'
import { getAt, listAt, type Node, numberAt, textAt } from '../answers/values.ts'
import {
  completePlace,
  type MissingPart,
  missingPartsOf,
  type PlaceExtra,
  readSummary,
} from '../place/payload/payload.ts'

export interface SearchHit {
  place: Place
  whole(): { place: Place; extra: PlaceExtra }
  missing: MissingPart[]
}

/**
 * A search answer without its ads. `viewport` is the middle of the map that the site searched, in degrees. The shape:
 * - `found`: it lists places
 * - `empty`: it has the query and the viewport, but no rows, or only addresses
 * - `doubtful`: it is a list without rows of places. No capture shows an empty search, so it may be one
 * - `malformed`: it has rows of places, and none can be read
 * - `foreign`: it is no list, as all answers of the site are
 */
export interface SearchResult {
  shape: 'found' | 'empty' | 'doubtful' | 'malformed' | 'foreign'
  viewport?: Point
  places: SearchHit[]
}

/** Reads a search payload that was parsed from JSON. Never throws. `now` is in milliseconds. */
export function parseSearchPayload(payload: unknown, { now = Date.now() }: { now?: number } = {}): SearchResult {
  const nodes = organicNodes(payload)
  const usual = readNodes(nodes, now)
  const read = usual.length > 0 ? usual : movedPlaces(payload, now)
  const places = read.filter(({ place }) => !isBareAddress(place))
  const viewport = viewportOf(payload)
  const emptyShape = places.length < read.length ? 'empty' : shapeWithoutPlaces(payload, nodes, viewport !== undefined)
  return {
    shape: places.length > 0 ? 'found' : emptyShape,
    ...(viewport === undefined ? {} : { viewport }),
    places,
  }
}

/** Returns the first search answer with places that the HTML of a search page embeds. Never throws. `now` as above. */
export function embeddedSearch(html: string, { now = Date.now() }: { now?: number } = {}): SearchResult | undefined {
  for (const text of answersOfState(pageState(html))) {
    const result = parseSearchPayload(parseBody(text), { now })
    if (result.shape === 'found') return result
  }
  return undefined
}

/** An answer farther than this from the requested point is about another part of the world. */
const ELSEWHERE_METRES = 200_000

export function isElsewhere(result: SearchResult, search: { readonly viewport?: Point | undefined }): boolean {
  if (result.viewport === undefined || search.viewport === undefined) return false
  return metresBetween(result.viewport, search.viewport) > ELSEWHERE_METRES
}

/** Ads and similar places, and what people also search for: places that are no results. */
const BESIDE_THE_LIST: ReadonlySet<number> = new Set([2, 99])

function shapeWithoutPlaces(payload: unknown, rows: Node, hasViewport: boolean): SearchResult['shape'] {
  if (!Array.isArray(payload)) return 'foreign'
  if (holdsKey(rows)) return 'malformed'
  return rows.length === 0 && hasViewport && textAt(payload, 0, 0) !== undefined ? 'empty' : 'doubtful'
}

// Rows of [0][1] have the node at 14; the first row is a header unless there is one match. A newer envelope has its
// list at [64]. A query that is an address gives the node of that address, with its businesses at 68.
function organicNodes(payload: unknown): Node {
  const rows = listAt(payload, 0, 1)
  const nodes = nodesAt(rows, 14)
  if (nodes.length === 0) return nodesAt(listAt(payload, 64), 1)
  const there = nodes.length === 1 ? businessesAt(nodes[0]) : []
  return there.length > 0 ? there : nodes
}

const nodesAt = (rows: Node, index: number): Node =>
  rows.map((row) => getAt(row, index)).filter((node) => Array.isArray(node))

// Each member begins with its node, according to public tools; no recording has this list.
const businessesAt = (node: unknown): Node => nodesAt(listAt(node, 68), 0)

function movedPlaces(payload: unknown, now: number): SearchHit[] {
  const list = Array.isArray(payload) ? payload.filter((_part, at) => !BESIDE_THE_LIST.has(at)) : []
  return readNodes(placeNodesIn(list), now)
}

function readNodes(nodes: Node, now: number): SearchHit[] {
  return nodes.flatMap((node) => {
    const read = readSummary(node)
    if (!read.ok) return []
    const { summary } = read
    return [{ place: summary, whole: () => completePlace(summary, node, now), missing: missingPartsOf(node) }]
  })
}

// An address that the search found is no business: it has the street as its name, and nothing that a business has.
function isBareAddress({ title, category, rating, phone, website, address, complete_address }: Place): boolean {
  if ([category, rating, phone, website].some((field) => field !== undefined)) return false
  return complete_address?.street === title || (address?.startsWith(`${title},`) ?? false)
}

// [altitude, longitude, latitude]
function viewportOf(payload: unknown): SearchResult['viewport'] {
  const longitude = numberAt(payload, 1, 0, 1)
  const latitude = numberAt(payload, 1, 0, 2)
  if (longitude === undefined || latitude === undefined) return undefined
  return { latitude, longitude }
}
