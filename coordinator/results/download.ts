import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { accountOf } from '../http/authentication.ts'
import { IdParams } from '../http/params.ts'
import { errorResponses } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { ColumnsQuery } from './columns.ts'
import { type CsvLayout, csvOf } from './export-csv.ts'
import { geoJsonOf, jsonLinesOf } from './export-json.ts'
import { parquetOf } from './export-parquet.ts'
import { xlsxOf } from './export-xlsx.ts'
import { attachmentNamed } from './file-name.ts'
import { Result, TiersQuery } from './schema.ts'
import { streamJobResults } from './store.ts'

export type DownloadOptions = {
  db: Db
  /**
   * Returns a job that has ended and did not fail.
   * @throws AppError for any other job.
   */
  finalJob(user_id: string, job_id: string): Promise<{ id: string; name: string }>
}

type Format = {
  type: string
  schema: z.ZodType
  /** Whether the file is worth compressing. */
  isText: boolean
  write(source: Source): Readable
}

/** The results of a file and its layout. Each call of `read` starts from the first result. */
type Source = CsvLayout & { read(): AsyncIterable<Result> }

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
        properties: Result.partial().describe('the chosen columns; all of them when none is chosen'),
      }),
    ),
  })
  .describe('RFC 7946, one feature per place')

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8',
    schema: z.string().describe('RFC 4180, one row per place'),
    isText: true,
    write: ({ read, ...layout }) => Readable.from(csvOf(read(), layout)),
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    schema: z.string().meta({ format: 'binary', description: 'a workbook: sheets of places, reviews and images' }),
    isText: false,
    write: ({ read, columns }) => xlsxOf(read, columns),
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    schema: z.string().describe('JSON Lines, one result per line'),
    isText: true,
    write: ({ read, columns }) => Readable.from(jsonLinesOf(read(), columns)),
  },
  geojson: {
    type: 'application/geo+json; charset=utf-8',
    schema: FeatureCollection,
    isText: true,
    write: ({ read, columns }) => Readable.from(geoJsonOf(read(), columns)),
  },
  parquet: {
    type: 'application/vnd.apache.parquet',
    schema: z.string().meta({ format: 'binary', description: 'Apache Parquet; nested values are JSON' }),
    isText: false,
    write: ({ read, columns }) => Readable.from(parquetOf(read(), columns)),
  },
} as const satisfies Record<string, Format>

const DownloadQuery = z
  .strictObject({
    format: z.enum(['csv', 'xlsx', 'jsonl', 'geojson', 'parquet']).default('csv').describe('the file format'),
    web_presence: TiersQuery,
    columns: ColumnsQuery,
    bom: z
      .enum(['true', 'false'])
      .default('false')
      .describe('csv only: begin with a byte order mark, so that Excel detects UTF-8'),
    delimiter: z.enum(['comma', 'semicolon']).default('comma').describe('csv only: the separator of cells'),
  })
  .check(({ value, issues }) => {
    if (value.format === 'csv') return
    const fault = (path: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message: 'is allowed with format=csv only' })
    if (value.bom === 'true') fault('bom')
    if (value.delimiter === 'semicolon') fault('delimiter')
  })

/** `GET /jobs/{id}/download`: streams the results of a job, of all tiers by default, as one file at the client's speed. */
export function downloadRoute(app: Server, { db, finalJob }: DownloadOptions): void {
  const content = Object.fromEntries(
    Object.values(FORMATS).map(({ type, schema }) => [type.split(';', 1)[0] ?? type, { schema }]),
  )
  const schema = {
    tags: ['results'],
    operationId: 'downloadJobResults',
    summary: 'Download the results of a job',
    params: IdParams,
    querystring: DownloadQuery,
    response: { 200: { description: 'The file', content }, ...errorResponses(400, 402, 404, 422) },
  }
  app.get('/jobs/:id/download', { schema }, async (request, reply) => {
    const { user_id } = accountOf(request)
    const job = await finalJob(user_id, request.params.id)
    const { format, web_presence, columns, bom, delimiter } = request.query
    const { type, isText, write } = FORMATS[format]
    const read = () => streamJobResults(db, { user_id, job_id: job.id }, web_presence)
    const file = write({ read, columns, bom: bom === 'true', delimiter: delimiter === 'comma' ? ',' : ';' })
    reply.header('content-disposition', attachmentNamed(job.name, format))
    reply.type(type).header('vary', 'accept-encoding')
    if (!isText || negotiate(request.headers['accept-encoding'] ?? '', ['gzip']) !== 'gzip') return reply.send(file)
    return reply.header('content-encoding', 'gzip').send(gzipped(file))
  })
}

/** Compresses a file. A failure of either stream destroys both, so a broken file never looks complete. */
function gzipped(file: Readable): Readable {
  const gzip = createGzip()
  pipeline(file, gzip, (error) => {
    if (error) gzip.destroy(error)
  })
  return gzip
}
