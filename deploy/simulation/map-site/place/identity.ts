import type { Place } from '@placefleet/shared/place'
import { CITY } from '../city/geography.ts'
import { type Cell, row } from '../payload/row.ts'
import { clickId, sessionId } from '../payload/tracking.ts'
import type { View } from '../view.ts'
import type { PlaceDetails } from './details.ts'
import type { Facet } from './facet.ts'

export const SITE = 'https://www.google.com'

/** Encodes the place's name for a URL, with "+" for spaces. */
export const nameInUrl = (title: string) => encodeURIComponent(title).replaceAll('%20', '+').replaceAll("'", '%27')

/** Returns the URL of a contributor's page. */
export const contributorLink = (account: string) => `${SITE}/maps/contrib/${account}`

/** Returns ids, names, categories, position, and whether the place is closed. */
export function identityFacet(place: PlaceDetails, { words, language }: View): Facet {
  const { index, title, localTitle, category, ids, closed, ownerId } = place
  const { lat, lon } = place.location
  const categories = [words.category[category.id], ...(index % 3 === 0 ? [words.secondCategory] : [])]
  const otherMark = index % 5 === 0 ? 'Dogs allowed' : null
  const position: Cell = [null, null, lat, lon]
  return {
    members: {
      0: sessionId(index),
      1: clickId(index, 1),
      9: position,
      10: ids.dataId,
      11: title,
      13: categories,
      23: closed === 'permanently' ? 1 : undefined,
      30: CITY.timezone,
      42: `${SITE}/maps/preview/place/${nameInUrl(title)}/@${lat},${lon},3281a,13.1y/data=!4m2!3m1!1s${ids.dataId}`,
      76: [[category.id]],
      78: ids.placeId,
      88: [
        closed ? `CLOSED_${closed.toUpperCase()}` : otherMark,
        `SearchResult.TYPE_${category.id.toUpperCase()}`,
        null,
        title,
      ],
      89: ids.kgmid,
      101: localTitle,
      110: language,
      208: [position],
      227: [row({ 0: ids.dataId, 3: ids.kgmid, 4: ids.placeId, 5: ids.listingId, 6: ownerId })],
      243: CITY.country,
    },
    truth: {
      place_key: ids.dataId,
      data_id: ids.dataId,
      place_id: ids.placeId,
      cid: ids.cid,
      title,
      local_title: localTitle,
      link: `${SITE}/maps/place/${nameInUrl(title)}/data=!4m2!3m1!1s${ids.dataId}!10m1!1e1`,
      category: words.category[category.id],
      categories,
      latitude: lat,
      longitude: lon,
      timezone: CITY.timezone,
      closed,
    },
  }
}

/** Returns address, phone and website. A business that only visits its customers has no address. */
export function contactFacet(place: PlaceDetails, view: View): Facet {
  const { index, web, phone } = place
  const digits = phone?.national.replaceAll(' ', '') ?? ''
  const numbers: Cell = phone
    ? [
        [phone.national, 1],
        [phone.international, 2],
      ]
    : []
  const host = web.url && new URL(web.url).hostname.replace(/^www\./, '')
  const site = web.listedAs ?? web.url
  const address = addressFacet(place, view)
  return {
    members: {
      ...address.members,
      7: site && host && [site, host, null, null, `,AOvVaw,,${clickId(index, 5)},`],
      178: phone && [[phone.national, numbers, null, digits, null, [`tel:${digits}`]]],
    },
    truth: {
      ...address.truth,
      website: web.url,
      phone: phone?.national,
      phone_e164: phone?.international.replaceAll(' ', ''),
    },
  }
}

function addressFacet({ index, title, localTitle, address, plusCode }: PlaceDetails, view: View): Facet {
  if (!address) return { members: { 18: title }, truth: {} }
  const { street, postalCode, line } = address
  const [borough, state] = [address.borough ?? null, address.state ?? null]
  const shown = view.withCountry ? `${line}, ${view.words.country}` : line
  const shortCode = `${plusCode.slice(4)} ${CITY.name}`
  const local = localTitle && `An der Ecke, ${line}`
  const names: Cell = [
    [7, [[title], [street]]],
    [1, [[line]]],
  ]
  const parts: Cell = [borough, street, street, CITY.name, postalCode, state, CITY.country]
  return {
    members: {
      2: [street, `${postalCode} ${CITY.name}`],
      14: borough ?? undefined,
      18: `${title}, ${shown}`,
      39: shown,
      82: [borough, street, street, CITY.name],
      149: local,
      166: CITY.name,
      183: [names, parts, [clickId(index, 4), [plusCode], [shortCode], 2]],
    },
    truth: {
      address: line,
      local_address: local,
      complete_address: {
        borough: address.borough,
        street,
        city: CITY.name,
        postal_code: postalCode,
        state: address.state,
        country: CITY.country,
      },
      plus_code: shortCode,
    },
  }
}

/** Returns rating, counts and price. `[175][3]` has the counts by stars. */
export function ratingFacet({ index, ids, title, rating, price }: PlaceDetails, { hl, words }: View): Facet {
  if (!rating)
    return {
      members: { 4: price && row({ 2: price, 4: price }) },
      truth: { rating: 0, review_count: 0, price_range: price },
    }
  const link = `https://search.google.com/local/reviews?placeid=${ids.placeId}&q=${nameInUrl(title)}&authuser=0&hl=${hl}&gl=DE`
  const { value, perStar } = rating
  const count = perStar && rating.count
  const list = count && [link, words.reviewCount(count), null, clickId(index, 3)]
  const counts: Partial<Place> = perStar
    ? {
        review_count: rating.count,
        reviews_per_rating: Object.fromEntries(perStar.map((number, stars) => [stars + 1, number])),
        reviews_link: link,
      }
    : {}
  return {
    members: { 4: row({ 2: price, 3: list, 4: price, 7: value, 8: count }) },
    truth: { rating: value, price_range: price, ...counts },
  }
}

/** Returns the owner, and the descriptions by the site and by the owner. */
export function ownerFacet({ title, ids, ownerId, hasOwnerText, hasEditorial }: PlaceDetails, { words }: View): Facet {
  const name = `${title} (${words.owner})`
  const text = words.ownerText(title)
  const claim = ownerId ? `verify/sitemanager/?fp=${ids.cid}` : `create?fp=${ids.cid}&hl=en&getstarted`
  const editorial: Cell = [null, words.editorial]
  const link = ownerId && contributorLink(ownerId)
  return {
    members: {
      32: hasEditorial ? [editorial, editorial] : undefined,
      49: [`https://business.google.com/${claim}`],
      57: row({ 1: name, 2: ownerId, 8: ownerId ?? '110000000000000000000' }),
      154: hasOwnerText ? [[text], [`${SITE}/local/place/rap/merchantdescription`]] : undefined,
      157: link,
    },
    truth: {
      claimed: ownerId !== undefined,
      owner: ownerId && link ? { name, id: ownerId, link } : undefined,
      description: hasEditorial ? words.editorial : hasOwnerText ? text : undefined,
    },
  }
}

/** Returns `[99]`: a similar place. It is no result. */
export function neighbourFacet({ ids, location, rating, title }: PlaceDetails, { words }: View): Facet {
  const node = row({
    4: rating && row({ 7: rating.value, 8: rating.count }),
    9: [null, null, location.lat, location.lon],
    10: ids.dataId,
    11: title,
  })
  return {
    members: { 99: [[[words.alsoSearched, [[ids.dataId, node]]]]] },
    truth: { also_searched: [{ title, rating: rating?.value }] },
  }
}
