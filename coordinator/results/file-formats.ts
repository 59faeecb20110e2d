import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ColumnsQuery } from './columns.ts'
import { type CsvLayout, csvOf } from './export-csv.ts'
import { geoJsonOf, jsonLinesOf } from './export-json.ts'
import { parquetOf } from './export-parquet.ts'
import { xlsxOf } from './export-xlsx.ts'
import { attachmentNamed } from './file-name.ts'
import { Result, TiersQuery } from './schema.ts'

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

/** The query parameters of a download: the format of the file, its places and its columns. */
export const DownloadQuery = z
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

/** The content of a 200 response that is a file, by media type. */
export const fileContent = Object.fromEntries(
  Object.values(FORMATS).map(({ type, schema }) => [type.split(';', 1)[0] ?? type, { schema }]),
)

/** A file to send: its name without an extension, and how to read its results from the first one. */
type NamedFile = { name: string; query: z.infer<typeof DownloadQuery>; read: Source['read'] }

/** Streams results as a file at the client's speed, compressed when the client takes it and the format gains from it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { name, query, read }: NamedFile): FastifyReply {
  const { format, columns, bom, delimiter } = query
  const { type, isText, write } = FORMATS[format]
  const file = write({ read, columns, bom: bom === 'true', delimiter: delimiter === 'comma' ? ',' : ';' })
  reply.header('content-disposition', attachmentNamed(name, format))
  reply.type(type).header('vary', 'accept-encoding')
  if (!isText || negotiate(request.headers['accept-encoding'] ?? '', ['gzip']) !== 'gzip') return reply.send(file)
  return reply.header('content-encoding', 'gzip').send(gzipped(file))
}

/** Compresses a file. A failure of either stream destroys both, so a broken file never looks complete. */
function gzipped(file: Readable): Readable {
  const gzip = createGzip()
  pipeline(file, gzip, (error) => {
    if (error) gzip.destroy(error)
  })
  return gzip
}
