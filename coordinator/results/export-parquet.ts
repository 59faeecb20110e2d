import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { ByteWriter } from 'hyparquet-writer'
import { z } from 'zod'
import { type Column, isEmptyCell } from './columns.ts'
import { Result } from './schema.ts'

/** A row group has at most so many places, and ends with the one that brings its texts to so many characters. */
const ROWS_A_GROUP = 50
const TEXT_A_GROUP = 4 * 1_024 * 1_024

type ParquetType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'TIMESTAMP' | 'STRING' | 'JSON'

const JsonSchema = z.object({
  properties: z.record(z.string(), z.object({ type: z.string().optional(), format: z.string().optional() })),
})

const OF_JSON: Record<string, ParquetType> = {
  boolean: 'BOOLEAN',
  integer: 'INT64',
  number: 'DOUBLE',
  string: 'STRING',
}

/** Returns the type of a column for each field of a schema: lists and objects become JSON. */
export function parquetTypes(schema: z.ZodObject): Record<string, ParquetType> {
  const { properties } = JsonSchema.parse(z.toJSONSchema(z.object(schema.shape)))
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, format }]) => [
      name,
      format === 'date-time' ? 'TIMESTAMP' : (OF_JSON[type ?? ''] ?? 'JSON'),
    ]),
  )
}

const TYPES = parquetTypes(Result)

/**
 * Writes results as Parquet, compressed with Snappy. Numbers and times keep their types, lists and objects become JSON,
 * and empty values null. Each row group is written as soon as it is read.
 */
export function parquetOf(results: AsyncIterable<Result>, columns: readonly Column[]): AsyncGenerator<Buffer> {
  return writeParquet(
    results,
    columns.map((name) => ({ name, type: TYPES[name] ?? 'JSON' })),
  )
}

type Field = { readonly name: string; readonly type: ParquetType }

/** Writes the fields of rows, see `parquetOf`. */
export async function* writeParquet(
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
  fields: readonly Field[],
): AsyncGenerator<Buffer> {
  const parquet = await import('hyparquet-writer') // only such an export needs it
  const bytes = new parquet.ByteWriter()
  const schema = parquet.schemaFromColumnData({ columnData: fields.map((field) => ({ ...field, data: [] })) })
  const file = new parquet.ParquetWriter({ writer: bytes, schema, createdBy: 'placefleet' })
  let group: Readonly<Record<string, unknown>>[] = []
  let text = 0
  const writeGroup = () => {
    const columnData = fields.map(({ name, type }) => ({ name, data: group.map((row) => cellOf(row[name], type)) }))
    file.write({ columnData, rowGroupSize: ROWS_A_GROUP })
    group = []
    text = 0
    return taken(bytes)
  }
  for await (const row of rows) {
    text += textIn(row)
    if (group.push(row) < ROWS_A_GROUP && text < TEXT_A_GROUP) continue
    yield writeGroup()
    await letOthersWork()
  }
  if (group.length > 0) yield writeGroup()
  file.finish()
  yield taken(bytes)
}

/** Returns how many characters the texts of a value have, at any depth. */
function textIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, member) => sum + textIn(member), 0)
}

function cellOf(value: unknown, type: ParquetType): unknown {
  if (isEmptyCell(value)) return null
  if (type === 'TIMESTAMP') return new Date(String(value))
  return type === 'INT64' ? BigInt(Number(value)) : value
}

/** The bytes written since the last call. */
function taken(bytes: ByteWriter): Buffer {
  const copy = Buffer.from(bytes.getBytes())
  bytes.index = 0
  return copy
}
