import {
  encode,
  type Locale,
  localeParameters,
  pbNumber,
  pbText,
  plainNumber,
  queryString,
  type Viewport,
  viewportPb,
} from '../urls/parameters.ts'
import { SEARCH_OPTIONS } from '../urls/pb-options.ts'

/** What is searched and where. Without a viewport the site places the map by the client's address. */
export interface Search extends Locale {
  readonly query: string
  readonly viewport?: Viewport | undefined
}

/** Results a page; larger values are not honoured. */
export const PAGE_SIZE = 20

/** The page a person searches on: `/maps/search/<query>/@<lat>,<lon>,<zoom>z?hl=…&gl=…`. */
export function searchPageUrl(base: URL, search: Search): URL {
  const { query, viewport, language, country } = search
  const place = viewport && `/@${[viewport.latitude, viewport.longitude, viewport.zoom].map(plainNumber).join(',')}z`
  const path = `/maps/search/${segment(query)}${place ?? '/'}`
  return new URL(`${path}?${queryString({ hl: language, gl: country })}`, base)
}

/**
 * The request behind that page: its answer is a search payload of up to 20 places. Page by raising `offset` by 20; there
 * is no token. Without an offset it is the first page, which the site may answer otherwise than offset 0. To be fetched,
 * not opened: the answer is marked as a download.
 */
export function searchPayloadUrl(base: URL, search: Search, offset?: number): URL {
  const { query, viewport } = search
  const pb = [
    pbText(1, query),
    viewport ? viewportPb(4, viewport) : '',
    pbNumber(7, 'i', PAGE_SIZE),
    offset === undefined ? '' : pbNumber(8, 'i', offset),
    SEARCH_OPTIONS,
  ].join('')
  return new URL(`/search?${queryString({ tbm: 'map', ...localeParameters(search), q: query, pb })}`, base)
}

// A segment of dots alone means a folder of the path; with a space it is a query again.
const segment = (query: string): string => encode(/^\.{1,2}$/.test(query) ? `${query} ` : query)
