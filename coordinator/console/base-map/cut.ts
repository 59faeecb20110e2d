import { geoEquirectangular } from 'd3-geo'
import { geoProject } from 'd3-geo-projection'
import type { FeatureCollection, Geometry, MultiLineString, MultiPolygon, Position } from 'geojson'

/** One unit is one degree. Precision 0 adds no points between those of the source. */
const degrees = geoEquirectangular()
  .scale(180 / Math.PI)
  .translate([0, 0])
  .precision(0)

/**
 * Returns shapes of the sphere as shapes of a flat map, which ends at the antimeridian and at the poles. Tiles need
 * this: the land of world-atlas has rings that cross the antimeridian or contain a pole.
 */
export function cutAtAntimeridian(shapes: Geometry[]): FeatureCollection {
  const features = shapes.map((shape) => ({
    type: 'Feature' as const,
    properties: {},
    geometry: northUp(geoProject(shape, degrees)),
  }))
  return { type: 'FeatureCollection', features }
}

/** Turns the y axis of the projection, which points south. */
function northUp(geometry: Geometry): MultiPolygon | MultiLineString {
  if (geometry.type === 'MultiPolygon') {
    return { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(turned)) }
  }
  if (geometry.type === 'MultiLineString') return { ...geometry, coordinates: geometry.coordinates.map(turned) }
  throw new Error(`The base map has land and lines, no ${geometry.type}.`)
}

const turned = (line: Position[]): Position[] => line.map(([x = 0, y = 0]) => [x, -y])
