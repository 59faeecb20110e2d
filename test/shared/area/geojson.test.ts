import { geometryOfFile } from '@placefleet/shared/area/geojson'
import { expect, test } from 'vitest'
import { points, polygon, square } from './shapes.ts'

const one = polygon(square(13, 52, 1))
const other = polygon(square(15, 52, 1), square(15.2, 52.2, 0.2))
const both = { type: 'MultiPolygon', coordinates: [one.coordinates, other.coordinates] }
const feature = (geometry: unknown) => ({ type: 'Feature', properties: {}, geometry })
const collection = (...geometries: unknown[]) => ({ type: 'FeatureCollection', features: geometries.map(feature) })
const POINT = { type: 'Point', coordinates: [13, 52] }

test.each<[string, unknown, unknown]>([
  ['a geometry', one, one],
  ['a geometry with other members', { ...one, bbox: [13, 52, 14, 53] }, one],
  ['several polygons', both, both],
  ['a feature', feature(other), other],
  ['features', collection(one, other), both],
  ['features beside points', collection(POINT, one, null), one],
  ['a collection of geometries', { type: 'GeometryCollection', geometries: [one, other] }, both],
])('the area of a file with %s is read', (_, json, area) => {
  expect(geometryOfFile(json)).toEqual(area)
})

test.each<[string, unknown, RegExp]>([
  ['no GeoJSON', { area: one }, /is not GeoJSON/],
  ['a text', 'Polygon', /is not GeoJSON/],
  ['only points', collection(POINT), /has no GeoJSON Polygon/],
  ['no feature', collection(), /has no GeoJSON Polygon/],
  ['a ring that crosses itself', feature(polygon(points('13 52, 14 53, 14 52, 13 53'))), /crosses itself/],
])('a file with %s is refused', (_, json, fault) => {
  expect(() => geometryOfFile(json)).toThrow(fault)
})
