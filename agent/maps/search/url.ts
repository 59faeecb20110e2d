import {
  encode,
  localeParameters,
  pbNumber,
  pbText,
  plainNumber,
  queryString,
  type Site,
  type Viewport,
  viewportPb,
} from '../urls/parameters.ts'
import { SEARCH_OPTIONS } from '../urls/pb-options.ts'

/** The query and place of a search. Without a viewport the site derives the place from the client's IP address. */
export type Search = { readonly query: string; readonly viewport?: Viewport | undefined }

/** Results per page. The site ignores larger values. */
export const PAGE_SIZE = 20

/** Returns the URL of the search page: `/maps/search/<query>/@<lat>,<lon>,<zoom>z?hl=…&gl=…`. */
export function searchPageUrl({ base, locale: { language, country } }: Site, { query, viewport }: Search): URL {
  const place = viewport && `/@${[viewport.latitude, viewport.longitude, viewport.zoom].map(plainNumber).join(',')}z`
  const path = `/maps/search/${segment(query)}${place ?? '/'}`
  return new URL(`${path}?${queryString({ hl: language, gl: country })}`, base)
}

/**
 * Returns the URL of a search payload of up to 20 places. Each page raises `offset` by 20; there is no token. Without
 * an offset it is the first page; its answer may differ from that of offset 0. Fetch the URL instead of opening it,
 * because the answer is a download.
 */
export function searchPayloadUrl({ base, locale }: Site, { query, viewport }: Search, offset?: number): URL {
  const pb = [
    pbText(1, query),
    viewport ? viewportPb(4, viewport) : '',
    pbNumber(7, 'i', PAGE_SIZE),
    offset === undefined ? '' : pbNumber(8, 'i', offset),
    SEARCH_OPTIONS,
  ].join('')
  return new URL(`/search?${queryString({ tbm: 'map', ...localeParameters(locale), q: query, pb })}`, base)
}

// A segment of only dots would be a relative path. A space makes it a query.
const segment = (query: string): string => encode(/^\.{1,2}$/.test(query) ? `${query} ` : query)
