import { Bbox, Geometry, MOST_POSITIONS } from '@placefleet/shared/area/geometry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closed, cornersOf, jumping, points, polygon, square, stars } from './shapes.ts'

/** Returns what is wrong with a shape, as the API says it. */
function faultOf(area: unknown): string | undefined {
  const [issue] = Geometry.safeParse(area).error?.issues ?? []
  return issue && `${issue.path.join('.')} ${issue.message}`
}

const OUTLINE = square(13, 52, 1)

/** A ring with so many positions. */
const ring = (positions: number): number[][] =>
  closed(
    Array.from({ length: positions - 1 }, (_, nth): [number, number] => {
      const direction = (2 * Math.PI * nth) / (positions - 1)
      return [13 + Math.cos(direction), 52 + Math.sin(direction)]
    }),
  )

test.each<[string, Geometry]>([
  ['a triangle', polygon(points('13 52, 14 52, 13 53'))],
  ['altitudes', { type: 'Polygon', coordinates: [closed(OUTLINE).map((position) => [...position, 34])] }],
  ['a hole', polygon(OUTLINE, square(13.2, 52.2, 0.2))],
  ['a hole that touches its outline in a point', polygon(OUTLINE, points('13 52.5, 13.2 52.4, 13.2 52.6'))],
  ['a hole in degrees a turn away', polygon(square(179, 0, 2), square(-179.6, 0.5, 0.2))],
  ['a position twice in a row', polygon(points('13 52, 13 52, 14 52, 13 53'))],
  ['corners on a straight line', polygon(points('13 52, 13.5 52, 14 52, 13 53'))],
  [
    'polygons that overlap',
    { type: 'MultiPolygon', coordinates: [[closed(OUTLINE)], [closed(square(13.5, 52.5, 1))]] },
  ],
  ['as many positions as are allowed', { type: 'Polygon', coordinates: [ring(MOST_POSITIONS)] }],
  ['the largest degrees', polygon(points('-360 -90, -190 -90, -190 90'))],
  ['the whole world', polygon(points('-180 -90, 180 -90, 180 90, -180 90'))],
  ['all around a pole, cut at the date line', polygon(points('-180 80, 0 80, 180 80, 180 90, -180 90'))],
])('a shape with %s is accepted', (_, area) => {
  expect(faultOf(area)).toBeUndefined()
})

const BOW_TIE = points('13 52, 14 53, 14 52, 13 53')

