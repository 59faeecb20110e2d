import { CITY, type Location } from '../city/geography.ts'
import type { Exchange } from '../exchange.ts'
import type { SiteOptions } from '../options.ts'
import { SIZE, type Viewport } from '../payload/envelopes.ts'

/** Returns the camera's altitude in metres: 15959.273 m × 2^(15 − zoom) × cos(lat) (exact on captures of 768 px). */
const altitudeOf = (zoom: number, lat: number) =>
  15_959.273281372596 * 2 ** (15 - zoom) * Math.cos((lat * Math.PI) / 180)

const VIEWPORT = /\/@(-?[\d.]+),(-?[\d.]+),([\d.]+)(z|m)/

/** Returns the viewport in a page's URL (its `@` part), or the city's by default. */
export function viewportOfPage({ path }: Exchange): { viewport: Viewport; zoom: number } {
  const [, lat, lon, size, unit] = VIEWPORT.exec(path) ?? []
  const centre = lat && lon ? { lat: Number(lat), lon: Number(lon) } : { lat: CITY.lat, lon: CITY.lon }
  const zoom = size && unit === 'z' ? Number(size) : 15
  const altitude = size && unit === 'm' ? Number(size) : altitudeOf(zoom, centre.lat)
  return { viewport: { ...centre, altitude }, zoom }
}

/** Returns the query in a search page's URL. */
export function queryOfPage({ url }: Exchange): string {
  const part = /^\/maps\/search\/([^/]*)/.exec(url.pathname)?.[1]
  return part === undefined ? (url.searchParams.get('q') ?? '') : decodeURIComponent(part.replaceAll('+', ' '))
}

/** Returns the id in a place page's URL: data id, `cid=` or `q=place_id:`. */
export function idOfPage({ path, url }: Exchange): string | undefined {
  const dataId = /!1s(0x[0-9a-f]+:0x[0-9a-f]+)/.exec(path)?.[1]
  return dataId ?? url.searchParams.get('cid') ?? /^place_id:(.+)$/.exec(url.searchParams.get('q') ?? '')?.[1]
}

// The page encodes "!" as "%21".
const pbParameter = (pb: string) => encodeURIComponent(pb).replaceAll('!', '%21')
const escapeString = (text: string) => text.replaceAll('*', '*2A').replaceAll('!', '*21')

const viewportPart = ({ altitude, lat, lon }: Viewport) =>
  `!1m3!1d${altitude}!2d${lon}!3d${lat}!3m2!1i${SIZE.width}!2i${SIZE.height}!4f13.1`

export const searchPath = ({ searchAddress }: SiteOptions) =>
  searchAddress === 'usual' ? '/search' : '/maps/preview/list'

type SearchParts = Record<'path' | 'query' | 'hl' | 'session', string> & { viewport: Viewport }

/** Returns the URL that the page requests for the first payload of a search. */
export function searchPayloadAddress({ path, query, hl, viewport, session }: SearchParts): string {
  const pb = `!1s${escapeString(query)}!4m8${viewportPart(viewport)}!7i20!10b1!12m3!49b1!74i150000!85b1!19m4!2m3!1i360!2i120!4i8!22m5!1s${session}!7e81!14m1!3s${session}!15i9937!24m3!1m2!13b1!18b1!34m2!2b1!3b1`
  const q = encodeURIComponent(query).replaceAll('%20', '+')
  return `${path}?tbm=map&authuser=0&hl=${encodeURIComponent(hl)}&gl=de&q=${q}&pb=${pbParameter(pb)}`
}

/** The place that a payload request names. */
type RequestedPlace = Record<'dataId' | 'title' | 'kgmid' | 'placeId', string> & Location

// The first of the sizes of pictures and of the kinds of reviews in the links of recorded pages.
const PICTURES = '!13m3!2m2!1i203!2i100'
const REVIEWS = '!72m2!1m1!2b1'

/** Returns the URL that the page requests for a place's payload. */
export function placePayloadAddress(place: RequestedPlace, hl: string, viewport: Viewport, session: string): string {
  const rotation = '!2m3!1f0.0!2f0.0!3f0.0'
  const view = viewportPart(viewport).replace('!3m2', `${rotation}!3m2`)
  const kgmid = Buffer.from(place.kgmid).toString('base64').replace(/=+$/, '')
  const identity = `!4m2!3d${place.lat}!4d${place.lon}!15m3!1m2!4z${kgmid}!5s${place.placeId}`
  const pb = `!1m22!1s${place.dataId}!2s${escapeString(place.title)}!3m12${view}${identity}!12m4!2m3!1i360!2i120!4i8${PICTURES}!14m3!1s${session}!7e81!15i10112!15m5!1m1!13b1${REVIEWS}!21m0!22m1!1e81!37i768`
  const q = encodeURIComponent(place.title).replaceAll('%20', '+')
  return `/maps/preview/place?authuser=0&hl=${encodeURIComponent(hl)}&gl=de&q=${q}&pb=${pbParameter(pb)}`
}
