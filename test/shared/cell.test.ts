import { circleArea } from '@placefleet/shared/area/area-of'
import { type Cell, holds, isSmallest, quarters } from '@placefleet/shared/cell'
import { EARTH_METRES, radians } from '@placefleet/shared/great-circle'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const CELL: Cell = { south: 10, north: 12, west: 20, east: 24 }
const ACROSS_THE_DATE_LINE: Cell = { south: -2, north: 2, west: 178, east: 182 }

test.each([
  { where: 'in the middle', cell: CELL, latitude: 11, longitude: 22, isHeld: true },
  { where: 'on its southern edge', cell: CELL, latitude: 10, longitude: 22, isHeld: true },
  { where: 'below it', cell: CELL, latitude: 9.999, longitude: 22, isHeld: false },
  { where: 'on its northern edge', cell: CELL, latitude: 12, longitude: 22, isHeld: false },
  { where: 'just below its northern edge', cell: CELL, latitude: 11.999, longitude: 22, isHeld: true },
  { where: 'on its western edge', cell: CELL, latitude: 11, longitude: 20, isHeld: true },
  { where: 'west of it', cell: CELL, latitude: 11, longitude: 19.999, isHeld: false },
  { where: 'on its eastern edge', cell: CELL, latitude: 11, longitude: 24, isHeld: false },
  { where: 'just west of its eastern edge', cell: CELL, latitude: 11, longitude: 23.999, isHeld: true },
  { where: 'east of the date line', cell: ACROSS_THE_DATE_LINE, latitude: 0, longitude: -179, isHeld: true },
  { where: 'on the date line', cell: ACROSS_THE_DATE_LINE, latitude: 0, longitude: -180, isHeld: true },
  { where: 'west of the date line', cell: ACROSS_THE_DATE_LINE, latitude: 0, longitude: 178, isHeld: true },
  {
    where: 'on the edge beyond the date line',
    cell: ACROSS_THE_DATE_LINE,
    latitude: 0,
    longitude: -178,
    isHeld: false,
  },
])('a cell holds a place $where: $isHeld', ({ cell, latitude, longitude, isHeld }) => {
  expect(holds(cell, { latitude, longitude })).toBe(isHeld)
})

test('a cell holds no place of unknown position', () => {
  expect(holds(CELL, {})).toBe(false)
  expect(holds(CELL, { latitude: 11 })).toBe(false)
  expect(holds(CELL, { longitude: 22 })).toBe(false)
})

test('a place in a cell, also on a border between its quarters, is in exactly one of them', () => {
  const share = fc.integer({ min: 0, max: 7 })
  fc.assert(
    fc.property(share, share, fc.constantFrom(CELL, ACROSS_THE_DATE_LINE), (up, right, cell) => {
      const latitude = cell.south + (up / 8) * (cell.north - cell.south)
      const longitude = cell.west + (right / 8) * (cell.east - cell.west)
      const onTheGlobe = longitude > 180 ? longitude - 360 : longitude
      expect(quarters(cell).filter((quarter) => holds(quarter, { latitude, longitude: onTheGlobe }))).toHaveLength(1)
    }),
  )
})

test('a cell of 200 metres is divided, a lower one is not', () => {
  const heightOf = (metres: number): Cell => ({ ...CELL, south: 0, north: metres / radians(1) / EARTH_METRES })
  expect([isSmallest(heightOf(199.9)), isSmallest(heightOf(200.1))]).toEqual([true, false])
})

test('a circle meets the cells whose nearest point it reaches, on every side and inside', () => {
  const metres = radians(1) * EARTH_METRES // of a degree on a meridian
  const circle = (latitude: number, longitude: number, radius: number) => circleArea({ latitude, longitude, radius })
  const atEquator: Cell = { south: -1, north: 1, west: -1, east: 1 }
  for (const [latitude, longitude] of [
    [2, 0],
    [-2, 0],
    [0, 2],
    [0, -2],
  ] as const) {
    expect(circle(latitude, longitude, metres).meets(atEquator)).toBe(true)
    expect(circle(latitude, longitude, 0.97 * metres).meets(atEquator)).toBe(false)
  }
  expect(circle(0.5, 0.5, 1).meets(atEquator)).toBe(true)
})
