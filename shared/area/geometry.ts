import { z } from 'zod'
import type { Cell } from '../cell.ts'
import type { Point } from '../great-circle.ts'
import { crossingOf } from './crossing.ts'
import { isClosed, type Position, ringOf } from './ring.ts'

/** The most positions of all rings of an area. */
export const MOST_POSITIONS = 2_000

/** Longitudes may exceed ±180, so that a ring over the date line can be written without a jump. */
const MOST_LONGITUDE = 360

const position = z.array(z.number()).min(2).max(3)
const ring = z.array(position).min(4)
const polygon = z.array(ring).min(1)

const example = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [33.02, 34.66],
      [33.07, 34.67],
      [33.05, 34.7],
      [33.02, 34.66],
    ],
  ],
}

/** The shape of an area as GeoJSON (RFC 7946). */
export const Geometry = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('Polygon'), coordinates: polygon }),
      z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(polygon).min(1) }),
    ],
    { error: 'must be a GeoJSON geometry of the type "Polygon" or "MultiPolygon"' },
  )
  .check(({ value, issues }) => {
    const fault = geometryFault(value)
    if (fault) issues.push({ code: 'custom', input: value, ...fault })
  })
  .meta({
    id: 'Area',
    description: `A GeoJSON Polygon or MultiPolygon (RFC 7946): positions of longitude and latitude, at most ${MOST_POSITIONS} of them, in closed rings; the first ring of a polygon is its outline, the others are holes. No ring crosses itself. Edges are straight in degrees, and belong to the area. An edge over more than 270 degrees of longitude means the short way, over the date line.`,
    examples: [example],
  })
export type Geometry = z.infer<typeof Geometry>

type Fault = { path: (string | number)[]; message: string }

function geometryFault({ type, coordinates }: z.infer<typeof Geometry>): Fault | undefined {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates
  const positions = polygons.flat(2).length
  if (positions > MOST_POSITIONS) {
    return { path: ['coordinates'], message: `has ${positions} positions; at most ${MOST_POSITIONS} are allowed` }
  }
  const pathOf = (nth: number) => ['coordinates', ...(type === 'Polygon' ? [] : [nth])]
  for (const [nth, rings] of polygons.entries()) {
    const fault = polygonFault(rings)
    if (fault) return { path: [...pathOf(nth), ...fault.path], message: fault.message }
  }
  return undefined
}

function polygonFault(rings: readonly (readonly Position[])[]): Fault | undefined {
  for (const [nth, positions] of rings.entries()) {
    const fault = ringFault(positions)
    if (fault) return { path: [nth, ...fault.path], message: fault.message }
  }
  const [outer = ringOf([]), ...holes] = rings.map(ringOf)
  const crossing = crossingOf(outer, holes)
  return crossing && { path: [], message: `${FAULTS[crossing.fault]} at ${crossing.at.join(', ')}` }
}

const FAULTS = {
  crosses: 'crosses itself',
  touches: 'touches itself',
  leaves: 'has a hole that leaves its outline',
}

function ringFault(positions: readonly Position[]): Fault | undefined {
  for (const [nth, [longitude = 0, latitude = 0]] of positions.entries()) {
    if (Math.abs(latitude) > 90) return { path: [nth, 1], message: 'must be a latitude between -90 and 90' }
    if (Math.abs(longitude) > MOST_LONGITUDE) {
      return { path: [nth, 0], message: `must be a longitude between -${MOST_LONGITUDE} and ${MOST_LONGITUDE}` }
    }
  }
  const [first, last] = [positions[0], positions.at(-1)]
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    return { path: [], message: 'is not closed: its last position must repeat the first' }
  }
  const ring = ringOf(positions)
  if (ring.edges.length === 0) return { path: [], message: 'has no extent: all its positions are the same' }
  if (isClosed(ring)) return undefined
  return { path: [], message: 'runs around a pole; cut it at the date line, along -180 and 180 degrees' }
}

/** A box: west, south, east, north, in degrees. With `west` above `east` it lies across the date line. */
export const Bbox = z
  .array(z.number().min(-180).max(180))
  .length(4)
  .check(({ value, issues }) => {
    const [west = 0, south = 0, east = 0, north = 0] = value
    const fault = (at: number, message: string) => issues.push({ code: 'custom', input: value, path: [at], message })
    for (const at of [1, 3]) if (Math.abs(value[at] ?? 0) > 90) fault(at, 'must be a latitude between -90 and 90')
    if (south >= north) fault(3, 'must be north of the second number, the south')
    if (west === east || west - east === 360) fault(2, 'must be east of the first number, the west')
  })
export type Bbox = z.infer<typeof Bbox>

/** The part of the map that a job searches. What lies outside is not stored. */
export type Area = {
  /** The smallest cell, about as high as wide, that holds the area. All its cells are parts of this one. */
  readonly bounds: Cell
  /** Whether a point lies in the area. Its edge belongs to it. */
  contains(point: Point): boolean
  /** Whether a part of `bounds` has points of the area. True for some that just miss it. */
  meets(cell: Cell): boolean
}

/** The fields of a job that say where it searches: a centre, with a radius or not, or a shape. */
export type AreaFields = {
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly radius: number
  readonly area?: Geometry | undefined
  readonly bbox?: Bbox | undefined
}
