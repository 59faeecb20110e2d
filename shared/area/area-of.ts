import type { Cell } from '../cell.ts'
import { type Circle, degrees, EARTH_METRES, metresBetween, type Point, radians } from '../great-circle.ts'
import type { Area, AreaFields } from './geometry.ts'
import { boxArea, polygonArea } from './polygon.ts'

/** Returns the area of a job, or undefined when it is unlimited: without a shape and a radius. */
export function areaOf({ latitude, longitude, radius, area, bbox }: AreaFields): Area | undefined {
  if (area) return polygonArea(area)
  if (bbox) return boxArea(bbox)
  if (radius === 0 || latitude === undefined || longitude === undefined) return undefined
  return circleArea({ latitude, longitude, radius })
}

/** Returns the area within `radius` metres of a point, along great circles. */
export const circleArea = (circle: Circle): Area => ({
  bounds: enclosing(circle),
  contains: (point) => metresBetween(circle, point) <= circle.radius,
  meets: (cell) => metresBetween(nearest(cell, circle), circle) <= circle.radius * MARGIN,
})

/** Enlarges circles, because the nearest point of a cell is computed along parallels and is slightly too far. */
const MARGIN = 1.02

/** Returns the smallest cell around a circle. Around a pole it covers all longitudes. */
function enclosing({ latitude, longitude, radius }: Circle): Cell {
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

const nearest = ({ south, north, west, east }: Cell, { latitude, longitude }: Circle) => ({
  latitude: Math.min(north, Math.max(south, latitude)),
  longitude: Math.min(east, Math.max(west, longitude)),
})

/** Returns the centre of a job as numbers. In the API they are strings; an empty string means no centre. */
export const centreOf = ({ lat, lon }: { lat: string; lon: string }): Partial<Point> =>
  lat === '' || lon === '' ? {} : { latitude: Number(lat), longitude: Number(lon) }

/** Returns whether a job has an area, without building it. */
export const hasArea = ({ radius, area, bbox }: { radius?: unknown; area?: unknown; bbox?: unknown }): boolean =>
  area !== undefined || bbox !== undefined || (typeof radius === 'number' && radius > 0)
