import { areaOf } from '@placefleet/shared/area/area-of'
import type { Area } from '@placefleet/shared/area/geometry'
import { type Bbox, Geometry } from '@placefleet/shared/area/geometry'
import { type Cell, centre, heightOf, holds, quarters } from '@placefleet/shared/cell'
import { metresBetween, type Point } from '@placefleet/shared/great-circle'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closed, cornersOf, jumping, onTheGlobe, pointIn, points, polygon, square, stars } from './shapes.ts'

const shape = (area: Geometry): Area => areaOf({ radius: 0, area: Geometry.parse(area) }) ?? expect.fail('no area')
const box = (bbox: Bbox): Area => areaOf({ radius: 0, bbox }) ?? expect.fail('no area')
const at = (longitude: number, latitude: number): Point => ({ longitude, latitude })

const share = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const places = fc.record({ nth: fc.nat(40), along: share(0, 1), share: share(0, 1) })

/** Returns the parts that a search ends with when each of its searches is cut, so many times. */
function searchedCells(area: Area, levels: number, near: Point): Cell[] {
  let cells = [area.bounds]
  for (let level = 0; level < levels; level++) {
    // Only those near the point, because there are millions.
    cells = cells.flatMap(quarters).filter((cell) => area.meets(cell) && (level < 2 || holds(cell, near)))
  }
  return cells
}

