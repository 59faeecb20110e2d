/** Mean radius of the earth in metres (IUGG). */
export const EARTH_METRES = 6_371_008.8

/** A point on the map, in degrees. */
export type Point = { readonly latitude: number; readonly longitude: number }

/** All points within `radius` metres of a point. */
export type Circle = Point & { readonly radius: number }

export const radians = (degrees: number): number => (degrees * Math.PI) / 180
export const degrees = (angle: number): number => (angle * 180) / Math.PI

/** Great-circle distance in metres between two points (haversine). */
export function metresBetween(a: Point, b: Point): number {
  const half = (angle: number) => Math.sin(radians(angle) / 2) ** 2
  const shrink = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude))
  const chord = half(b.latitude - a.latitude) + shrink * half(b.longitude - a.longitude)
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** People on a square kilometre of a town with its suburbs. */
const DENSITY = 2_000

const SMALLEST = 2_000
const LARGEST = 50_000

/** Returns the radius in metres of a circle that holds a town of so many people, in whole hundreds: 2 to 50 km. */
export function townRadius(population: number): number {
  const metres = 1_000 * Math.sqrt(population / (DENSITY * Math.PI))
  return Math.min(LARGEST, Math.max(SMALLEST, Math.round(metres / 100) * 100))
}
