import { Readable } from 'node:stream'
import { negotiate } from '@fastify/accept-negotiator'
import { heightOf } from '@placefleet/shared/cell'
import { accountOf } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import { IdParams } from '../http/params.ts'
import { writtenResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import type { CellDocument, SeenCell } from './documents.ts'
import { type CertificateDeps, readCertificate } from './read-certificate.ts'
import { CoverageCells, CoverageCertificate, CoverageQuery } from './schema.ts'
import { seenCells } from './store.ts'

const JSON_TYPE = 'application/json'
const GEOJSON_TYPE = 'application/geo+json'

const schema = {
  tags: ['jobs'],
  operationId: 'getJobCoverage',
  summary: 'How completely a job searched its area',
  description:
    'The certificate of coverage. `coverage: audited` adds an estimate of how many places there are. It cannot see places that the map site hides from every signed-out search. Without an area it knows only whether a search was cut.',
  params: IdParams,
  querystring: CoverageQuery,
  response: {
    200: writtenResponse('The certificate, or the cells as GeoJSON', {
      [JSON_TYPE]: { schema: CoverageCertificate },
      [GEOJSON_TYPE]: { schema: CoverageCells },
    }),
  },
}

/** `GET /jobs/{id}/coverage`: the certificate of coverage of a job. */
export async function coverageRoutes(app: Server, deps: CertificateDeps): Promise<void> {
  app.get('/jobs/:id/coverage', { schema }, async (request, reply) => {
    const { id } = request.params
    const { user_id } = accountOf(request)
    reply.header('vary', 'accept')
    if ((request.query.format ?? acceptedFormat(request.headers.accept)) === 'geojson') {
      orNotFound(await deps.findCertified(user_id, id), 'job')
      return reply.type(GEOJSON_TYPE).send(Readable.from(geoJsonOf(seenCells(deps.db, id))))
    }
    return reply.type(JSON_TYPE).send(JSON.stringify(await readCertificate(deps, user_id, id)))
  })
}

const acceptedFormat = (accept = ''): 'json' | 'geojson' =>
  negotiate(accept, [JSON_TYPE, GEOJSON_TYPE]) === GEOJSON_TYPE ? 'geojson' : 'json'

/** Yields the cells of a job as GeoJSON, one at a time: the text of many is several times as large as they are. */
export async function* geoJsonOf(cells: AsyncIterable<SeenCell>): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":['
  let comma = ''
  for await (const cell of cells) {
    yield `${comma}${JSON.stringify(featureOf(cell))}`
    comma = ','
  }
  yield ']}'
}

function featureOf({ keyword, bounds, state, places, divided }: SeenCell): CoverageCells['features'][number] {
  const properties = { keyword, state, places, ...(bounds && { metres: Math.round(heightOf(bounds)) }), divided }
  return { type: 'Feature', geometry: bounds ? polygonOf(bounds) : null, properties }
}

/** Returns the edges of a cell, anticlockwise, as RFC 7946 asks for. */
function polygonOf({ south, north, west, east }: NonNullable<CellDocument['bounds']>) {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return { type: 'Polygon' as const, coordinates: [ring] }
}
