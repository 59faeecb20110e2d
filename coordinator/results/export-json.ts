import type { Result } from './schema.ts'

/** Results as JSON Lines: one result a line. */
export async function* jsonLinesOf(results: AsyncIterable<Result>): AsyncGenerator<string> {
  for await (const result of results) yield `${JSON.stringify(result)}\n`
}

/** Results as a GeoJSON FeatureCollection (RFC 7946). A place without coordinates is a feature without geometry. */
export async function* geoJsonOf(results: AsyncIterable<Result>): AsyncGenerator<string> {
  let separator = '{"type":"FeatureCollection","features":[\n'
  for await (const result of results) {
    yield `${separator}${JSON.stringify(featureOf(result))}`
    separator = ',\n'
  }
  yield separator.startsWith('{') ? `${separator}]}\n` : '\n]}\n'
}

function featureOf({ latitude, longitude, ...properties }: Result) {
  const located = latitude !== undefined && longitude !== undefined
  const geometry = located ? { type: 'Point', coordinates: [longitude, latitude] } : null
  return { type: 'Feature', id: properties.id, geometry, properties }
}
