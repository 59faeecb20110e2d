import type { Place } from '@placefleet/shared/place'
import { cidFromKey } from '@placefleet/shared/place-key'
import type { CheerioAPI } from 'cheerio/slim'
import { attributeOf, countIn, countsIn, loadPage, type Part, ratingIn, textOf } from '../answers/dom.ts'
import { pageState, placeOfState } from '../answers/page-state.ts'
import { internationalNumber } from '../answers/phone-number.ts'
import { filled, omitUndefined, readEach, readUrl, readWebsiteUrl } from '../answers/values.ts'
import { readDrawnReviews } from '../reviews/drawn.ts'
import type { SelectorsSeen } from '../session/scroll.ts'
import { type PlaceUrl, parsePlaceUrl } from '../urls/place-url.ts'
import { readDrawnHours } from './drawn-hours.ts'
import type { PlaceResult } from './payload/payload.ts'
import { placeLink } from './payload/summary.ts'

const STARS = [5, 4, 3, 2, 1] as const

/** The language of the page, and its URL, which names the shown place. */
interface DrawnOptions {
  readonly language: string
  readonly url?: string
}

/**
 * Reads a place from the drawn page: the last resort when no payload comes. The page shows less than a payload holds: no
 * popular times, no attributes, 3 reviews. Never throws.
 */
export function parseDrawnPlace(html: string, { language, url }: DrawnOptions): PlaceResult {
  const $ = loadPage(html)
  // An ad may have an h1 before this one.
  const title = textOf($('h1.DUwDvf'))
  if (title === undefined) return { ok: false, reason: 'no_title' }
  // The state names the place of the first page opened; the address names the place shown now.
  const named = (url === undefined ? undefined : parsePlaceUrl(url)) ?? placeOfState(pageState(html))
  if (named === undefined) return { ok: false, reason: 'no_key' }
  const place: Place = omitUndefined({
    ...identityOf(named),
    title,
    ...readDrawnContact($),
    ...readDrawnRating($),
    ...readDrawnHours($, language),
    user_reviews: readDrawnReviews($),
  })
  return { ok: true, place, extra: { photos: [] } }
}

/** Returns which selectors of a drawn place matched, of those that match on most pages. */
export function placeSelectors({ category, address, rating, open_hours }: Place): SelectorsSeen {
  return {
    'place: category': category !== undefined,
    'place: address': address !== undefined,
    'place: rating': rating !== undefined,
    'place: hours': open_hours !== undefined,
  }
}

function identityOf({ place_key, place_id, latitude, longitude }: PlaceUrl): Pick<Place, 'place_key'> & Partial<Place> {
  return {
    place_key,
    data_id: place_key,
    cid: cidFromKey(place_key),
    link: placeLink(place_key),
    place_id,
    latitude,
    longitude,
  }
}

function readDrawnContact($: CheerioAPI): Partial<Place> {
  const item = (id: string) => $(`[data-item-id="${id}"]`)
  const category = textOf($('button.DkEaL'))
  const phone = $('[data-item-id^="phone:tel:"]')
  return {
    category,
    categories: category === undefined ? undefined : [category],
    address: shownValue(item('address')),
    plus_code: shownValue(item('oloc')),
    phone: shownValue(phone),
    // "phone:tel:+12134730800"; without the country code when the site shows none.
    phone_e164: internationalNumber(phone.first().attr('data-item-id')?.slice('phone:tel:'.length) ?? ''),
    website: readWebsiteUrl(item('authority').attr('href')),
    menu: linkOf(item('menu')),
    reservations: filled(readEach([item('action:1')], linkOf), 1),
    thumbnail: readUrl($('.RZ66Rb img').first().attr('src')),
  }
}

// The label repeats the value behind a word ("Address: …") in the page's language.
function shownValue(item: Part): string | undefined {
  const label = attributeOf(item, 'aria-label')
  return textOf(item.first().find('.Io6YTe')) ?? label?.slice(label.indexOf(':') + 1).trim()
}

function linkOf(item: Part): Place['menu'] {
  const link = readUrl(item.first().attr('href'))
  return link === undefined ? undefined : omitUndefined({ link, source: textOf(item.first().find('.gSkmPd')) })
}

// "4.7 ★★★★★ (17,059)": the rating, then the count.
function readDrawnRating($: CheerioAPI): Pick<Place, 'rating' | 'review_count' | 'reviews_per_rating'> {
  const [rating, count] = $('.F7nice')
    .first()
    .children('span')
    .toArray()
    .map((part) => $(part))
  const stars = rating && ratingIn(textOf(rating.find('[aria-hidden="true"]')))
  return {
    rating: stars,
    review_count: stars === undefined || count === undefined ? undefined : countIn(textOf(count)),
    reviews_per_rating: readHistogram($),
  }
}

// One row per number of stars, 5 first: "5 stars, 13,894 reviews", in the words and order of the language.
function readHistogram($: CheerioAPI): Place['reviews_per_rating'] {
  const labels = $('tr.BHOKXe[aria-label]')
    .toArray()
    .map((row) => attributeOf($(row), 'aria-label'))
  const counts = STARS.map((stars, index) => countBeside(stars, labels[index]))
  if (labels.length !== STARS.length || counts.some((count) => count === undefined)) return undefined
  return Object.fromEntries(STARS.map((stars, index) => [stars, counts[index]]))
}

function countBeside(stars: number, label: string | undefined): number | undefined {
  const [one, other, ...more] = countsIn(label)
  if (one === undefined || other === undefined || more.length > 0) return undefined
  if (one === stars) return other
  return other === stars ? one : undefined
}
