import type { PlaceDetails } from '../city/details.ts'
import { CITY } from '../city/geography.ts'
import type { ReviewDetails } from '../city/reviews.ts'
import {
  addressLine,
  categoriesOf,
  contributorLink,
  nameInUrl,
  reviewsLink,
  shortPlusCode,
  shownAddress,
} from '../truth.ts'
import { localAddress } from '../truth-extras.ts'
import type { View } from '../view.ts'
import { bulkOf } from './bulk.ts'
import { extraMembers } from './extras.ts'
import { deliveryHoursCell, hoursCell } from './hours.ts'
import { aboutCell, actionsCell, menuCell, popularTimesCell, reservationsCell } from './offers.ts'
import { photosCell, photoTabsCell, thumbnailCell } from './photos.ts'
import { reviewItem } from './reviews.ts'
import { type Cell, row } from './row.ts'
import { clickId, sessionId } from './tracking.ts'

/** The number of reviews in a place payload. */
export const INLINE_REVIEWS = 8

const NODE_LENGTH = 260

const ratingCell = (place: PlaceDetails, view: View, trimmed: boolean): Cell | undefined => {
  const { rating, price } = place
  if (trimmed) return rating && row({ 7: rating.value })
  if (!rating) return price ? row({ 2: price, 4: price }) : undefined
  const count = rating.perStar && rating.count
  return row({
    2: price,
    3: count && [reviewsLink(place, view), view.words.reviewCount(count), null, clickId(place.index, 3)],
    4: price,
    7: rating.value,
    8: count,
  })
}

const addressMembers = (place: PlaceDetails, view: View): Record<number, Cell | undefined> => {
  const line = shownAddress(place, view)
  if (!place.address || !line) return { 18: place.title }
  const { borough = null, street, postalCode } = place.address
  return {
    2: [street, `${postalCode} ${CITY.name}`],
    14: borough,
    18: `${place.title}, ${line}`,
    39: line,
    82: [borough, street, street, CITY.name],
    166: CITY.name,
  }
}

const placeLocation = (place: PlaceDetails, fields: Fields): Cell | undefined => {
  if (!place.address) return undefined
  const { borough = null, street, postalCode, state = null } = place.address
  const codes: Cell = [clickId(place.index, 4), [place.plusCode], [shortPlusCode(place)], 2]
  return row({
    0: [
      [7, [[place.title], [street]]],
      [1, [[addressLine(place) ?? '']]],
    ],
    1: [borough, street, street, CITY.name, postalCode, state, CITY.country],
    2: fields === 'short' ? undefined : codes,
  })
}

const phoneCell = ({ phone }: PlaceDetails): Cell | undefined => {
  if (!phone) return undefined
  const digits = phone.national.replaceAll(' ', '')
  return [
    [
      phone.national,
      [
        [phone.national, 1],
        [phone.international, 2],
      ],
      null,
      digits,
      null,
      [`tel:${digits}`],
    ],
  ]
}

const websiteCell = (place: PlaceDetails): Cell | undefined => {
  const url = place.web.listedAs ?? place.web.url
  if (!place.web.url || !url) return undefined
  return [
    url,
    new URL(place.web.url).hostname.replace(/^www\./, ''),
    null,
    null,
    `,AOvVaw,,${clickId(place.index, 5)},`,
  ]
}

const claimLink = (place: PlaceDetails) =>
  place.ownerId
    ? `https://business.google.com/verify/sitemanager/?fp=${place.ids.cid}`
    : `https://business.google.com/create?fp=${place.ids.cid}&hl=en&getstarted`

const closedMark = (place: PlaceDetails) => {
  if (place.closed === 'permanently') return 'CLOSED_PERMANENTLY'
  if (place.closed === 'temporarily') return 'CLOSED_TEMPORARILY'
  return place.index % 5 === 0 ? 'Dogs allowed' : null
}

type Fields = 'short' | 'full'

