import type { Cell } from '../cell.ts'
import { radians } from '../great-circle.ts'
import type { Area, Bbox, Geometry } from './geometry.ts'
import { type Edge, eastward, ON_EDGE, type Position, type Ring, ringOf, ringOfCorners, sideOf } from './ring.ts'

/** A polygon: its outer ring, and the rings of its holes. The edges of holes belong to it. */
type Polygon = { readonly outer: Ring; readonly holes: readonly Ring[] }

/** Returns the area of a GeoJSON polygon, or of several. Where they overlap, each point counts once. */
export function polygonArea({ type, coordinates }: Geometry): Area {
  return areaOfPolygons((type === 'Polygon' ? [coordinates] : coordinates).map(polygonOf))
}

function areaOfPolygons(polygons: readonly Polygon[]): Area {
  return {
    bounds: squared(around(polygons.map(({ outer }) => outer))),
    contains: (point) =>
      polygons.some(
        ({ outer, holes }) =>
          sideOf(outer, point) !== 'outside' && !holes.some((hole) => sideOf(hole, point) === 'inside'),
      ),
    meets: (cell) => polygons.some((polygon) => TURNS.some((turn) => meetsPolygon(turned(cell, turn), polygon))),
  }
}

/** Returns the area between two parallels and two meridians. With `west` above `east` it lies across the date line. */
export function boxArea([west = 0, south = 0, east = 0, north = 0]: Bbox): Area {
  const right = west < east ? east : east + 360
  const outer = ringOfCorners([
    [west, south],
    [right, south],
    [right, north],
    [west, north],
    [west, south],
  ])
  return areaOfPolygons([{ outer, holes: [] }])
}

function polygonOf([outer = [], ...holes]: readonly (readonly Position[])[]): Polygon {
  return { outer: ringOf(outer), holes: holes.map(ringOf) }
}

/** Returns the narrowest cell around some rings, over the date line if that is narrower. */
function around(rings: readonly Ring[]): Cell {
  const cells = rings.map(({ west }) => {
    const reach = Math.max(...rings.map((ring) => eastward(ring.west - west) + ring.east - ring.west))
    return { west, width: Math.min(360, reach) }
  })
  const { west, width } = cells.reduce((narrowest, cell) => (cell.width < narrowest.width ? cell : narrowest))
  return {
    south: Math.min(...rings.map(({ south }) => south)),
    north: Math.max(...rings.map(({ north }) => north)),
    west,
    east: west + width,
  }
}

/** A cell holds its southern and western edges only, so `bounds` are a little larger than the area. */
const RIM = 2 * ON_EDGE

/** Widens the shorter side of a cell, so that its quarters are about as high as wide in metres. */
function squared({ south, north, west, east }: Cell): Cell {
  const narrowing = Math.cos(radians((south + north) / 2))
  const side = Math.max(north - south, (east - west) * narrowing) + 2 * RIM
  const high = (side - (north - south)) / 2
  const wide = (Math.min(360, side / narrowing) - (east - west)) / 2
  return {
    south: Math.max(-90, south - high),
    north: Math.min(90, north + high),
    west: west - wide,
    east: east + wide,
  }
}

/** A ring may lie whole turns away from a cell. */
const TURNS = [-360, 0, 360]

const turned = ({ west, east, ...cell }: Cell, turn: number): Cell => ({
  ...cell,
  west: west + turn,
  east: east + turn,
})

/** A cell has points of a polygon when an edge crosses it, or when it lies in the polygon as a whole. */
function meetsPolygon({ south, north, west, east }: Cell, { outer, holes }: Polygon): boolean {
  const rim = { south: south - RIM, north: north + RIM, west: west - RIM, east: east + RIM }
  const isApart = outer.south > rim.north || outer.north < rim.south || outer.west > rim.east || outer.east < rim.west
  if (isApart) return false
  if ([outer, ...holes].some(({ edges }) => edges.some((edge) => crosses(edge, rim)))) return true
  const corner = { latitude: south, longitude: west }
  return sideOf(outer, corner) !== 'outside' && !holes.some((hole) => sideOf(hole, corner) === 'inside')
}

/** Returns whether a part of an edge lies in a cell (Liang and Barsky, 1984). */
function crosses({ 0: begin, 1: end }: Edge, { south, north, west, east }: Cell): boolean {
  const { 0: x1, 1: y1 } = begin
  const { 0: x2, 1: y2 } = end
  const isApart =
    (x1 < west && x2 < west) || (x1 > east && x2 > east) || (y1 < south && y2 < south) || (y1 > north && y2 > north)
  if (isApart) return false // as nearly all edges of a long ring
  let [from, to] = [0, 1]
  for (const [step, room] of [
    [x1 - x2, x1 - west],
    [x2 - x1, east - x1],
    [y1 - y2, y1 - south],
    [y2 - y1, north - y1],
  ] as const) {
    if (step === 0 && room < 0) return false
    if (step < 0) from = Math.max(from, room / step)
    if (step > 0) to = Math.min(to, room / step)
  }
  return from <= to
}
