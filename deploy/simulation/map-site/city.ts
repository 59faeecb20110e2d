import { setNewest } from '@placefleet/shared/newest'
import type { Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'
import type { Location } from './city/geography.ts'
import { indexOfId } from './city/identifiers.ts'
import { matchesOf, type Ranking, rank, rankedAround, USUAL_RANKING, withOverlap } from './city/search.ts'
import { indexOfHost, ownHostOf, webAddressOf } from './city/web-address.ts'
import { type Website, websiteOf } from './city/website.ts'
import { detailsOf, type PlaceDetails } from './place/details.ts'
import { type Beside, INLINE_REVIEWS, placeTruth } from './place/node.ts'
import { reviewTruth } from './reviews/item.ts'
import { type ReviewDetails, type ReviewOrder, reviewsOf } from './reviews/reviews.ts'
import { viewOf } from './view.ts'

/**
 * The simulated city: its places, numbered from 0, the results of searches, and the places that a correct collection
 * reports. It stores no places, except for a cache of some.
 */
export type City = ReturnType<typeof createCity>

/** The distance between places of one category. */
const NEXT_OF_KIND = 12
const MOST_CACHED = 300
const MOST_PLACES = 500
const MOST_KEYWORDS = 5

/** Creates a cache that drops its oldest entries, so that a long run over many keywords stays small. */
const createCache = <Value, Key = string>(most: number) => {
  const values = new Map<Key, Value>()
  return (key: Key, compute: () => Value): Value => {
    const value = values.get(key) ?? compute()
    if (!values.has(key)) setNewest(values, key, value, most)
    return value
  }
}

/**
 * Creates the city of a seed (a whole number from 0) with `places` places. Nothing is generated in advance: each answer
 * follows from the seed and the place's number.
 */
export function createCity({ seed, places }: { seed: number; places: number }) {
  const detailsCache = createCache<PlaceDetails, number>(MOST_PLACES)
  const details = (index: number) => {
    if (!Number.isInteger(index) || index < 0 || index >= places) throw new RangeError(`there is no place ${index}`)
    return detailsCache(index, () => detailsOf(seed, index))
  }
  const reviewDetails = (index: number, order: ReviewOrder, most?: number): ReviewDetails[] =>
    reviewsOf(details(index), order, most)
  const beside = (index: number): Beside => ({
    inline: reviewDetails(index, 'relevant', INLINE_REVIEWS),
    neighbour: detailsOf(seed, index < NEXT_OF_KIND ? index + NEXT_OF_KIND : index - NEXT_OF_KIND),
  })
  const matches = createCache<number[]>(MOST_KEYWORDS)
  const searches = createCache<{ ranked: readonly number[]; pages: readonly number[] }>(MOST_CACHED)
  const searched = (keyword: string, viewport: Location | undefined, ranking: Ranking) => {
    const centre = rankedAround(viewport)
    return searches(`${keyword}\n${centre.lat}\n${centre.lon}\n${Object.values(ranking)}`, () => {
      const found = matches(keyword, () => matchesOf(seed, places, keyword))
      const ranked = rank(seed, found, centre, ranking)
      return { ranked, pages: withOverlap(seed, ranked) }
    })
  }
  const search = (keyword: string, viewport?: Location, ranking = USUAL_RANKING) =>
    searched(keyword, viewport, ranking).ranked
  const website = (index: number): Website | undefined =>
    webAddressOf(seed, index).tier === 'has' ? websiteOf(seed, index) : undefined
  return {
    seed,
    size: places,
    /**
     * Returns what a place is.
     * @throws RangeError when the place does not exist
     */
    details,
    /** Returns the first reviews of the site's lists, at most `most`. */
    reviewDetails,
    /** Returns the reviews and the similar place on the page of a place. In a tiny city a search may not find it. */
    beside,
    /** Returns the place with this data id, place id or cid. */
    indexOf: (id: string) => indexOfId(seed, places, id),
    /** Returns the places that a keyword finds, best first. */
    search,
    /** Returns the same in pages of 20, with the repeats from page to page. */
    pages: (keyword: string, viewport?: Location, ranking = USUAL_RANKING) =>
      searched(keyword, viewport, ranking).pages,
    /** Returns the place keys (data ids) of `search`, sorted. */
    keysOf: (keyword: string, viewport?: Location): string[] =>
      search(keyword, viewport)
        .map((index) => details(index).ids.dataId)
        .sort(),
    /** Returns the place that a correct collection reports; with `emails` also those of its website. */
    place(index: number, { language = 'en', emails = false } = {}): Place {
      const place = placeTruth(details(index), viewOf(language), beside(index))
      const addresses = emails ? (website(index)?.emails ?? []) : []
      return { ...place, ...(addresses.length > 0 ? { emails: addresses } : {}) }
    },
    /** Returns the reviews that correct paging through a list reports. */
    reviews(index: number, order: ReviewOrder = 'relevant', { language = 'en' } = {}): Review[] {
      const view = viewOf(language)
      return reviewDetails(index, order).map((review) => reviewTruth(review, view))
    },
    /** Returns the place's own website; undefined for other tiers. */
    website,
    /** Returns the place whose own website has this host name. */
    indexOfHost(host: string): number | undefined {
      const index = indexOfHost(seed, host)
      const exists = index !== undefined && index < places && webAddressOf(seed, index).tier === 'has'
      return exists && [host, `www.${host}`].includes(ownHostOf(seed, index)) ? index : undefined
    },
  }
}
