import { isMapHost } from './named-place.ts'
import { decodePercent } from './text.ts'

/** A search of the map site, as its link says it. The centre is in degrees, as the site writes it. */
export type LinkedSearch = { words: string; centre?: { lat: string; lon: string; zoom?: number } }

const DEGREES = String.raw`(-?\d{1,3}(?:\.\d{1,20})?)`
/** `@latitude,longitude,14z`. The satellite view has metres in place of the zoom. */
const CENTRE = new RegExp(`/@${DEGREES},${DEGREES}(?:,(\\d{1,2}(?:\\.\\d+)?)z)?`)
const MOST_ZOOM = 21

/**
 * Reads a link of a search on the map site: `/maps/search/words/@…`, `/maps/search/?query=words`, or `/maps?q=words`.
 * Undefined for any other text, also for a link of a place.
 */
export function readSearchLink(text: string): LinkedSearch | undefined {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || !isMapHost(url.hostname)) return undefined
  const isMaps = url.hostname.startsWith('maps.') || /^\/maps(?:\/|$)/.test(url.pathname)
  if (!isMaps || url.pathname.includes('/place/')) return undefined
  const path = /^\/maps\/search\/([^/@][^/]*)/.exec(url.pathname)?.[1]
  const words =
    path === undefined
      ? (url.searchParams.get('query') ?? url.searchParams.get('q'))
      : decodePercent(path.replaceAll('+', ' '))
  if (!words || words.trim() === '') return undefined
  const [, lat, lon, zoom] = CENTRE.exec(url.pathname) ?? []
  if (lat === undefined || lon === undefined || Math.abs(Number(lat)) > 90 || Math.abs(Number(lon)) > 180)
    return { words: words.trim() }
  const rounded = zoom === undefined ? 0 : Math.min(MOST_ZOOM, Math.round(Number(zoom)))
  return { words: words.trim(), centre: { lat, lon, ...(rounded > 0 && { zoom: rounded }) } }
}

type Searching = {
  keywords?: readonly string[] | undefined
  lat?: unknown
  near?: unknown
  area?: unknown
  bbox?: unknown
}

/** Returns whether a request says itself where to search. */
const hasPlace = ({ lat = '', near, area, bbox }: Searching): boolean =>
  lat !== '' || [near, area, bbox].some((field) => field !== undefined)

/**
 * Returns the position of the first keyword whose link names another centre than one before it; -1 without one, and in
 * a request that says itself where to search.
 */
export function otherCentreAt({ keywords = [], ...request }: Searching): number {
  if (hasPlace(request)) return -1
  const centres = keywords.map((keyword) => readSearchLink(keyword)?.centre)
  const first = centres.find((centre) => centre !== undefined)
  return centres.findIndex((centre) => centre !== undefined && (centre.lat !== first?.lat || centre.lon !== first.lon))
}

/**
 * Replaces links of searches among the keywords of a request by their words, and takes their centre and zoom, unless
 * the request says itself where to search.
 */
export function withLinkedSearches<Request extends Searching>(request: Request): Request {
  const { keywords } = request
  const links = keywords?.map(readSearchLink)
  if (!keywords || !links?.some((link) => link !== undefined)) return request
  const words = keywords.map((keyword, nth) => links[nth]?.words ?? keyword)
  const centre = hasPlace(request) ? undefined : links.find((link) => link?.centre)?.centre
  return { ...request, keywords: words, ...centre }
}
