import { type Place, WEEKDAYS, type Weekday } from '@placefleet/shared/place'
import { cidFromKey } from '@placefleet/shared/place-key'
import type { Review } from '@placefleet/shared/review'
import type { CheerioAPI } from 'cheerio/slim'
import { agreeing } from '../answers/closed-words.ts'
import { attributeOf, countIn, countsIn, loadPage, type Part, paragraphOf, ratingIn, textOf } from '../answers/dom.ts'
import { pageState, placeOfState } from '../answers/page-state.ts'
import { internationalNumber } from '../answers/phone-number.ts'
import { eachOnce, filled, fitLine, omitUndefined, readEach, readUrl, readWebsiteUrl } from '../answers/values.ts'
import { fitStars } from '../reviews/payload.ts'
import { parsePlaceUrl } from '../urls/place-url.ts'
import type { PlaceResult } from './payload/payload.ts'
import { placeLink } from './payload/summary.ts'

const STARS = [5, 4, 3, 2, 1] as const

/**
 * Reads a place from the drawn page: the last resort when no payload comes. The page shows less than a payload holds:
 * no popular times, no attributes, 3 reviews. Never throws.
 * @param url of the page, which names the shown place
 */
export function parseDrawnPlace(html: string, { language, url }: { language: string; url?: string }): PlaceResult {
  const $ = loadPage(html)
  // An ad may have an h1 before this one.
  const title = textOf($('h1.DUwDvf'))
  if (title === undefined) return { ok: false, reason: 'no_title' }
  // The state names the place of the first page opened; the address names the place shown now.
  const named = (url === undefined ? undefined : parsePlaceUrl(url)) ?? placeOfState(pageState(html))
  if (named === undefined) return { ok: false, reason: 'no_key' }
  const { place_key, place_id, latitude, longitude } = named
  const place: Place = omitUndefined({
    place_key,
    data_id: place_key,
    cid: cidFromKey(place_key),
    link: placeLink(place_key),
    place_id,
    latitude,
    longitude,
    title,
    ...readDrawnContact($),
    ...readDrawnRating($),
    ...readDrawnHours($, language),
    user_reviews: readDrawnReviews($),
  })
  return { ok: true, place, extra: { photos: [] } }
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

function readDrawnRating($: CheerioAPI): Partial<Place> {
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
  const [first, second, ...more] = countsIn(label)
  if (first === undefined || second === undefined || more.length > 0) return undefined
  if (first === stars) return second
  return second === stars ? first : undefined
}

const A_MONDAY = Date.UTC(2024, 0, 1)
const DAY = 24 * 3_600_000
const MAX_SLOTS = 20

// Weekdays are recognised by their names in the language of the page.
function readDrawnHours($: CheerioAPI, language: string): Partial<Place> {
  const names = weekdayNames(language)
  const hours: Partial<Record<Weekday, string[]>> = {}
  for (const row of $('table.eK4R0e tr.y0skZc').toArray()) {
    const weekday = weekdayNamed(textOf($(row).find('td.ylH6lf')), names)
    const texts = readEach($(row).find('li.G8aQO').toArray(), (slot) => fitLine($(slot).text()))
    const slots = texts.slice(0, MAX_SLOTS)
    if (weekday !== undefined && slots.length > 0) hours[weekday] ??= slots
  }
  return {
    open_hours: Object.keys(hours).length > 0 ? hours : undefined,
    ...agreeing(undefined, textOf($('.ZDu9vd'))),
  }
}

// More may follow the name of the day: "Thursday (Thanksgiving)". The longest matching name decides.
function weekdayNamed(text: string | undefined, names: readonly string[]): Weekday | undefined {
  const written = text?.toLowerCase() ?? ''
  const fitting = names.filter((name) => written.startsWith(name)).sort((a, b) => b.length - a.length)
  return WEEKDAYS[names.indexOf(fitting[0] ?? '')]
}

function weekdayNames(language: string): string[] {
  // The region of a language (zh-TW) does not change the names of weekdays, and a malformed one would throw.
  const [code = 'en'] = /^[a-z]{2,3}(?=-|$)/i.exec(language) ?? []
  const format = new Intl.DateTimeFormat(code, { weekday: 'long', timeZone: 'UTC' })
  return WEEKDAYS.map((_, index) => format.format(A_MONDAY + index * DAY).toLowerCase())
}

const MAX_REVIEWS = 500

/** The page cuts long texts, and shows only a relative time ("2 weeks ago"). */
function readDrawnReviews($: CheerioAPI): Review[] | undefined {
  const reviews = readEach($('div.jftiEf[data-review-id]').toArray(), (review) => readDrawnReview($(review)))
  return filled(eachOnce(reviews), MAX_REVIEWS)
}

function readDrawnReview(review: Part): Review | undefined {
  const id = attributeOf(review, 'data-review-id')
  if (id === undefined) return undefined
  // The owner's reply stands inside the review, with the same class for its text.
  const own = review.clone()
  own.find('.CDe7pd').remove()
  return omitUndefined({
    id,
    author: textOf(own.find('.d4r55')),
    rating: starsIn(attributeOf(own.find('.kvMYJc'), 'aria-label')),
    text: paragraphOf(own.find('.wiI7pd')),
    relative_time: textOf(own.find('.rsqaWe')),
  })
}

// "4 stars", in words. Texts with two numbers ("4 of 5") are ambiguous in some languages, so they are skipped.
function starsIn(label: string | undefined): number | undefined {
  const [stars, ...more] = countsIn(label)
  return more.length === 0 ? fitStars(stars) : undefined
}
