import type { Place } from '@placefleet/shared/place'
import { isForeign } from '../../answers/language.ts'
import { getAt, integerAt, lineAt, listAt, omitUndefined, textAt } from '../../answers/values.ts'
import { type Photo, photoCount, readImages, shownPhotos } from '../../photos/payload.ts'
import { readInlineReviews } from '../../reviews/payload.ts'
import type { Locale } from '../../urls/parameters.ts'
import { placeKey } from '../../urls/place-url.ts'
import { isClaimed, readAbout, readOwner } from './about.ts'
import { readContact, readLinks } from './contact.ts'
import { readHours, readPopularTimes } from './hours.ts'
import { closedOf, keyOf, kgmidOf, ratingOf, readIdentity, readRating, titleOf } from './summary.ts'

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

/** What an answer tells of a place beside what a place holds. */
export interface PlaceExtra {
  kgmid?: string | undefined
  /** How many photos the site has of the place. */
  photo_count?: number | undefined
  /** Whether an account answers for the place. Short answers name none. */
  claimed: boolean
  closed?: 'permanently' | 'temporarily' | undefined
  /** The single photos of the answer itself, beyond the one of each tab in `images`. */
  photos: Photo[]
}

/**
 * A place, valid under its schema; or why there is none: `stub` = the short notice that pages hold before the payload
 * comes, `malformed` = no payload of a place; `no_title`, `no_key` = a payload whose layout has changed.
 */
export type PlaceResult =
  | { ok: true; place: Place; extra: PlaceExtra }
  | { ok: false; reason: 'stub' | 'no_title' | 'no_key' | 'malformed' }

const CLOSED_STATUS = { permanently: 'Permanently closed', temporarily: 'Temporarily closed' } as const

/**
 * Reads a place node: member 6 of a place payload, member 14 of a row of a search payload; both have the same layout.
 * Members that are missing, of another type or out of bounds are left out. `payload` is what surrounds the node.
 */
export function readPlaceNode(node: unknown, now: number, payload?: unknown): PlaceResult {
  if (!Array.isArray(node)) return { ok: false, reason: 'malformed' }
  const title = titleOf(node)
  const key = keyOf(node)
  if (title === undefined) return { ok: false, reason: 'no_title' }
  if (key === undefined) return { ok: false, reason: 'no_key' }
  const extra = readExtra(node, payload)
  const place: Place = omitUndefined({
    place_key: key,
    title,
    ...readIdentity(node, key),
    ...readContact(node, title),
    ...readRating(node),
    ...readHours(node),
    ...readPopularTimes(node),
    ...readOwner(node),
    ...readImages(node),
    ...readLinks(node),
    ...readAbout(node),
    ...readInlineReviews(node, now),
  })
  // A place that is closed for good may say so by its code alone, and nothing else of a place tells it.
  if (extra.closed !== undefined) place.status ??= CLOSED_STATUS[extra.closed]
  return { ok: true, place, extra }
}

function readExtra(node: unknown, payload: unknown): PlaceExtra {
  return omitUndefined({
    kgmid: kgmidOf(node),
    photo_count: photoCount(node),
    claimed: isClaimed(node),
    closed: closedOf(node),
    photos: shownPhotos(node, payload),
  })
}

/** A place as read, what of it the site seems to have held back, and whether it is in another language than asked for. */
export type ReadPlace = {
  readonly result: PlaceResult
  readonly missing: readonly MissingPart[]
  readonly foreign: boolean
}

/** Reads a place payload and says what is missing from it. */
export function readPayload(payload: unknown, { language }: Locale): ReadPlace {
  const foreign = isForeign(getAt(payload, 6), language)
  return { result: parsePlacePayload(payload), missing: missingParts(payload), foreign }
}
