import type { ByteWriter } from 'hyparquet-writer'
import { type Column, isEmptyCell, NESTED_COLUMNS } from './columns.ts'
import type { Result } from './schema.ts'

/** Places per row group. A group of large places takes a few megabytes of memory. */
const ROWS_A_GROUP = 50

const TYPES = {
  id: 'INT64',
  review_count: 'INT64',
  rating: 'DOUBLE',
  latitude: 'DOUBLE',
  longitude: 'DOUBLE',
  created_at: 'TIMESTAMP',
} as const satisfies Partial<Record<Column, string>>

/**
 * Writes results as Parquet, compressed with Snappy. Numbers and times keep their types, lists and objects become JSON,
 * and empty values null. Each row group is written as soon as it is read.
 */
export async function* parquetOf(results: AsyncIterable<Result>, columns: readonly Column[]): AsyncGenerator<Buffer> {
  const parquet = await import('hyparquet-writer') // only such an export needs it
  const bytes = new parquet.ByteWriter()
  const schema = parquet.schemaFromColumnData({
    columnData: columns.map((name) => ({ name, type: typeOf(name), data: [] })),
  })
  const file = new parquet.ParquetWriter({ writer: bytes, schema, createdBy: 'placefleet' })
  let group: Result[] = []
  const writeGroup = () => {
    const columnData = columns.map((name) => ({ name, data: group.map((result) => fieldOf(result, name)) }))
    file.write({ columnData, rowGroupSize: ROWS_A_GROUP })
    group = []
    return taken(bytes)
  }
  for await (const result of results) {
    if (group.push(result) === ROWS_A_GROUP) yield writeGroup()
  }
  if (group.length > 0) yield writeGroup()
  file.finish()
  yield taken(bytes)
}

const typeOf = (name: Column) => (name in TYPES ? TYPES[name as keyof typeof TYPES] : textType(name))
const textType = (name: Column) => (NESTED_COLUMNS.has(name) ? 'JSON' : 'STRING')

function fieldOf(result: Result, name: Column): unknown {
  const value = result[name]
  if (isEmptyCell(value)) return null
  if (name === 'created_at') return new Date(result.created_at)
  return typeof value === 'number' && typeOf(name) === 'INT64' ? BigInt(value) : value
}

/** The bytes written since the last call. */
function taken(bytes: ByteWriter): Buffer {
  const copy = Buffer.from(bytes.getBytes())
  bytes.index = 0
  return copy
}