describe('a polygon, anywhere on the map', () => {
  test('has the points within its edges and none beyond, however its longitudes are written', () => {
    fc.assert(
      fc.property(stars, places, (star, place) => {
        const inside = pointIn(star, place.nth, place.along, place.share * 0.999)
        const outside = pointIn(star, place.nth, place.along, 1.001 + place.share)
        const corners = cornersOf(star)
        const turned = corners.map(([x, y]): [number, number] => [x > 0 ? x - 360 : x + 360, y])
        const isOneSide = new Set(corners.map(([longitude]) => longitude > 0)).size === 1
        const spellings = [corners, jumping(corners), ...(isOneSide ? [turned] : [])]
        for (const area of spellings.map((spelling) => shape(polygon(spelling)))) {
          expect(area.contains(inside)).toBe(true)
          if (Math.abs(outside.latitude) <= 90) expect(area.contains(outside)).toBe(false)
        }
      }),
    )
  })

  test('loses none of its points by the cells that are searched, however often they are divided', () => {
    fc.assert(
      fc.property(stars, places, fc.integer({ min: 0, max: 9 }), (star, place, levels) => {
        const point = pointIn(star, place.nth, place.along, place.share)
        for (const corners of [cornersOf(star), jumping(cornersOf(star))]) {
          const area = shape(polygon(corners, cornersOf(star, 0.5)))
          if (area.contains(point)) {
            expect(searchedCells(area, levels, point).filter((cell) => holds(cell, point))).toHaveLength(1)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('lacks its hole, whose edge belongs to it', () => {
    fc.assert(
      fc.property(stars, places, (star, place) => {
        const area = shape(polygon(cornersOf(star), cornersOf(star, 0.5)))
        expect(area.contains(pointIn(star, place.nth, place.along, place.share * 0.499))).toBe(false)
        expect(area.contains(pointIn(star, place.nth, place.along, 0.501 + place.share * 0.498))).toBe(true)
        expect(area.contains(pointIn(star, place.nth, place.along, 0.5))).toBe(true)
      }),
    )
  })

  test('has its corners and the points of its edges', () => {
    fc.assert(
      fc.property(stars, places, (star, { nth, along }) => {
        const area = shape(polygon(cornersOf(star)))
        expect(area.contains(pointIn(star, nth, 0, 1))).toBe(true)
        expect(area.contains(pointIn(star, nth, along, 1))).toBe(true)
      }),
    )
  })

  test('begins with a cell that is about as high as wide', () => {
    fc.assert(
      fc.property(stars, (star) => {
        fc.pre(Math.abs(star.latitude) < 80)
        const { bounds } = shape(polygon(cornersOf(star)))
        const { latitude } = centre(bounds)
        const width = metresBetween(at(bounds.west, latitude), at(bounds.east, latitude))
        expect(width / heightOf(bounds)).toBeCloseTo(1, 1)
      }),
    )
  })
})

test('several polygons have the points of each, and the cell around them crosses the date line if that is shorter', () => {
  fc.assert(
    fc.property(stars, stars, places, (one, other, place) => {
      const area = shape({
        type: 'MultiPolygon',
        coordinates: [one, other].map((star) => [closed(jumping(cornersOf(star)))]),
      })
      for (const star of [one, other]) {
        const point = pointIn(star, place.nth, place.along, place.share)
        expect(area.contains(point)).toBe(true)
        expect(searchedCells(area, 2, point).filter((cell) => holds(cell, point))).toHaveLength(1)
      }
    }),
  )
  const fiji = shape({
    type: 'MultiPolygon',
    coordinates: [[closed(square(176, -19, 4))], [closed(square(-180, -19, 2))]],
  })
  expect(fiji.bounds.west).toBeCloseTo(176, 6)
  expect(fiji.bounds.east).toBeCloseTo(182, 6)
  const around = shape({
    type: 'MultiPolygon',
    coordinates: [-180, -60, 60].map((west) => [closed(square(west, -60, 120))]),
  })
  expect(around.bounds.east - around.bounds.west).toBe(360)
})

test.each<[string, number, number, boolean]>([
  ['its west edge', 13, 52.5, true],
  ['just west of it', 12.999_999, 52.5, false],
  ['its east edge', 14, 52.5, true],
  ['just east of it', 14.000_001, 52.5, false],
  ['its south edge', 13.5, 52, true],
  ['just south of it', 13.5, 51.999_999, false],
  ['its north edge', 13.5, 53, true],
  ['just north of it', 13.5, 53.000_001, false],
  ['a corner', 14, 53, true],
  ['the edge of its hole', 13.4, 52.5, true],
  ['a corner of its hole', 13.6, 52.6, true],
  ['just within its hole', 13.400_001, 52.5, false],
  ['within a tenth of a millimetre of its edge', 14.000_000_000_9, 52.5, true],
  ['within a tenth of a millimetre of the northern edge of its hole', 13.5, 52.599_999_999_1, true],
  ['just beyond a tenth of a millimetre from there', 13.5, 52.599_999_998, false],
  ['within a tenth of a millimetre of the southern edge of its hole', 13.5, 52.400_000_000_9, true],
  ['just beyond a tenth of a millimetre from there, too', 13.5, 52.400_000_002, false],
])('a point on %s is in the area: %j, %j: %s', (_, longitude, latitude, isInside) => {
  const area = shape(polygon(square(13, 52, 1), square(13.4, 52.4, 0.2)))
  expect(area.contains(at(longitude, latitude))).toBe(isInside)
})

describe('a box', () => {
  test('has the points between its edges, also over the date line', () => {
    fc.assert(
      fc.property(
        share(-180, 180),
        share(0.001, 300),
        share(-90, 89),
        share(0, 1),
        share(0, 1),
        (west, width, south, x, y) => {
          const east = onTheGlobe(west + width)
          const north = Math.min(90, south + 1)
          const area = box([west, south, east, north])
          const latitude = south + y * (north - south)
          const point = at(onTheGlobe(west + x * width), latitude)
          expect(area.contains(point)).toBe(true)
          fc.pre(latitude < 90)
          expect(searchedCells(area, 5, point).filter((cell) => holds(cell, point))).toHaveLength(1)
          expect(
            area.contains(at(onTheGlobe(west + width + (x + 0.001) * (358 - width) * 0.9 + 0.001), latitude)),
          ).toBe(false)
        },
      ),
    )
  })

  test.each<[Bbox, Point, boolean]>([
    [[179, -18, -179, -16], at(179.5, -17), true],
    [[179, -18, -179, -16], at(-179.5, -17), true],
    [[179, -18, -179, -16], at(180, -17), true],
    [[179, -18, -179, -16], at(-180, -17), true],
    [[179, -18, -179, -16], at(-179, -16), true],
    [[179, -18, -179, -16], at(-178.9, -17), false],
    [[179, -18, -179, -16], at(0, -17), false],
    [[-180, -90, 180, 90], at(180, 90), true],
    [[-180, 60, 180, 90], at(-12, 59.9), false],
  ])('%j has %j: %s', (bbox, point, isInside) => {
    expect(box(bbox).contains(point)).toBe(isInside)
  })
})

test.each<[string, number, number, number, boolean]>([
  ['over 270 degrees is meant as written', -180, 90, 0, true],
  ['over 270 degrees is meant as written', -180, 90, 100, false],
  ['over more means the short way', -180, 90.001, 0, false],
  ['over more means the short way', -180, 90.001, 100, true],
  ['over 200 degrees is meant as written', 100, -100, 0, true],
  ['over 359 degrees means the short way', 179.5, -179.5, 179.9, true],
  ['over 359 degrees means the short way', 179.5, -179.5, 0, false],
  ['over 360 degrees is meant as written', -180, 180, 0, true],
])('an edge %s: from %d to %d, the point at %d is inside: %s', (_, west, east, longitude, isInside) => {
  const area = shape(polygon(points(`${west} 50, ${east} 50, ${east} 60, ${west} 60`)))
  expect(area.contains(at(longitude, 55))).toBe(isInside)
})

test('a job without a shape and a radius has no area', () => {
  expect(areaOf({ radius: 0 })).toBeUndefined()
  expect(areaOf({ radius: 0, latitude: 1, longitude: 2 })).toBeUndefined()
  expect(areaOf({ radius: 1, latitude: 1, longitude: 2 })).toBeDefined()
})

test('far more cells of the area are searched than of its surroundings', () => {
  // A thin ring: a square of one degree with a hole that leaves a hundredth of it.
  const area = shape(polygon(square(13, 52, 1), square(13.01, 52.01, 0.98)))
  let cells = [area.bounds]
  for (let level = 0; level < 6; level++) cells = cells.flatMap(quarters).filter((cell) => area.meets(cell))
  expect(cells.length).toBeLessThan(4 ** 6 / 8)
})
