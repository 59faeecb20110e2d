import { z } from 'zod'
import { Geometry } from './geometry.ts'

type Polygons = Extract<Geometry, { type: 'MultiPolygon' }>['coordinates']

const Other = z.object({ type: z.string() })
const Feature = z.object({ type: z.literal('Feature'), geometry: z.unknown() })
const Collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) })
const Geometries = z.object({ type: z.literal('GeometryCollection'), geometries: z.array(z.unknown()) })
const Shape = z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.unknown() })

/**
 * Returns the area of a GeoJSON file: all polygons of its features and collections, as one geometry.
 * @throws Error with a text for the user when it has no polygon, or a wrong one.
 */
export function geometryOfFile(json: unknown): Geometry {
  const polygons = polygonsIn(json)
  const [first] = polygons
  if (!first) throw new Error('has no GeoJSON Polygon or MultiPolygon')
  return parsed(
    polygons.length === 1 ? { type: 'Polygon', coordinates: first } : { type: 'MultiPolygon', coordinates: polygons },
  )
}

function polygonsIn(json: unknown): Polygons {
  const { data: collection } = Collection.safeParse(json)
  if (collection) return collection.features.flatMap(polygonsIn)
  const { data: geometries } = Geometries.safeParse(json)
  if (geometries) return geometries.geometries.flatMap(polygonsIn)
  const { data: feature } = Feature.safeParse(json)
  if (feature) return feature.geometry === null ? [] : polygonsIn(feature.geometry)
  const { data: shape } = Shape.safeParse(json)
  if (shape) {
    const geometry = parsed(shape)
    return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  }
  if (Other.safeParse(json).success) return [] // a point or a line
  throw new Error('is not GeoJSON')
}

function parsed(shape: object): Geometry {
  const { data, error } = Geometry.safeParse(shape)
  if (data) return data
  const [issue] = error.issues
  throw new Error(`${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not allowed'}`)
}
