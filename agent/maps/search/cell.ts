import { type Cell, centre, type Positioned } from '@placefleet/shared/cell'
import { type Circle, degrees, EARTH_METRES, metresBetween, radians } from '@placefleet/shared/great-circle'

/**
 * Enlarges the radius of circles, because the nearest point of a cell is computed along parallels and is slightly too
 * far.
 */
const MARGIN = 1.02

/** Returns the smallest cell around a circle. Around a pole it covers all longitudes. */
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

/** Metres from the middle of a cell to its farthest corner. */
export function reachOf(cell: Cell): number {
  const middle = centre(cell)
  const corner = (latitude: number) => metresBetween(middle, { latitude, longitude: cell.west })
  return Math.max(corner(cell.south), corner(cell.north))
}

/** Returns whether a cell touches a circle. True for some cells that just miss it. */
export function touches({ south, north, west, east }: Cell, circle: Circle): boolean {
  const nearest = {
    latitude: Math.min(north, Math.max(south, circle.latitude)),
    longitude: Math.min(east, Math.max(west, circle.longitude)),
  }
  return metresBetween(nearest, circle) <= circle.radius * MARGIN
}

/** Returns whether a place may be in a cell: it is no farther from the middle than the corners, or has no position. */
function mayBeInside(cell: Cell | undefined): (place: Positioned) => boolean {
  if (!cell) return () => true
  const [middle, reach] = [centre(cell), reachOf(cell)]
  return ({ latitude, longitude }) =>
    latitude === undefined || longitude === undefined || metresBetween(middle, { latitude, longitude }) <= reach
}

/** Counts the places that may be in a cell. Without a cell, all of them. */
export function countInside(cell: Cell | undefined, places: readonly Positioned[]): number {
  return places.filter(mayBeInside(cell)).length
}

/** Watches whether a list of places has left a cell. */
export type Edge = {
  /** Records the next places of the list. */
  note(places: readonly Positioned[]): void
  /** Whether the last forty places, two pages, all lie outside: the list has no more places of the cell. */
  left(): boolean
}

const TWO_PAGES = 40

/** Creates a watch of a list. Without a cell the list never counts as having left it. */
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