test.each<[string, unknown, RegExp]>([
  ['a bow tie', polygon(BOW_TIE), /^coordinates crosses itself at 14, 52/],
  ['a bow tie over the date line', polygon(jumping(BOW_TIE.map(([x, y]) => [x + 166.5, y]))), /crosses itself/],
  ['a bow tie as a hole', polygon(square(10, 50, 9), BOW_TIE), /crosses itself/],
  [
    'a bow tie in its second polygon',
    { type: 'MultiPolygon', coordinates: [[closed(OUTLINE)], [closed(BOW_TIE)]] },
    /^coordinates\.1 crosses itself/,
  ],
  ['a ring that crosses itself in a corner', polygon(points('0 0, 1 1, 2 2, 2 0, 1 1, 0 2')), /touches itself at 1, 1/],
  ['a ring that touches its own edge', polygon(points('0 0, 4 0, 4 4, 2 0, 0 4')), /touches itself/],
  ['a ring that runs back', polygon(points('0 0, 4 0, 2 0, 2 2')), /touches itself/],
  ['a ring on a line', polygon(points('0 0, 4 0, 2 0')), /touches itself/],
  ['a ring in one point', polygon(points('1 1, 1 1, 1 1')), /has no extent/],
  ['a hole that crosses its outline', polygon(OUTLINE, square(13.5, 52.5, 1)), /crosses itself/],
  [
    'a hole that crosses its outline in corners',
    polygon(OUTLINE, points('13.5 52, 14 52.5, 14.5 52')),
    /crosses itself|leaves/,
  ],
  [
    'a hole beside its outline',
    polygon(OUTLINE, square(15, 52, 1)),
    /^coordinates has a hole that leaves its outline at 15, 52/,
  ],
  ['holes that cross', polygon(square(10, 50, 9), square(11, 51, 2), square(12, 52, 2)), /crosses itself/],
  [
    'a position too many',
    { type: 'Polygon', coordinates: [ring(MOST_POSITIONS + 1)] },
    /^coordinates has 2001 positions; at most 2000/,
  ],
  [
    'positions too many in two polygons',
    { type: 'MultiPolygon', coordinates: [[ring(1_000)], [ring(1_001)]] },
    /has 2001/,
  ],
  ['a ring that is not closed', { type: 'Polygon', coordinates: [OUTLINE] }, /^coordinates\.0 is not closed/],
  ['a ring of two corners', { type: 'Polygon', coordinates: [closed(OUTLINE.slice(0, 2))] }, /^coordinates\.0 /],
  ['a ring around a pole', polygon(points('0 80, 90 80, 179 80, -100 80')), /runs around a pole/],
  ['a latitude above 90', polygon(points('13 90.001, 14 52, 13 53')), /^coordinates\.0\.0\.1 must be a latitude/],
  ['a longitude above 360', polygon(points('13 52, 360.001 52, 13 53')), /^coordinates\.0\.1\.0 must be a longitude/],
  [
    'a position of one number',
    { type: 'Polygon', coordinates: [[[13], [14, 52], [13, 53], [13]]] },
    /^coordinates\.0\.0 /,
  ],
  ['no ring', { type: 'Polygon', coordinates: [] }, /^coordinates /],
  ['no polygon', { type: 'MultiPolygon', coordinates: [] }, /^coordinates /],
  ['a point', { type: 'Point', coordinates: [13, 52] }, /must be a GeoJSON geometry of the type "Polygon"/],
  ['a feature', { type: 'Feature', geometry: polygon(OUTLINE) }, /must be a GeoJSON geometry/],
  ['another member', { ...polygon(OUTLINE), crs: {} }, /crs|key/i],
])('a shape with %s is refused, and the message says where', (_, area, fault) => {
  expect(faultOf(area)).toMatch(fault)
})

test('a ring whose corners rise in direction never crosses itself; one with two of them exchanged does', () => {
  fc.assert(
    fc.property(stars, fc.nat(), (star, nth) => {
      const corners = cornersOf(star)
      expect(faultOf(polygon(corners))).toBeUndefined()
      expect(faultOf(polygon(jumping(corners)))).toBeUndefined()
      const first = nth % corners.length
      const even = star.reaches.map(() => Math.max(...star.reaches)) // of a circle, any other order crosses
      const around = cornersOf({ ...star, reaches: even })
      const [a, b] = [around[first], around[(first + 1) % around.length]]
      fc.pre(around.length > 3)
      const exchanged = around.map((corner) => (corner === a ? b : corner === b ? a : corner))
      expect(faultOf(polygon(exchanged.flatMap((corner) => (corner ? [corner] : []))))).toMatch(/crosses itself/)
    }),
  )
})

test.each<[unknown, boolean]>([
  [[13, 52, 14, 53], true],
  [[179, -18, -179, -16], true],
  [[-180, -90, 180, 90], true],
  [[13, 52, 13, 53], false],
  [[180, 52, -180, 53], false],
  [[13, 52, 14, 52], false],
  [[13, 53, 14, 52], false],
  [[13, -90.1, 14, 52], false],
  [[13, 52, 14, 90.1], false],
  [[-180.1, 52, 14, 53], false],
  [[13, 52, 180.1, 53], false],
  [[13, 52, 14], false],
  [[13, 52, 14, 53, 54], false],
  [['13', 52, 14, 53], false],
  [{ west: 13 }, false],
])('the box %j is accepted: %s', (bbox, isAccepted) => {
  expect(Bbox.safeParse(bbox).success).toBe(isAccepted)
})
