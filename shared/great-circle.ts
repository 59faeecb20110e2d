/** Mean radius of the earth in metres (IUGG). */
export const EARTH_METRES = 6_371_008.8

/** A point on the map, in degrees. */
export type Point = { readonly latitude: number; readonly longitude: number }

/** All points within `radius` metres of a point. */
export type Circle = Point & { readonly radius: number }

/** The area of a job. Without a point, or with a `radius` of 0, it is unlimited. */
export type Area = {
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly radius: number
}

/** Returns the area of a job as numbers. In the API they are strings; an empty string means no area. */
export const areaOf = ({ lat, lon, radius }: { lat: string; lon: string; radius: number }): Area => ({
  latitude: lat === '' ? undefined : Number(lat),
  longitude: lon === '' ? undefined : Number(lon),
  radius,
})

/** Returns the circle of an area, or undefined when the area is unlimited. */
export function circleOf({ latitude, longitude, radius }: Area): Circle | undefined {
  return radius > 0 && latitude !== undefined && longitude !== undefined ? { latitude, longitude, radius } : undefined
}

export const radians = (degrees: number): number => (degrees * Math.PI) / 180
export const degrees = (angle: number): number => (angle * 180) / Math.PI

/** Great-circle distance in metres between two points (haversine). */
export function metresBetween(a: Point, b: Point): number {
  const half = (angle: number) => Math.sin(radians(angle) / 2) ** 2
  const shrink = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude))
  const chord = half(b.latitude - a.latitude) + shrink * half(b.longitude - a.longitude)
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(chord)))
}
