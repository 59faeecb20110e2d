import { expect, test } from 'vitest'
import { areaOf } from '../../../coordinator/console/src/map/circle.ts'
import { hasArea, newJobDraft } from '../../../coordinator/console/src/new-job/draft.ts'
import { polygon, square } from '../../shared/area/shapes.ts'

const SQUARE = polygon(square(13, 52, 1))

test.each([
  ['nothing', {}, false],
  ['a point', { lat: '52.5', lon: '13.4' }, false],
  ['a circle', { lat: '52.5', lon: '13.4', radius: 1 }, true],
  ['a circle without a longitude', { lat: '52.5', radius: 1 }, false],
  ['a shape', { area: SQUARE }, true],
  ['a box', { bbox: [13, 52, 14, 53] }, true],
])('the form with %s: an area is %j', (_, changes, expected) => {
  expect(hasArea({ ...newJobDraft('en'), ...changes })).toBe(expected)
})

test('the map of a job shows its circle, its shape, or no area', () => {
  const circle = areaOf({ lat: '0', lon: '0', radius: 1_000 })
  expect(circle?.geometry.type).toBe('Polygon')
  expect(areaOf({ lat: '0', lon: '0', radius: 1_000, area: SQUARE })?.geometry).toEqual(SQUARE)
  expect(areaOf({ lat: '', lon: '', radius: 0 })).toBeUndefined()
  expect(areaOf({ lat: '1', lon: '1', radius: 0 })).toBeUndefined()
})
