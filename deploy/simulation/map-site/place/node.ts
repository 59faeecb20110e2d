import { Place } from '@placefleet/shared/place'
import { bulkOf } from '../payload/bulk.ts'
import { type Cell, type Members, row } from '../payload/row.ts'
import { reviewItem, reviewTruth } from '../reviews/item.ts'
import type { ReviewDetails } from '../reviews/reviews.ts'
import type { View } from '../view.ts'
import { aboutFacet } from './about.ts'
import type { PlaceDetails } from './details.ts'
import type { Facet } from './facet.ts'
import { hoursFacet } from './hours.ts'
import { contactFacet, identityFacet, neighbourFacet, ownerFacet, ratingFacet } from './identity.ts'
import { extrasFacet, linksFacet } from './offers.ts'
import { photosFacet } from './photos.ts'

/** The number of reviews in a place payload. */
export const INLINE_REVIEWS = 8

const NODE_LENGTH = 260

const FACETS = [
  identityFacet,
  contactFacet,
  ratingFacet,
  ownerFacet,
  hoursFacet,
  aboutFacet,
  linksFacet,
  extrasFacet,
  photosFacet,
]

const membersOf = (place: PlaceDetails, view: View): Members =>
  Object.assign({}, ...FACETS.map((facet) => facet(place, view).members))

/** What the page of a place shows beside the place itself. */
export type Beside = { readonly inline: readonly ReviewDetails[]; readonly neighbour: PlaceDetails }

/** Returns the node of a place in a place payload: about 260 members at `[6]`. */
export function placeNode(place: PlaceDetails, view: View, trimmed: boolean, { inline, neighbour }: Beside): Cell[] {
  const members = {
    ...membersOf(place, view),
    ...neighbourFacet(neighbour, view).members,
    175: reviewsCell(place, view, inline),
    105: view.nodes === 'captured' ? bulkOf(place, trimmed ? 'trimmed' : 'pictures') : undefined,
  }
  return row(trimmed ? trim(members) : members, NODE_LENGTH)
}

// Recorded nodes repeat the reviews with their photos at [7].
function reviewsCell(place: PlaceDetails, view: View, inline: readonly ReviewDetails[]): Cell {
  const items = inline.map((review) => reviewItem(place, review, view))
  const isLarge = items.length > 0 && view.nodes === 'captured'
  return row({
    1: [null, 1],
    2: 0,
    3: place.rating?.perStar,
    7: isLarge ? bulkOf(place, 'reviews') : undefined,
    9: items.length > 0 ? [[items]] : undefined,
  })
}

/** What searches leave out of a node. */
const NOT_IN_SEARCHES = [32, 38, 42, 46, 84, 117, 120, 122, 125, 126, 153, 157, 171]
/** What trimmed answers leave out. Of ratings they have the stars, and of hours those of today. */
const TRIMMED = [84, 117, 120, 122, 125, 126, 153, 175]

const without = (members: Members, indexes: readonly number[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([index]) => !indexes.includes(Number(index))))

function trim(members: Members): Members {
  const [rating, hours] = [listAt(members, 4), listAt(members, 203)]
  const stars = rating?.[7]
  const [days, ...status] = hours ?? []
  return {
    ...without(members, TRIMMED),
    4: stars === undefined ? undefined : row({ 7: stars }),
    203: hours && [Array.isArray(days) ? days.slice(0, 1) : null, ...status],
  }
}

const listAt = (members: Members, index: number): readonly Cell[] | undefined => {
  const cell = members[index]
  return typeof cell === 'object' && cell !== null ? cell : undefined
}

/** Returns the node of a place in a search payload. */
export function searchNode(place: PlaceDetails, view: View, trimmed: boolean): Cell[] {
  const whole = membersOf(place, view)
  const members = {
    ...without(whole, NOT_IN_SEARCHES),
    49: place.ownerId ? undefined : whole[49],
    105: view.nodes === 'captured' ? bulkOf(place, 'search') : undefined,
  }
  return row(trimmed ? trim(members) : members, NODE_LENGTH)
}

/** Returns what a correct collection of the place page reports, without emails. */
export function placeTruth(place: PlaceDetails, view: View, { inline, neighbour }: Beside): Place {
  const facets: Facet[] = [...FACETS.map((facet) => facet(place, view)), neighbourFacet(neighbour, view)]
  const reviews = inline.map((review) => reviewTruth(review, view))
  const truth = Object.assign(
    {},
    ...facets.map((facet) => facet.truth),
    reviews.length > 0 ? { user_reviews: reviews } : {},
  )
  return Place.parse(JSON.parse(JSON.stringify(truth)))
}
