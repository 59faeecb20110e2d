import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { csvCell, csvOf, withoutFormula } from '@placefleet/coordinator/results/export-csv'
import { presentResult } from '@placefleet/coordinator/results/present'
import type { Result } from '@placefleet/coordinator/results/schema'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { resultDocument } from '../../harness/coordinator/results.ts'
import { volume } from '../../harness/volume.ts'

const OWNER = { user_id: 'u', job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff' }

const csv = (results: Result[]): Promise<string> =>
  text(Readable.from(csvOf(ReadableStream.from(results), { columns: COLUMNS, bom: false, delimiter: ',' })))

test.each([
  ["=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"],
  ['+1', "'+1"],
  ['+SUM(A1)', "'+SUM(A1)"],
  ['-A1', "'-A1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\rx', "'\rx"],
  ['\nx', "'\nx"],
  ['  =1+1', "'  =1+1"],
  ['\u200b=1', "'\u200b=1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['\0=1', "'\0=1"],
  ['＝1+1', "'＝1+1"],
  ['＠a', "'＠a"],
  ['+30 210 1234567', '+30 210 1234567'],
  ['+1 (555) 010-9999', '+1 (555) 010-9999'],
  ['+302101234567', '+302101234567'],
  ['+49-30-4555188', "'+49-30-4555188"],
  ['-1-2-3', "'-1-2-3"],
  ['+(30)210', "'+(30)210"],
  ['-1', '-1'],
  ['-12.5', '-12.5'],
  ['Bar = Grill', 'Bar = Grill'],
  ["'quoted", "'quoted"],
  ['', ''],
])('%j is written as %j', (text, written) => {
  expect(withoutFormula(text)).toBe(written)
})

test('a CSV reader returns any text unchanged, except for the sign before a formula', async () => {
  const nasty = fc.oneof(
    anyText(),
    fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', "'", ';', '\t', '\ufeff', '\0', 'x', '＝', '{') }),
  )
  const property = fc.asyncProperty(fc.array(fc.tuple(nasty, nasty), { minLength: 1, maxLength: 20 }), async (rows) => {
    const results = rows.map(([title, address]) => presentResult(resultDocument(OWNER, { title, address })))
    const read: string[][] = parse(await csv(results), { record_delimiter: '\r\n' })
    const [title, address] = [COLUMNS.indexOf('title'), COLUMNS.indexOf('address')]
    expect(read[0]).toEqual([...COLUMNS])
    expect(read.slice(1).map((row) => [row[title], row[address]])).toEqual(rows.map((row) => row.map(withoutFormula)))
  })
  await fc.assert(property, { numRuns: volume(20, 300) })
})

test('nested values are JSON, numbers bare, rows end with CRLF, and no byte order mark comes first', async () => {
  const place = { rating: 4.5, open_hours: { Monday: ['9 am–5 pm'] }, images: [{ url: 'https://i.example/"1"' }] }
  const written = await csv([presentResult(resultDocument(OWNER, { title: 'A "B", C', latitude: -34.5, ...place }))])
  const [header, row, rest] = written.split('\r\n')
  expect([header, rest]).toEqual([COLUMNS.join(','), ''])
  expect(row).toContain(',"A ""B"", C",')
  expect(row).toContain(',4.5,"{""Monday"":[""9 am–5 pm""]}","[{""url"":""https://i.example/\\""1\\""""}]",')
  expect(row).toContain(',-34.5,')
  expect(written.charCodeAt(0)).toBe('i'.charCodeAt(0))
})

test('invalid numbers are empty', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, '']) expect(csvCell(value)).toBe('')
})
