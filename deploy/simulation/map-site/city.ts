import { setNewest } from '@placefleet/shared/newest'
import type { Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'
import { detailsOf, type PlaceDetails } from './city/details.ts'
import type { Location } from './city/geography.ts'
import { indexOfId } from './city/identifiers.ts'
import { type ReviewDetails, type ReviewOrder, reviewsOf } from './city/reviews.ts'
import {
  located,
  matchesOf,
  type PlacePosition,
  type Ranking,
  rank,
  rankedAround,
  USUAL_RANKING,
  withOverlap,
} from './city/search.ts'
import { indexOfHost, ownHostOf, type Tier, webAddressOf } from './city/web-address.ts'
import { type Website, websiteOf } from './city/website.ts'
import { DEFAULT_NOW } from './clock.ts'
import { INLINE_REVIEWS } from './payload/place-node.ts'
import { placeTruth, reviewTruth } from './truth.ts'
import { extrasTruth } from './truth-extras.ts'
import { viewOf } from './view.ts'

/**
 * The language and time of an answer. `language` is any `hl`; languages that the site does not support fall back to
 * English.
 */
interface Wording {
  language?: string
  /** The current time of the site, in ISO 8601. */
  now?: string
}
type PlaceWording = Wording & { emails?: boolean }

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

const aroundKey = (keyword: string, viewport: Location | undefined, { order, most }: Ranking) => {
  const { lat, lon } = rankedAround(viewport)
  return `${keyword}\n${lat}\n${lon}\n${order}\n${most}`
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
  const neighbour = (index: number) =>
    detailsOf(seed, index < NEXT_OF_KIND ? index + NEXT_OF_KIND : index - NEXT_OF_KIND)
  const matches = createCache<PlacePosition[]>(MOST_KEYWORDS)
  const matching = (keyword: string) => matches(keyword, () => located(seed, matchesOf(seed, places, keyword)))
  const searches = createCache<readonly number[]>(MOST_CACHED)
  const search = (keyword: string, viewport?: Location, ranking = USUAL_RANKING) =>
    searches(aroundKey(keyword, viewport, ranking), () => rank(seed, matching(keyword), viewport, ranking))
  const listings = createCache<readonly number[]>(MOST_CACHED)
  const pages = (keyword: string, viewport?: Location, ranking = USUAL_RANKING) =>
    listings(aroundKey(keyword, viewport, ranking), () => withOverlap(seed, [...search(keyword, viewport, ranking)]))
  const reviewDetails = (index: number, order: ReviewOrder, now: number, most?: number): ReviewDetails[] =>
    reviewsOf(seed, details(index), order, now, most)
  const website = (index: number): Website | undefined =>
    webAddressOf(seed, index).tier === 'has' ? websiteOf(seed, index) : undefined
  return {
    seed,
    size: places,
    /**
     * Returns all data of a place.
     * @throws RangeError when the place does not exist
     */
    details,
    /** Returns the place of the same category that people also search for. In a tiny city a search may not find it. */
    neighbour,
    /** Returns the first reviews of the site's lists, at most `most`. */
    reviewDetails,
    /** Returns the place with this data id, place id or cid. */
    indexOf: (id: string) => indexOfId(seed, places, id),
    /** Returns the places that a keyword finds, best first. */
    search,
    /** Returns the same in pages of 20, with the repeats from page to page. */
    pages,
    /** Returns the place keys (data ids) of `search`, sorted. */
    keysOf: (keyword: string, viewport?: Location, ranking?: Ranking): string[] =>
      search(keyword, viewport, ranking)
        .map((index) => details(index).ids.dataId)
        .sort(),
    /** Returns the place that a correct collection reports; with `emails` also those of its website. */
    place(index: number, { language = 'en', now = DEFAULT_NOW, emails = false }: PlaceWording = {}): Place {
      const view = viewOf(language, Date.parse(now))
      const inline = reviewDetails(index, 'relevant', view.now, INLINE_REVIEWS)
      const addresses = emails ? (website(index)?.emails ?? []) : []
      const place = details(index)
      return {
        ...placeTruth(place, view, inline),
        ...extrasTruth(place, view, neighbour(index)),
        ...(addresses.length > 0 ? { emails: addresses } : {}),
      }
    },
    /** Returns the reviews that correct paging through a list reports. */
    reviews(
      index: number,
      order: ReviewOrder = 'relevant',
      { language = 'en', now = DEFAULT_NOW }: Wording = {},
    ): Review[] {
      const view = viewOf(language, Date.parse(now))
      return reviewDetails(index, order, view.now).map((review) => reviewTruth(review, view))
    },
    tier: (index: number): Tier => webAddressOf(seed, index).tier,
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
