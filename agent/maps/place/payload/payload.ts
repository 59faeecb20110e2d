import type { Place } from '@placefleet/shared/place'
import { placeNodesIn } from '../../answers/place-shape.ts'
import { getAt, lineAt, listAt, type Node, omitUndefined } from '../../answers/values.ts'
import { type Photo, photoCount, readImages, shownPhotos } from '../../photos/payload.ts'
import { readInlineReviews } from '../../reviews/payload.ts'
import { readAbout, readOwner } from './about.ts'
import { readClosed } from './closed.ts'
import { readContact, readLinks } from './contact.ts'
import { readHours, readPopularTimes } from './hours.ts'
import { readIntervals } from './intervals.ts'
import { readOffers, readPosts } from './offers.ts'
import { keyOf, ratingOf, readIdentity, readRating, reviewCountOf, titleOf } from './summary.ts'
import { readVisitors } from './visitors.ts'

const NODE = 6
const SHORTEST_ENVELOPE = 7

/** Returns the node of a place payload: where all captures have it, else what looks like one. */
function nodeOf(payload: unknown): unknown {
  if (!Array.isArray(payload)) return undefined
  const envelope: Node = payload
  const usual = envelope.length >= SHORTEST_ENVELOPE && Array.isArray(envelope[NODE]) ? envelope[NODE] : undefined
  if (keyOf(usual) !== undefined && titleOf(usual) !== undefined) return usual
  return placeNodesIn(envelope)[0] ?? usual
}

/** Reads a place payload. Never throws. `now` is in milliseconds; review times in the future are omitted. */
export function parsePlacePayload(payload: unknown, { now = Date.now() }: { now?: number } = {}): PlaceResult {
  if (!isPlacePayload(payload)) return { ok: false, reason: 'malformed' }
  const result = readPlaceNode(nodeOf(payload), now, payload)
  // The time zone is also outside the node, beside the time of the answer.
  if (result.ok && result.place.timezone === undefined) {
    const timezone = lineAt(payload, 31, 1, 0, 0)
    if (timezone !== undefined) result.place.timezone = timezone
  }
  return result
}

/** Whether a value has the envelope of a place payload, or holds what looks like the node of a place. */
export const isPlacePayload = (payload: unknown): boolean => nodeOf(payload) !== undefined

/** A part that the site omits for unknown clients (without the cookie `NID`). */
export type MissingPart = 'review_count' | 'hours' | 'reviews'

export const missingParts = (payload: unknown): MissingPart[] => missingPartsOf(nodeOf(payload))

/**
 * Returns the parts that the site seems to have omitted from the node of a place: the review count or the reviews of a
 * rated place, or all but one day of hours. Another client may get them. A node with reviews or popular times is not
 * trimmed: when its count is missing, the place hides it.
 */
export function missingPartsOf(node: unknown): MissingPart[] {
  const rated = ratingOf(node) !== undefined
  const missing: MissingPart[] = []
  const rich = [52, 84, 175].some((part) => getAt(node, part) !== undefined)
  if (rated && reviewCountOf(node) === undefined && !rich) missing.push('review_count')
  if (listAt(node, 203, 0).length === 1) missing.push('hours')
  if (rated && getAt(node, 175) === undefined && getAt(node, 52) === undefined) missing.push('reviews')
  return missing
}

export const isComplete = (payload: unknown): boolean => isPlacePayload(payload) && missingParts(payload).length === 0

export interface PlaceExtra {
  photo_count?: number | undefined
  /** The single photos of the answer. `images` of the place holds one photo per tab. */
  photos: Photo[]
}

/**
 * A place that is valid under its schema, or why it could not be read. `malformed`: not a place payload, as the stub of
 * 2 KB that some pages hold. `no_title`, `no_key`: the layout of payloads has changed.
 */
export type PlaceResult =
  | { ok: true; place: Place; extra: PlaceExtra }
  | { ok: false; reason: 'no_title' | 'no_key' | 'malformed' }

/** Reads a place node: member 6 of a place payload, 14 of a row of a search payload. `payload` is around the node. */
export function readPlaceNode(node: unknown, now: number, payload?: unknown): PlaceResult {
  const read = readSummary(node)
  return read.ok ? { ok: true, ...completePlace(read.summary, node, now, payload) } : read
}

type SummaryResult = { ok: true; summary: Place } | Extract<PlaceResult, { ok: false }>

/** Reads what references and the filters of a job need of a place. It takes a quarter of the time of the whole node. */
export function readSummary(node: unknown): SummaryResult {
  if (!Array.isArray(node)) return { ok: false, reason: 'malformed' }
  const title = titleOf(node)
  const key = keyOf(node)
  if (title === undefined) return { ok: false, reason: 'no_title' }
  if (key === undefined) return { ok: false, reason: 'no_key' }
  const facts = { ...readIdentity(node, key), ...readContact(node, title), ...readRating(node), ...readClosed(node) }
  return { ok: true, summary: omitUndefined({ place_key: key, title, ...facts }) }
}

/** Returns a place with all that its node holds, given its summary. The rest as for `readPlaceNode`. */
export function completePlace(
  summary: Place,
  node: unknown,
  now: number,
  payload?: unknown,
): { place: Place; extra: PlaceExtra } {
  const place: Place = omitUndefined({
    ...summary,
    ...readHours(node),
    ...readIntervals(node),
    ...readPopularTimes(node),
    ...readOwner(node),
    ...readImages(node),
    ...readLinks(node),
    ...readAbout(node),
    ...readOffers(node),
    ...readPosts(node, now),
    ...readVisitors(node),
    ...readInlineReviews(node, now),
  })
  return { place, extra: omitUndefined({ photo_count: photoCount(node), photos: shownPhotos(node, payload) }) }
}

export type PlaceReading = {
  readonly result: PlaceResult
  readonly missing: readonly MissingPart[]
}

export const readPayload = (payload: unknown): PlaceReading => ({
  result: parsePlacePayload(payload),
  missing: missingParts(payload),
})
