import { buffer } from 'node:stream/consumers'
import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { parquetOf } from '@placefleet/coordinator/results/export-parquet'
import { presentResult } from '@placefleet/coordinator/results/present'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { resultDocument } from '../../harness/coordinator/results.ts'

const OWNER = { user_id: 'u', job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff' }

async function fileOf(places: Parameters<typeof resultDocument>[1][], columns = [...COLUMNS]) {
  const results = places.map((place) => presentResult(resultDocument(OWNER, place)))
  const { buffer: file } = Uint8Array.from(await buffer(parquetOf(ReadableStream.from(results), columns)))
  return { results, file }
}

test('numbers and times keep their types, lists are JSON, and empty values are null', async () => {
  const reviews = [{ id: 'r1', rating: 5, text: 'Kind.' }]
  const same = {
    rating: 4.5,
    latitude: 34.5,
    claimed: false,
    categories: ['Café'],
    complete_address: { city: 'Athens' },
    open_hours: { Monday: ['9 am–5 pm'] },
  }
  const { results, file } = await fileOf([{ ...same, review_count: 87, user_reviews: reviews }, {}])
  const [first, second] = await parquetReadObjects({ file })
  expect(first).toMatchObject({
    id: BigInt(results[0]?.id ?? 0),
    title: results[0]?.title,
    web_presence: 'none',
    ...same,
    review_count: 87n,
    created_at: new Date('2026-01-02T03:04:05.678Z'),
    user_reviews: [{ ...reviews[0], images: [] }],
  })
  expect(second).toMatchObject({ rating: 0, review_count: null, latitude: null, website: null, open_hours: null })
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
