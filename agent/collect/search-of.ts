import { type Cell, centre, heightOf } from '../maps/search/cell.ts'
import type { Search } from '../maps/search/url.ts'
import type { TaskParameters } from './task.ts'

/** About a town quarter: what a search shows when nobody says how far to look. */
const DEFAULT_ZOOM = 14
/** Metres a pixel at the equator and zoom 0: the earth's girth over 256 pixels. */
const METRES_A_PIXEL = 156_543.03
/** The window that searches are asked for is this high. */
const PIXELS = 768

/** The search for a keyword of a job. A radius without a zoom looks at just the circle. */
export function searchOf(keyword: string, parameters: TaskParameters): Search {
  const { language, country, latitude, longitude, zoom, radius } = parameters
  if (latitude === undefined || longitude === undefined) return { query: keyword, language, country }
  const level = zoom || (radius > 0 ? zoomFor(radius, latitude) : DEFAULT_ZOOM)
  return { query: keyword, language, country, viewport: { latitude, longitude, zoom: level } }
}

/** The search for a keyword that looks at just one cell. */
export function searchIn(cell: Cell, keyword: string, { language, country }: TaskParameters): Search {
  const { latitude, longitude } = centre(cell)
  const zoom = zoomFor(heightOf(cell) / 2, latitude)
  return { query: keyword, language, country, viewport: { latitude, longitude: onTheGlobe(longitude), zoom } }
}

const onTheGlobe = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180

/** The closest zoom level at which a circle of `radius` metres fits the window. */
export function zoomFor(radius: number, latitude: number): number {
  const metres = METRES_A_PIXEL * Math.cos((latitude * Math.PI) / 180) * PIXELS
  return Math.min(19, Math.max(3, Math.floor(Math.log2(metres / (2 * radius)))))
}
