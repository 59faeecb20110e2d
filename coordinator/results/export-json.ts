import { COLUMNS, type Column, picked } from './columns.ts'
import type { Result } from './schema.ts'

/** Writes results as JSON Lines, one result per line. */
export async function* jsonLinesOf(
  results: AsyncIterable<Result>,
  columns: readonly Column[] = COLUMNS,
): AsyncGenerator<string> {
  for await (const result of results) yield `${JSON.stringify(picked(result, columns))}\n`
}

/** Writes results as a GeoJSON FeatureCollection (RFC 7946). A place without coordinates has a null geometry. */
export async function* geoJsonOf(
  results: AsyncIterable<Result>,
  columns: readonly Column[] = COLUMNS,
): AsyncGenerator<string> {
  let separator = '{"type":"FeatureCollection","features":[\n'
  for await (const result of results) {
    yield `${separator}${JSON.stringify(featureOf(result, columns))}`
    separator = ',\n'
  }
  yield separator.startsWith('{') ? `${separator}]}\n` : '\n]}\n'
}

function featureOf(result: Result, columns: readonly Column[]) {
  const { latitude, longitude } = result
  const { latitude: _, longitude: __, ...properties } = picked(result, columns)
  const located = latitude !== undefined && longitude !== undefined
  const geometry = located ? { type: 'Point', coordinates: [longitude, latitude] } : null
  return { type: 'Feature', id: result.id, geometry, properties }
}
