import { lineAt } from '../../answers/fit.ts'
import { getAt, integerAt, listAt, textAt } from '../../answers/index-path.ts'
import { placeKey } from '../../urls/ids.ts'
import { type PlaceResult, readPlaceNode } from './node.ts'
import { ratingOf } from './rating.ts'

const NODE = 6
const SHORTEST_ENVELOPE = 7

/**
 * Reads a place payload (the answer of the place request, or what a place page has embedded), already parsed from JSON.
 * Never throws. `now` in milliseconds; review times in the future are left out.
 */
export function parsePlacePayload(payload: unknown, { now = Date.now() }: { now?: number } = {}): PlaceResult {
  if (!isPlacePayload(payload)) return { ok: false, reason: isStub(payload) ? 'stub' : 'malformed' }
  const result = readPlaceNode(getAt(payload, NODE), now, payload)
  // The zone stands beside the node too, in the part with the time of the answer.
  if (result.ok && result.place.timezone === undefined) {
    const timezone = lineAt(payload, 31, 1, 0, 0)
    if (timezone !== undefined) result.place.timezone = timezone
  }
  return result
}

/** Whether a value has the minimal shape of a place payload: at least 7 members, the place node at 6. */
export function isPlacePayload(payload: unknown): boolean {
  return Array.isArray(payload) && payload.length >= SHORTEST_ENVELOPE && Array.isArray(payload[NODE])
}

/** A part that the site cuts off for clients it does not know (no `NID` cookie). */
export type MissingPart = 'review_count' | 'hours' | 'reviews'

/**
 * The parts that a place payload shows signs of having been cut off: a rated place without count, hours of one day, a
 * rated place without counts per star or any review. A richer answer may exist for another client. Empty when complete.
 * An answer that holds reviews or popular times was not trimmed: where it has no count, the place itself hides it.
 */
export function missingParts(payload: unknown): MissingPart[] {
  const node = getAt(payload, NODE)
  const rated = ratingOf(node) !== undefined
  const count = integerAt(node, 4, 8)
  const missing: MissingPart[] = []
  const rich = [52, 84, 175].some((part) => getAt(node, part) !== undefined)
  if (rated && count === undefined && !rich) missing.push('review_count')
  if (listAt(node, 203, 0).length === 1) missing.push('hours')
  if (rated && getAt(node, 175) === undefined && getAt(node, 52) === undefined) missing.push('reviews')
  return missing
}

/** Whether a value is a place payload from which nothing seems cut off. */
export const isComplete = (payload: unknown): boolean => isPlacePayload(payload) && missingParts(payload).length === 0

// Pages hold a notice of 2 KB where others have the payload: [[data id, name, viewport, …], …].
const isStub = (payload: unknown): boolean => placeKey(textAt(payload, 0, 0)) !== undefined
