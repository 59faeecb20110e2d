import type { Image, Place, Review } from '@placefleet/shared/place'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import type { WebsiteVisit } from '@placefleet/shared/website-visits'
import type { PlaceExtra } from '../maps/place/payload/node.ts'
import { type Crawl, crawlWebsite } from '../website/crawl.ts'
import { createGetPage } from '../website/fetch-page.ts'
import { createRenderedPages } from '../website/rendered-pages.ts'
import { createRobots } from '../website/robots.ts'
import { isWorthCrawling } from '../website/worth-crawling.ts'
import { imagesOf, type MorePhotos } from './images.ts'
import type { TaskContext } from './task-context.ts'

/** A place without the parts that have caps of their own, and those parts. */
type Split = { readonly bare: Place; readonly images: Image[]; readonly inline: Review[] }

function split({ images = [], user_reviews = [], ...bare }: Place): Split {
  return { bare, images, inline: user_reviews }
}

/** How more reviews than a page shows are had: newest first, until `enough`. `cut`: the site held some back. */
export type MoreReviews = (
  enough: (reviews: readonly Review[]) => boolean,
) => Promise<{ readonly reviews: Review[]; readonly cut: boolean }>

/** Of the reviews a place counts, its list shows a few less: some are hidden, some gone. Fewer than this are cut. */
const LISTED_SHARE = 0.9

/** Where more of a place is to be had than its payload holds. */
export type More = { readonly reviews: MoreReviews; readonly photos: MorePhotos }

/** A place as the job wants it: its images and reviews up to the caps, and what its website tells. */
export async function finishPlace(
  task: TaskContext,
  place: Place,
  { photos: shown, photo_count: count }: Pick<PlaceExtra, 'photos' | 'photo_count'>,
  more: More,
): Promise<Place> {
  const { bare, images: tabs, inline } = split(place)
  const { max_images, max_reviews } = task.parameters
  const [images, reviews, contacts] = await Promise.all([
    imagesOf({ tabs, shown, count }, max_images, more.photos),
    max_reviews > 0 ? collectReviews(task, place, inline, more.reviews) : {},
    contactsOf(task, place),
  ])
  return { ...bare, ...images, ...reviews, ...contacts }
}

async function collectReviews(
  { parameters: { max_reviews }, outcomes }: TaskContext,
  place: Place,
  inline: readonly Review[],
  more: MoreReviews,
): Promise<Pick<Place, 'user_reviews' | 'user_reviews_extended'>> {
  const shown = inline.slice(0, max_reviews)
  const known = new Set(shown.map(({ id }) => id))
  const others = (reviews: readonly Review[]) => reviews.filter(({ id }) => !known.has(id))
  const expected = Math.min(max_reviews, place.review_count ?? max_reviews)
  const missing = expected - shown.length
  const unknown = place.rating === undefined && place.review_count === undefined
  if (missing <= 0 || unknown) return withReviews(shown, [])
  const { reviews, cut } = await more((found) => others(found).length >= missing)
  const extended = others(reviews).slice(0, max_reviews - shown.length)
  const tooFew = place.review_count !== undefined && shown.length + extended.length < expected * LISTED_SHARE
  if (cut || tooFew) outcomes.limited++
  return withReviews(shown, extended)
}

const withReviews = (shown: Review[], extended: Review[]) => ({
  ...(shown.length > 0 ? { user_reviews: shown } : {}),
  ...(extended.length > 0 ? { user_reviews_extended: extended } : {}),
})

/** What the business's website tells, when the job wants it and the website is one of its own. Counts the visit. */
export async function contactsOf(
  task: TaskContext,
  { website, complete_address }: Pick<Place, 'website' | 'complete_address'>,
): Promise<Pick<Place, 'emails' | 'social_links' | 'phones'>> {
  const { parameters, sessions, mayBrowse, allowHosts, signal } = task
  const { tier, website: address } = classifyWebsite(website)
  if (!parameters.include_emails || !address || !isWorthCrawling(address, tier, allowHosts)) return {}
  const session = sessions.forWebsites()
  const get = createGetPage(session.client, parameters.language, task.websites.turns)
  const mayFetch = task.websites.obeyRobots ? createRobots(get) : undefined
  const rendered = createRenderedPages(() => session.browse())
  const getRendered = mayBrowse ? rendered.get : undefined
  const country = complete_address?.country
  const crawl = await crawlWebsite(address, { get, mayFetch, getRendered, country, signal }).finally(rendered.close)
  task.website_visits[visitOf(crawl)]++
  const { emails, social_links, phones } = crawl
  return {
    ...(emails.length > 0 ? { emails } : {}),
    ...(Object.keys(social_links).length > 0 ? { social_links } : {}),
    ...(phones.length > 0 ? { phones } : {}),
  }
}

function visitOf({ outcome, emails }: Crawl): WebsiteVisit {
  if (outcome === 'ok') return emails.length > 0 ? 'ok' : 'none'
  return outcome === 'broken' ? 'unreachable' : outcome
}
