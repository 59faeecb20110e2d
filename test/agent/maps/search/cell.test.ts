import { reachOf, watchEdge } from '@placefleet/agent/maps/search/cell'
import { circleArea } from '@placefleet/shared/area/area-of'
import { type Cell, centre, heightOf, quarters } from '@placefleet/shared/cell'
import { type Circle, metresBetween, type Point } from '@placefleet/shared/great-circle'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const anywhere = fc.record({ latitude: number(-90, 90), longitude: number(-180, 180) })
const circles = fc.record({ latitude: number(-75, 75), longitude: number(-180, 180), radius: number(1, 50_000) })

test('distances: Paris to London, over the date line, to itself, and the same both ways', () => {
  const paris = { latitude: 48.8566, longitude: 2.3522 }
  expect(metresBetween(paris, { latitude: 51.5074, longitude: -0.1278 })).toBeCloseTo(343_556, -3)
  expect(metresBetween({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(111_195, -1)
  fc.assert(
    fc.property(anywhere, anywhere, (a, b) => {
      expect(metresBetween(a, a)).toBeCloseTo(0, 3)
      expect(metresBetween(a, b)).toBeCloseTo(metresBetween(b, a), 3)
      expect(metresBetween(a, b)).toBeLessThanOrEqual(20_015_200)
    }),
  )
})

/** Returns a point at a distance from the middle of a circle, a share of its radius, in some direction. */
function pointIn({ latitude, longitude, radius }: Circle, share: number, direction: number): Point {
  const angle = (radius * share) / 6_371_008.8
  const from = (latitude * Math.PI) / 180
  const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(direction))
  const turn = Math.atan2(
    Math.sin(direction) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  )
  return { latitude: (to * 180) / Math.PI, longitude: longitude + (turn * 180) / Math.PI }
}

/** Degrees by which a point may miss a cell for rounding, and twice that in metres. */
const ROUNDING = { degrees: 1e-9, metres: 2.3e-4 }

const within = (cell: Cell, { latitude, longitude }: Point) =>
  latitude >= cell.south - ROUNDING.degrees &&
  latitude <= cell.north + ROUNDING.degrees &&
  longitude >= cell.west - ROUNDING.degrees &&
  longitude <= cell.east + ROUNDING.degrees

test('every point of a circle lies in a cell that is searched, however often cells are divided', () => {
  fc.assert(
    fc.property(
      circles,
      number(0, 1),
      number(0, 2 * Math.PI),
      fc.integer({ min: 0, max: 7 }),
      (circle, share, direction, levels) => {
        const point = pointIn(circle, share, direction)
        const area = circleArea(circle)
        let cells = [area.bounds]
        for (let level = 0; level < levels; level++) {
          cells = cells.flatMap((cell) => quarters(cell)).filter((cell) => area.meets(cell) && within(cell, point))
        }
        const [cell] = cells.filter((one) => within(one, point))
        expect(cell).toBeDefined()
        if (cell)
          expect(metresBetween(centre(cell), point)).toBeLessThanOrEqual(reachOf(cell) * 1.0001 + ROUNDING.metres)
      },
    ),
  )
})

test('the cell of a circle around a pole covers all longitudes, and a cell over the date line exceeds 180 degrees', () => {
  expect(circleArea({ latitude: 89.9, longitude: 10, radius: 50_000 }).bounds).toMatchObject({
    north: 90,
    west: -170,
    east: 190,
  })
  const cell = circleArea({ latitude: 0, longitude: 179.9, radius: 50_000 }).bounds
  expect(cell.east).toBeGreaterThan(180)
  expect(heightOf(cell)).toBeCloseTo(100_000, 0)
})

test('a list has left a cell after two pages in a row outside, at any offset', () => {
  const cell = circleArea({ latitude: 52, longitude: 13, radius: 1_000 }).bounds
  const inside = { latitude: 52.001, longitude: 13 }
  const outside = { latitude: 53, longitude: 13 }
  const edge = watchEdge(cell)
  edge.note([...Array(39).fill(outside), inside, ...Array(20).fill(outside)])
  expect(edge.left()).toBe(false)
  edge.note(Array(20).fill(outside))
  expect(edge.left()).toBe(true)
  const everywhere = watchEdge(undefined)
  everywhere.note(Array(50).fill(outside))
  expect(everywhere.left()).toBe(false)
})
