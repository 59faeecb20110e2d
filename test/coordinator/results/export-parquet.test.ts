import { buffer } from 'node:stream/consumers'
import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { parquetOf, parquetTypes, writeParquet } from '@placefleet/coordinator/results/export-parquet'
import { presentResult } from '@placefleet/coordinator/results/present'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { resultDocument } from '../../harness/coordinator/results.ts'

const OWNER = { user_id: 'u', job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff' }

async function fileOf(places: Parameters<typeof resultDocument>[1][], columns = [...COLUMNS]) {
  const results = places.map((place) => presentResult(resultDocument(OWNER, place)))
  const { buffer: file } = Uint8Array.from(await buffer(parquetOf(ReadableStream.from(results), columns)))
  return { results, file }
}

test('numbers and times keep their types, lists are JSON, and empty values are null', async () => {
  const reviews = [{ id: 'r1', rating: 5, text: 'Kind.' }]
  const { results, file } = await fileOf([{ rating: 4.5, review_count: 87, latitude: 34.5, user_reviews: reviews }, {}])
  const [first, second] = await parquetReadObjects({ file })
  expect(first).toMatchObject({
    id: BigInt(results[0]?.id ?? 0),
    title: results[0]?.title,
    rating: 4.5,
    review_count: 87n,
    latitude: 34.5,
    created_at: new Date('2026-01-02T03:04:05.678Z'),
    user_reviews: [{ ...reviews[0], images: [] }],
  })
  expect(second).toMatchObject({ rating: 0, review_count: null, latitude: null, website: null, open_hours: null })
})

test('a field of any kind gets its column from the schema', async () => {
  const schema = z.object({
    flag: z.boolean().optional(),
    count: z.number().int(),
    share: z.number().optional(),
    name: z.string(),
    kind: z.enum(['a', 'b']),
    time: z.iso.datetime(),
    list: z.array(z.string()),
    parts: z.object({ a: z.boolean() }).meta({ id: 'Parts' }).optional(),
    keyed: z.record(z.string(), z.number()),
  })
  const time = new Date('2026-01-02T03:04:05.678Z')
  const row = {
    flag: false,
    count: 0,
    share: 0.5,
    name: 'n',
    kind: 'a',
    list: ['x'],
    parts: { a: true },
    keyed: { b: 1 },
  }
  const fields = Object.entries(parquetTypes(schema)).map(([name, type]) => ({ name, type }))
  const rows = ReadableStream.from([schema.parse({ ...row, time: time.toISOString() })])
  const { buffer: file } = Uint8Array.from(await buffer(writeParquet(rows, fields)))
  expect(await parquetReadObjects({ file })).toEqual([{ ...row, count: 0n, time }])
})

test('the file has the chosen columns in their order, and every row', async () => {
  const { results, file } = await fileOf(
    Array.from({ length: 120 }, () => ({})),
    ['title', 'id'],
  )
  const rows = await parquetReadObjects({ file })
  expect(rows).toEqual(results.map(({ title, id }) => ({ title, id: BigInt(id) })))
  expect(
    parquetMetadata(file)
      .schema.slice(1)
      .map(({ name }) => name),
  ).toEqual(['title', 'id'])
})

test('a file without places has its columns', async () => {
  const { file } = await fileOf([])
  expect(
    parquetMetadata(file)
      .schema.slice(1)
      .map(({ name }) => name),
  ).toEqual([...COLUMNS])
  expect(await parquetReadObjects({ file })).toEqual([])
})

const rowsOf = (file: ArrayBuffer) => parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))
const MIB = 1_024 * 1_024

test.each([
  ['small', 0, 120, [50, 50, 20]],
  ['of a mebibyte', MIB, 9, [4, 4, 1]],
  ['of a little less', MIB - 2_000, 6, [5, 1]],
])('places that are $0 make row groups of fifty, or of four mebibytes of text', async (_, length, count, groups) => {
  const description = 'x'.repeat(length)
  const { file } = await fileOf(
    Array.from({ length: count }, () => ({ description })),
    ['title', 'description'],
  )
  expect(rowsOf(file)).toEqual(groups)
})
