import type { Place } from '@placefleet/shared/place'
import { getAt, listAt, type Node, numberAt, textAt } from '../answers/index-path.ts'
import { type PlaceExtra, readPlaceNode } from '../place/payload/node.ts'

/** A place of a search answer. `position` counts from 1 in its own list: ads apart from results. */
export interface FoundPlace {
  place: Place
  extra: PlaceExtra
  sponsored: boolean
  position: number
}

/**
 * A search answer. `empty` is a true "no results": the answer says which query it is for and which piece of the map it
 * used, and lists nothing. `malformed` is not that shape, or has rows of which none is a place. `viewport` is what the
 * site really used (degrees, metres): an answer for another place than asked for is degraded. `rejected` counts rows
 * that could not be read.
 */
export interface SearchResult {
  shape: 'found' | 'empty' | 'malformed'
  query?: string
  viewport?: { latitude: number; longitude: number; altitude: number }
  places: FoundPlace[]
  ads: FoundPlace[]
  rejected: number
}

/** Reads a search payload, already parsed from JSON. Never throws. `now` in milliseconds. */
export function parseSearchPayload(payload: unknown, { now = Date.now() }: { now?: number } = {}): SearchResult {
  const nodes = organicNodes(payload)
  const sponsored = nodesAt(listAt(payload, 2, 1, 0), 15)
  const places = readNodes(nodes, false, now)
  const ads = readNodes(sponsored, true, now)
  const query = textAt(payload, 0, 0)
  const viewport = viewportOf(payload)
  return {
    shape: shapeOf(nodes.length, places.length, query !== undefined && viewport !== undefined),
    ...(query === undefined ? {} : { query }),
    ...(viewport === undefined ? {} : { viewport }),
    places,
    ads,
    rejected: nodes.length - places.length + sponsored.length - ads.length,
  }
}

function shapeOf(rows: number, places: number, answersOurQuestion: boolean): SearchResult['shape'] {
  if (places > 0) return 'found'
  return rows === 0 && answersOurQuestion ? 'empty' : 'malformed'
}

// Rows of [0][1] have the node at 14; its first row is a header, save with a single match. A newer envelope has its list
// at [64]. A query that is an address gives a node of the address, with the businesses there at 68.
function organicNodes(payload: unknown): Node {
  const rows = listAt(payload, 0, 1)
  const nodes = nodesAt(rows, 14)
  if (nodes.length === 0) return nodesAt(listAt(payload, 64), 1)
  const there = nodes.length === 1 ? businessesAt(nodes[0]) : []
  return there.length > 0 ? there : nodes
}

const nodesAt = (rows: Node, index: number): Node =>
  rows.map((row) => getAt(row, index)).filter((node) => Array.isArray(node))

// Each member of the list begins with its node, by the word of public tools; no recording has one.
const businessesAt = (node: unknown): Node => nodesAt(listAt(node, 68), 0)

function readNodes(nodes: Node, sponsored: boolean, now: number): FoundPlace[] {
  return nodes.flatMap((node, index) => {
    const result = readPlaceNode(node, now)
    return result.ok ? [{ place: result.place, extra: result.extra, sponsored, position: index + 1 }] : []
  })
}

// [altitude, longitude, latitude]
function viewportOf(payload: unknown): SearchResult['viewport'] {
  const altitude = numberAt(payload, 1, 0, 0)
  const longitude = numberAt(payload, 1, 0, 1)
  const latitude = numberAt(payload, 1, 0, 2)
  if (altitude === undefined || longitude === undefined || latitude === undefined) return undefined
  return { latitude, longitude, altitude }
}
