import { degrees, EARTH_METRES, radians } from '@placefleet/shared/great-circle'
import type { Job } from '../jobs/job-queries.ts'

/** A point on the map, in degrees. */
export type Point = { lat: number; lon: number }

/** The area within `radius` metres of a point. */
export type Circle = Point & { radius: number }

const CORNERS = 128

/** Returns the point at a distance in metres and a direction (0 is north, 90 is east) along a great circle. */
export function pointAt({ lat, lon }: Point, metres: number, direction: number): Point {
  const angle = metres / EARTH_METRES
  const [phi, theta] = [radians(lat), radians(direction)]
  const sin = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(theta)
  const east = Math.atan2(Math.sin(theta) * Math.sin(angle) * Math.cos(phi), Math.cos(angle) - Math.sin(phi) * sin)
  return { lat: degrees(Math.asin(sin)), lon: wrapped(lon + degrees(east)) }
}

export function outline(circle: Circle): GeoJSON.Feature<GeoJSON.Polygon> {
  const ring = Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const { lat, lon } = pointAt(circle, circle.radius, (corner * 360) / CORNERS)
    return [unbroken(lon, circle.lon), lat]
  })
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }
}

/** Normalizes a longitude to -180 to 180. */
export const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180

/** Returns the same meridian without a jump at the date line relative to another longitude. */
const unbroken = (lon: number, from: number): number => lon + Math.round((from - lon) / 360) * 360

type Area = Pick<Job['data'], 'lat' | 'lon' | 'radius' | 'area'>

/** Returns the area of a job for the map: its shape or its circle. Undefined when it searched everywhere. */
export function areaOf({ lat, lon, radius, area }: Area): GeoJSON.Feature | undefined {
  if (area) return { type: 'Feature', properties: {}, geometry: area }
  if (lat === '' || lon === '' || radius === 0) return undefined
  return outline({ lat: Number(lat), lon: Number(lon), radius })
}
