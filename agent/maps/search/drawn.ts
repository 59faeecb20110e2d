import { attributeOf, countIn, loadPage, type Part, ratingIn, textOf } from '../answers/dom.ts'
import { fitLine, omitUndefined } from '../answers/fit.ts'
import { readUrl } from '../answers/site-url.ts'
import { pbOf, preloadUrl } from '../place/preload.ts'
import { parsePlaceUrl } from '../urls/place-url.ts'
import { isLimitedView } from './notices.ts'

/**
 * A result card of a search page. Without a count the page hides it, or the place is unrated. The `website` of an ad may
 * be `/aclk?…`: there is one, but the page does not tell which.
 */
export interface Card {
  position: number
  title: string
  place_key: string
  place_id?: string | undefined
  kgmid?: string | undefined
  link: string
  latitude?: number | undefined
  longitude?: number | undefined
  rating?: number | undefined
  review_count?: number | undefined
  website?: string | undefined
  phone?: string | undefined
  category?: string | undefined
  sponsored: boolean
  permanently_closed: boolean
}

/**
 * The list of results of a search page as drawn. More is to come while there is a `spinner`; `end_of_list` is the site's
 * own word that it was all. `limited_view`: results and counts may be cut. The same place can stand there twice, once as
 * an ad. `preload_url` is the page's own request for its first 20 results, on fresh pages.
 */
export interface Feed {
  label?: string | undefined
  cards: Card[]
  end_of_list: boolean
  spinner: boolean
  limited_view: boolean
  preload_url?: string | undefined
  preload_pb?: string | undefined
}

const FEED = 'div[role="feed"]'
const PLACE_LINK = 'a[href*="/maps/place/"]'

/** Reads the HTML of a drawn search page. Undefined when it has no list of results. Never throws. */
export function parseFeed(html: string): Feed | undefined {
  const $ = loadPage(html)
  const feed = $(FEED).first()
  if (feed.length === 0) return undefined
  const cards = feed
    .find(PLACE_LINK)
    .toArray()
    .map((link) => readCard($(link)))
  const preload = preloadUrl(html, '/search')
  const spinner = feed.find('div.lXJj5c').length > 0
  return omitUndefined({
    label: attributeOf(feed, 'aria-label'),
    cards: cards.filter((card) => card !== undefined).map((card, index) => ({ ...card, position: index + 1 })),
    // The class of the notice stands for others too; only without spinner, and at the end of the feed, it is the end.
    end_of_list: !spinner && feed.children().last().find('p.fontBodyMedium > span > span').length > 0,
    spinner,
    limited_view: isLimitedView(html),
    preload_url: preload,
    preload_pb: preload && pbOf(preload),
  })
}

function readCard(link: Part): Omit<Card, 'position'> | undefined {
  const given = attributeOf(link, 'href')
  const href = readUrl(link.attr('href')) ?? given // relative links are as good
  const place = href && parsePlaceUrl(href)
  const card = cardOf(link)
  if (card.find(PLACE_LINK).addBack(PLACE_LINK).get(0) !== link.get(0)) return undefined // a further link of one card
  // The label of a visited link says so behind the name.
  const title =
    textOf(card.find('.qBF1Pd')) ?? attributeOf(link, 'aria-label') ?? fitLine(place ? place.title : undefined)
  if (!place || href === undefined || title === undefined) return undefined
  return omitUndefined({ ...place, title, link: href, ...readRatings(card), ...readDetails(card) })
}

// The element that is the link's alone: with a role or a class on most pages, else the child of the feed.
function cardOf(link: Part): Part {
  const marked = link.closest('div.Nv2PK, [role="article"]')
  if (marked.length > 0) return marked
  const child = link.parentsUntil(FEED).last()
  return child.find(PLACE_LINK).length === 1 ? child : link
}

function readRatings(card: Part): Pick<Card, 'rating' | 'review_count'> {
  const rating = ratingIn(textOf(card.find('.MW4etd')))
  return { rating, review_count: rating === undefined ? undefined : countIn(textOf(card.find('.UY7F9'))) }
}

type Details = 'website' | 'phone' | 'category' | 'sponsored' | 'permanently_closed'

function readDetails(card: Part): Pick<Card, Details> {
  return {
    website: websiteOf(card.find('a[data-value="Website"]').attr('href')),
    phone: textOf(card.find('.UsdlK')),
    category: textOf(card.find('.W4Efsd .W4Efsd').first().children('span').first().children('span')),
    // Only an ad has a heading: the one that says so.
    sponsored: card.find('h1').length > 0,
    // Words: no recording shows another mark of it.
    permanently_closed: /^permanently closed$/i.test(textOf(card.find('span.eXlrNe')) ?? ''),
  }
}

// An ad links to the site's own counter by a relative address, which does not tell the website behind it.
function websiteOf(href: string | undefined): string | undefined {
  return readUrl(href) ?? (href?.startsWith('/aclk?') ? href : undefined)
}
