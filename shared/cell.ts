import { EARTH_METRES, type Point, radians } from './great-circle.ts'

/**
 * A part of the map between two parallels and two meridians, in degrees. `west` and `east` may exceed ±180, so that a
 * cell across the date line is one cell.
 */
export type Cell = { readonly south: number; readonly north: number; readonly west: number; readonly east: number }

/** The position of a place, if known. */
export type Positioned = { readonly latitude?: number | undefined; readonly longitude?: number | undefined }

/** Returns the four quarters of a cell. */
export function quarters({ south, north, west, east }: Cell): Cell[] {
  const { latitude, longitude } = centre({ south, north, west, east })
  return [
    { south, north: latitude, west, east: longitude },
    { south, north: latitude, west: longitude, east },
    { south: latitude, north, west, east: longitude },
    { south: latitude, north, west: longitude, east },
  ]
}

/** Returns the middle of a cell. Its longitude may exceed ±180. */
export function centre({ south, north, west, east }: Cell): Point {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}

/** Returns the height of a cell in metres. */
export function heightOf({ south, north }: Cell): number {
  return radians(north - south) * EARTH_METRES
}

/** A cell of less height than this, in metres, is not divided further: it holds a few houses. */
const SMALLEST_METRES = 200

/** Returns whether a cell is too small to divide. */
export function isSmallest(cell: Cell): boolean {
  return heightOf(cell) < SMALLEST_METRES
}

/** Returns the area of a cell in square metres. */
export function areaOf({ south, north, west, east }: Cell): number {
  return EARTH_METRES ** 2 * radians(east - west) * (Math.sin(radians(north)) - Math.sin(radians(south)))
}

/**
 * Returns whether a place lies in a cell. Its southern and western edges belong to it. False for an unknown position.
 */
export function holds(cell: Cell, { latitude, longitude }: Positioned): boolean {
  if (latitude === undefined || longitude === undefined) return false
  if (latitude < cell.south || latitude >= cell.north) return false
  const eastward = (((longitude - cell.west) % 360) + 360) % 360
  return eastward < cell.east - cell.west
}