/** Returns the members of both search and place payloads. A short list of fields in the request omits some. */
function sharedMembers(
  place: PlaceDetails,
  view: View,
  trimmed: boolean,
  fields: Fields,
): Record<number, Cell | undefined> {
  const { ids, location } = place
  const full = fields === 'full'
  return {
    0: sessionId(place.index),
    1: clickId(place.index, 1),
    ...addressMembers(place, view),
    4: ratingCell(place, view, trimmed),
    7: websiteCell(place),
    9: [null, null, location.lat, location.lon],
    10: ids.dataId,
    11: place.title,
    13: categoriesOf(place, view),
    23: place.closed === 'permanently' ? 1 : undefined,
    30: CITY.timezone,
    37: full ? photosCell(place) : undefined,
    57: full ? ownerCell(place, view) : undefined,
    72: full ? thumbnailCell(place) : undefined,
    75: full ? actionsCell(place) : undefined,
    76: [[place.category]],
    78: ids.placeId,
    88: [closedMark(place), place.categoryType, null, place.title],
    89: ids.kgmid,
    100: aboutCell(place, view),
    101: place.localTitle,
    110: view.language,
    149: localAddress(place),
    178: phoneCell(place),
    183: placeLocation(place, fields),
    203: hoursCell(place, view, trimmed ? 1 : 7),
    208: [[null, null, location.lat, location.lon]],
    227: [row({ 0: ids.dataId, 3: ids.kgmid, 4: ids.placeId, 5: ids.listingId, 6: place.ownerId })],
    243: CITY.country,
  }
}

const ownerCell = (place: PlaceDetails, view: View): Cell => {
  const name = `${place.title} (${view.words.owner})`
  return row({ 1: name, 2: place.ownerId, 8: place.ownerId ?? '110000000000000000000' })
}

export function searchNode(place: PlaceDetails, view: View, trimmed: boolean, fields: Fields): Cell[] {
  const shared = sharedMembers(place, view, trimmed, fields)
  return row(
    {
      ...shared,
      49: place.ownerId ? undefined : [claimLink(place)],
      105: view.layout.nodes === 'captured' ? bulkOf(place, 'search') : undefined,
      154: ownerTextCell(place, view),
    },
    NODE_LENGTH,
  )
}

const ownerTextCell = (place: PlaceDetails, view: View): Cell | undefined =>
  place.hasOwnerText
    ? [[view.words.ownerText(place.title)], ['https://www.google.com/local/place/rap/merchantdescription']]
    : undefined

const histogram = (place: PlaceDetails): Cell | undefined => place.rating?.perStar

// Recorded nodes repeat the reviews with their photos at [7].
const reviewsCell = (place: PlaceDetails, list: Cell[] | undefined, { layout }: View): Cell =>
  row({
    1: [null, 1],
    2: 0,
    3: histogram(place),
    7: list && layout.nodes === 'captured' ? bulkOf(place, 'reviews') : undefined,
    9: list && [list],
  })

const reviewMembers = (place: PlaceDetails, view: View, inline: readonly ReviewDetails[]) => {
  const items = inline.map((review) => reviewItem(place, review, view))
  return { 175: reviewsCell(place, items.length > 0 ? [items] : undefined, view) }
}

const neighbourCell = (neighbour: PlaceDetails): Cell => {
  const { ids, location, rating, title } = neighbour
  const node = row({
    4: rating && row({ 7: rating.value, 8: rating.count }),
    9: [null, null, location.lat, location.lon],
    10: ids.dataId,
    11: title,
  })
  return [ids.dataId, node]
}

interface Shown {
  trimmed: boolean
  inline: readonly ReviewDetails[]
  /** The similar place that the node shows. */
  neighbour: PlaceDetails
}

/** Returns the node of a place in a place payload: about 260 members at `[6]`. */
export function placeNode(place: PlaceDetails, view: View, { trimmed, inline, neighbour }: Shown): Cell[] {
  const { lat, lon } = place.location
  const rich: Record<number, Cell | undefined> = trimmed
    ? {}
    : {
        ...reviewMembers(place, view, inline),
        84: popularTimesCell(place, view),
        ...extraMembers(place, view),
      }
  return row(
    {
      ...sharedMembers(place, view, trimmed, 'full'),
      32: place.hasEditorial
        ? [
            [null, view.words.editorial],
            [null, view.words.editorial],
          ]
        : undefined,
      38: menuCell(place),
      42: `https://www.google.com/maps/preview/place/${nameInUrl(place.title)}/@${lat},${lon},3281a,13.1y/data=!4m2!3m1!1s${place.ids.dataId}`,
      46: reservationsCell(place),
      49: [claimLink(place)],
      99: [[[view.words.alsoSearched, [neighbourCell(neighbour)]]]],
      105: view.layout.nodes === 'captured' ? bulkOf(place, trimmed ? 'trimmed' : 'pictures') : undefined,
      118: deliveryHoursCell(place, view),
      154: ownerTextCell(place, view),
      157: place.ownerId && contributorLink(place.ownerId),
      171: photoTabsCell(place, view),
      ...rich,
    },
    NODE_LENGTH,
  )
}
