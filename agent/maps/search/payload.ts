import { metresBetween, type Point } from '@placefleet/shared/great-circle'
import type { Place } from '@placefleet/shared/place'
import { getAt, listAt, type Node, numberAt, textAt } from '../answers/values.ts'
import { type PlaceExtra, readPlaceNode } from '../place/payload/payload.ts'

/** A place of a search answer. */
export interface FoundPlace {
  place: Place
  extra: PlaceExtra
}

/**
 * A search answer without its ads. `empty`: it has the query and the viewport, but no rows. `malformed`: it has another
 * shape, or rows without any place. `viewport` is the middle of the map that the site searched, in degrees.
 */
export interface SearchResult {
  shape: 'found' | 'empty' | 'malformed'
  viewport?: Point
  places: FoundPlace[]
}

/** Reads a search payload that was parsed from JSON. Never throws. `now` is in milliseconds. */
export function parseSearchPayload(payload: unknown, { now = Date.now() }: { now?: number } = {}): SearchResult {
  const nodes = organicNodes(payload)
  const places = readNodes(nodes, now)
  const viewport = viewportOf(payload)
  return {
    shape: shapeOf(nodes.length, places.length, textAt(payload, 0, 0) !== undefined && viewport !== undefined),
    ...(viewport === undefined ? {} : { viewport }),
    places,
  }
}

/** An answer farther than this from the requested point is about another part of the world. */
const ELSEWHERE_METRES = 200_000

/** Returns whether the site searched in another part of the world than requested. */
export function isElsewhere(result: SearchResult, asked: { readonly viewport?: Point | undefined }): boolean {
  if (result.viewport === undefined || asked.viewport === undefined) return false
  return metresBetween(result.viewport, asked.viewport) > ELSEWHERE_METRES
}

function shapeOf(rows: number, places: number, answersOurQuestion: boolean): SearchResult['shape'] {
  if (places > 0) return 'found'
  return rows === 0 && answersOurQuestion ? 'empty' : 'malformed'
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

function readNodes(nodes: Node, now: number): FoundPlace[] {
  return nodes.flatMap((node) => {
    const result = readPlaceNode(node, now)
    return result.ok ? [{ place: result.place, extra: result.extra }] : []
  })
}

// [altitude, longitude, latitude]
function viewportOf(payload: unknown): SearchResult['viewport'] {
  const longitude = numberAt(payload, 1, 0, 1)
  const latitude = numberAt(payload, 1, 0, 2)
  if (longitude === undefined || latitude === undefined) return undefined
  return { latitude, longitude }
}
