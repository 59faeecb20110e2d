import { attributeOf, loadPage, type Part, textOf } from '../answers/dom.ts'
import { fitLine, omitUndefined, readEach, readUrl, readWebsiteUrl } from '../answers/values.ts'
import { parsePlaceUrl } from '../urls/place-url.ts'

/** A result card of a search page. An ad's `website` may be `/aclk?…`, which does not name the website. */
export interface Card {
  title: string
  place_key: string
  place_id?: string | undefined
  link: string
  latitude?: number | undefined
  longitude?: number | undefined
  website?: string | undefined
  sponsored: boolean
}

const FEED = 'div[role="feed"]'
const PLACE_LINK = 'a[href*="/maps/place/"]'

/**
 * The link to the website: of the actions that have a value, the only one that is a link. The value itself is a word in
 * the language of the page. Links to a reservation or an order have none.
 */
const WEBSITE_LINK = 'a[data-value]'

/**
 * Reads the HTML of a drawn search page, without cards that are bare addresses. A place can be listed twice, once as an
 * ad. A `spinner` shows that more results follow. Never throws.
 */
export function parseFeed(html: string): { cards: Card[]; spinner: boolean } | undefined {
  const $ = loadPage(html)
  const feed = $(FEED).first()
  if (feed.length === 0) return undefined
  return {
    cards: readEach(feed.find(PLACE_LINK).toArray(), (link) => readCard($(link))),
    spinner: feed.find('div.lXJj5c').length > 0,
  }
}

function readCard(link: Part): Card | undefined {
  const written = attributeOf(link, 'href')
  const href = readUrl(link.attr('href')) ?? written // a relative link names the place too
  const place = href && parsePlaceUrl(href)
  const card = cardOf(link)
  if (card.find(PLACE_LINK).addBack(PLACE_LINK).get(0) !== link.get(0)) return undefined // a second link in one card
  // The label of a visited link has words behind the name.
  const title =
    textOf(card.find('.qBF1Pd')) ?? attributeOf(link, 'aria-label') ?? fitLine(place ? place.title : undefined)
  if (!place || href === undefined || title === undefined || isBareAddress(card, title)) return undefined
  return omitUndefined({
    ...place,
    title,
    link: href,
    website: websiteOf(card.find(WEBSITE_LINK).attr('href')),
    // Only an ad has a heading, which says that it is one.
    sponsored: card.find('h1').length > 0,
  })
}

// An address that the search found is no business. It has no rating, no category before a "·", and a row that repeats
// its name at the beginning of the whole address.
function isBareAddress(card: Part, title: string): boolean {
  if (card.find('.MW4etd').length > 0) return false
  const rows = card.find('.W4Efsd .W4Efsd').toArray()
  const texts = rows.map((row) => textOf(card.find(row)) ?? '')
  return texts.some((text) => text.startsWith(`${title} `)) && !texts.some((text) => /[·⋅]/.test(text))
}

// The element that belongs to this link only: marked by role or class on most pages, else the child of the feed.
function cardOf(link: Part): Part {
  const marked = link.closest('div.Nv2PK, [role="article"]')
  if (marked.length > 0) return marked
  const child = link.parentsUntil(FEED).last()
  return child.find(PLACE_LINK).length === 1 ? child : link
}

function websiteOf(href: string | undefined): string | undefined {
  return readWebsiteUrl(href) ?? (href?.startsWith('/aclk?') ? href : undefined)
}

// Notices on drawn pages, which no data field holds. Known by the element that the site draws and, because class names
// change, by the English words. A missed notice costs time but gives no wrong result.
const LIMITED_VIEW = /class="S3H0Nb[ "][\s\S]{0,800}?<button|aria-label="Learn more about limited view"/
const NOTHING_FOUND = /<div[^<>]*\sclass="(?:[^"]*\s)?Q2vNVc[ "]|Google Maps can(?:'|’|&#39;|&rsquo;)t find/

export const isLimitedView = (html: string): boolean => LIMITED_VIEW.test(html)

export const saysNothingFound = (html: string): boolean => NOTHING_FOUND.test(html)
