import { Readable } from 'node:stream'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf } from '../http/authentication.ts'
import { IdParams } from '../http/params.ts'
import { errorResponses } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { csvOf } from './export-csv.ts'
import { geoJsonOf, jsonLinesOf } from './export-json.ts'
import { xlsxOf } from './export-xlsx.ts'
import { attachmentNamed } from './file-name.ts'
import { Result, TiersQuery } from './schema.ts'
import { streamJobResults } from './store.ts'

export type DownloadOptions = {
  db: Db
  /** A job that has ended and may be read; throws the failure to answer otherwise. */
  finalJob(user_id: string, job_id: string): Promise<{ id: string; name: string }>
}

type Format = {
  type: string
  schema: z.ZodType
  write(results: AsyncIterable<Result>): Readable
}

const FeatureCollection = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        id: z.int(),
        geometry: z
          .object({ type: z.literal('Point'), coordinates: z.array(z.number()).length(2) })
          .nullable()
          .describe('the position as longitude, latitude; null when it is unknown'),
        properties: Result,
      }),
    ),
  })
  .describe('RFC 7946, one feature a place')

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8',
    schema: z.string().describe('RFC 4180, one row a place'),
    write: (results) => Readable.from(csvOf(results)),
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    schema: z.string().meta({ format: 'binary', description: 'a workbook' }),
    write: xlsxOf,
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    schema: z.string().describe('JSON Lines, one result a line'),
    write: (results) => Readable.from(jsonLinesOf(results)),
  },
  geojson: {
    type: 'application/geo+json; charset=utf-8',
    schema: FeatureCollection,
    write: (results) => Readable.from(geoJsonOf(results)),
  },
} as const satisfies Record<string, Format>

/** `GET /jobs/{id}/download`: the results of a job in one file, of all tiers unless some are named, written as fast as the client reads. */
export function downloadRoute(app: Server, { db, finalJob }: DownloadOptions): void {
  const content = Object.fromEntries(
    Object.values(FORMATS).map(({ type, schema }) => [type.split(';', 1)[0] ?? type, { schema }]),
  )
  const schema = {
    tags: ['results'],
    operationId: 'downloadJobResults',
    summary: 'The results of a job in one file',
    params: IdParams,
    querystring: z.strictObject({
      format: z.enum(['csv', 'xlsx', 'jsonl', 'geojson']).default('csv').describe('the kind of file'),
      web_presence: TiersQuery,
    }),
    response: { 200: { description: 'The file', content }, ...errorResponses(400, 402, 404, 422) },
  }
  app.get('/jobs/:id/download', { schema }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const job = await finalJob(user_id, request.params.id)
    const { format, web_presence } = request.query
    const { type, write } = FORMATS[format]
    const file = write(streamJobResults(db, { user_id, job_id: job.id }, web_presence))
    reply.header('content-disposition', attachmentNamed(job.name, format))
    return reply.type(type).send(file)
  })
}
