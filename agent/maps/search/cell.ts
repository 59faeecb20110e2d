import { type Circle, degrees, EARTH_METRES, metresBetween, type Point, radians } from '@placefleet/shared/great-circle'

/**
 * A piece of the map between two parallels and two meridians, in degrees. `west` and `east` may lie beyond ±180, so that
 * a cell over the date line is one cell.
 */
export type Cell = { readonly south: number; readonly north: number; readonly west: number; readonly east: number }

/** A cell less high than this, in metres, is not divided further: a few houses, at the closest zoom level. */
const SMALLEST_METRES = 200
/** How far a circle is taken to reach: the point of a cell nearest to it is reckoned along parallels, a little too far. */
const MARGIN = 1.02

/** The smallest cell that holds a circle; at a pole it goes all around. */
export function enclosing({ latitude, longitude, radius }: Circle): Cell {
  const angle = radius / EARTH_METRES
  const high = degrees(angle)
  const holdsPole = Math.abs(latitude) + high >= 90
  const wide = holdsPole ? 180 : degrees(Math.asin(Math.sin(angle) / Math.cos(radians(latitude))))
  return {
    south: Math.max(-90, latitude - high),
    north: Math.min(90, latitude + high),
    west: longitude - wide,
    east: longitude + wide,
  }
}

/** The four quarters of a cell; together they are the cell. */
export function quarters({ south, north, west, east }: Cell): Cell[] {
  const { latitude, longitude } = centre({ south, north, west, east })
  return [
    { south, north: latitude, west, east: longitude },
    { south, north: latitude, west: longitude, east },
    { south: latitude, north, west, east: longitude },
    { south: latitude, north, west: longitude, east },
  ]
}

/** The point in the middle of a cell; its longitude may lie beyond ±180. */
export function centre({ south, north, west, east }: Cell): Point {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}

/** How many metres a cell is high. */
export function heightOf({ south, north }: Cell): number {
  return radians(north - south) * EARTH_METRES
}

/** Metres from the middle of a cell to the farthest of its corners: whatever is farther away lies outside. */
export function reachOf(cell: Cell): number {
  const middle = centre(cell)
  const corner = (latitude: number) => metresBetween(middle, { latitude, longitude: cell.west })
  return Math.max(corner(cell.south), corner(cell.north))
}

/** Whether any of a cell lies within a circle; one that just misses it may count as well. */
export function touches({ south, north, west, east }: Cell, circle: Circle): boolean {
  const nearest = {
    latitude: Math.min(north, Math.max(south, circle.latitude)),
    longitude: Math.min(east, Math.max(west, circle.longitude)),
  }
  return metresBetween(nearest, circle) <= circle.radius * MARGIN
}

/** Whether a cell is too small to be divided. */
export function isSmallest(cell: Cell): boolean {
  return heightOf(cell) < SMALLEST_METRES
}

type Positioned = { readonly latitude?: number | undefined; readonly longitude?: number | undefined }

/** Whether a place may lie in a cell: it is no farther from the middle than its corners, or its position is unknown. */
function mayBeInside(cell: Cell | undefined): (place: Positioned) => boolean {
  if (!cell) return () => true
  const [middle, reach] = [centre(cell), reachOf(cell)]
  return ({ latitude, longitude }) =>
    latitude === undefined || longitude === undefined || metresBetween(middle, { latitude, longitude }) <= reach
}

/** How many of these places may lie in a cell; without one, all. */
export function countInside(cell: Cell | undefined, places: readonly Positioned[]): number {
  return places.filter(mayBeInside(cell)).length
}

/** Watches a list of places for the point from which on it shows only what lies outside a cell. */
export type Edge = {
  /** Takes note of the next places of the list. */
  note(places: readonly Positioned[]): void
  /** Whether the last forty places, two pages, all lie outside: the site has nothing more to show of the cell. */
  left(): boolean
}

const TWO_PAGES = 40

/** The watch over a list that begins now. Without a cell it is never left. */
export function watchEdge(cell: Cell | undefined): Edge {
  const isInside = mayBeInside(cell)
  let outside = 0
  return {
    note(places) {
      for (const place of places) outside = isInside(place) ? 0 : outside + 1
    },
    left: () => outside >= TWO_PAGES,
  }
}
