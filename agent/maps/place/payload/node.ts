import type { Place } from '@placefleet/shared/place'
import { omitUndefined } from '../../answers/fit.ts'
import type { Photo } from '../../photos/payload.ts'
import { readInlineReviews } from '../../reviews/list.ts'
import { isClaimed, readAbout, readOwner } from './about.ts'
import { readContact } from './contact.ts'
import { readHours, readPopularTimes } from './hours.ts'
import { closedOf, keyOf, kgmidOf, readIdentity, titleOf } from './identity.ts'
import { photoCount, readImages, shownPhotos } from './images.ts'
import { readLinks } from './links.ts'
import { readRating } from './rating.ts'

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
