import type { Cell } from '../cell.ts'
import type { Point } from '../great-circle.ts'
import type { Bbox, Geometry } from './geometry.ts'

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
