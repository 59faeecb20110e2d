import type { Exchange } from './exchange.ts'

/** The kinds of requests. */
export type Kind =
  | `${'maps' | 'search' | 'place'}-page`
  | `${'search' | 'place'}-payload`
  | 'reviews'
  | 'photos'
  | 'image'
  | 'asset'
  | 'consent'
  | 'sorry'
  | 'other'

const PREFIXES: readonly [prefix: string, kind: Kind][] = [
  ['/consent/', 'consent'],
  ['/sorry/', 'sorry'],
  ['/img/', 'image'],
  ['/maps/vt', 'image'],
  ['/maps/_/js/', 'asset'],
  ['/maps/_/ss/', 'asset'],
  ['/favicon.ico', 'asset'],
  ['/maps/preview/place', 'place-payload'],
  ['/maps/preview/list', 'search-payload'],
  ['/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy', 'reviews'],
  ['/maps/search/', 'search-page'],
  ['/maps/place/', 'place-page'],
]

/** Returns the kind of a request. */
export function kindOf({ path, url }: Exchange): Kind {
  if (path.startsWith('/maps/_/MapsWizUi/data/batchexecute'))
    return url.searchParams.get('rpcids') === 'hspqX' ? 'photos' : 'reviews'
  if (path === '/search') return url.searchParams.get('tbm') === 'map' ? 'search-payload' : 'other'
  const entry = PREFIXES.find(([prefix]) => path.startsWith(prefix))
  if (entry) return entry[1]
  if (path !== '/maps' && path !== '/maps/') return 'other'
  if (url.searchParams.has('cid')) return 'place-page'
  return url.searchParams.has('q') ? 'search-page' : 'maps-page'
}

/** The kinds with data of places, which the site protects. */
export const isPayload = (kind: Kind) => kind.endsWith('-payload') || kind === 'reviews' || kind === 'photos'

/** The kinds that are pages. */
export const isPage = (kind: Kind) => kind.endsWith('-page')
