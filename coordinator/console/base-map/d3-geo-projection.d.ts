declare module 'd3-geo-projection' {
  import type { GeoProjection } from 'd3-geo'

  /** Returns a copy of the shapes in the plane of the projection, cut where it cuts the sphere. */
  export function geoProject<Shape extends GeoJSON.GeoJSON>(shape: Shape, projection: GeoProjection): Shape
}
