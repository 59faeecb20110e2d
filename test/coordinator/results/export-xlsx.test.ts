import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { xlsxCell, xlsxOf } from '@placefleet/coordinator/results/export-xlsx'
import { presentResult } from '@placefleet/coordinator/results/present'
import type { Result } from '@placefleet/coordinator/results/schema'
import ExcelJS from 'exceljs'
import { expect, test } from 'vitest'
import { resultDocument } from '../../harness/coordinator/results.ts'

const OWNER = { user_id: 'u', job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff' }

async function sheetOf(results: Result[]): Promise<ExcelJS.Worksheet> {
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.read(PassThrough.from(await buffer(xlsxOf(ReadableStream.from(results)))))
  const sheet = workbook.getWorksheet('Places')
  if (!sheet) throw new Error('no sheet')
  return sheet
}

test('a workbook opens again with all rows, and what looks like a formula is text', async () => {
  const titles = [
    '=1+1',
    '+1',
    "=cmd|'/c calc'!A1",
    '@SUM(A1)',
    '<b>& Söhne</b>',
    'a\nb',
    '😀',
    '_x000D_',
    '  spaced  ',
  ]
  const sheet = await sheetOf(titles.map((title) => presentResult(resultDocument(OWNER, { title, rating: 4.5 }))))
  expect(sheet.getRow(1).values).toEqual([undefined, ...COLUMNS])
  const column = COLUMNS.indexOf('title') + 1
  for (const [i, title] of titles.entries()) {
    const cell = sheet.getRow(i + 2).getCell(column)
    expect([cell.type, cell.formula]).toEqual([ExcelJS.ValueType.String, undefined])
    expect(cell.value).toBe(title)
  }
  expect(sheet.getRow(2).getCell(COLUMNS.indexOf('rating') + 1).value).toBe(4.5)
  expect(sheet.rowCount).toBe(titles.length + 1)
})

test('500 places with large reviews open again', async () => {
  const user_reviews = Array.from({ length: 100 }, (_, i) => ({ id: `r${i}`, text: 'long '.repeat(200) }))
  const results = Array.from({ length: 500 }, () => presentResult(resultDocument(OWNER, { user_reviews })))
  expect((await sheetOf(results)).rowCount).toBe(501)
})

test('a workbook without places has its header', async () => {
  expect((await sheetOf([])).rowCount).toBe(1)
})

test('cells hold what a cell can hold', () => {
  expect(xlsxCell('a\0b\u0007c\ufffe')).toBe('abc')
  expect(xlsxCell('\ud800')).toBe('\ufffd')
  expect(xlsxCell('x'.repeat(40_000))).toHaveLength(32_767)
  expect([xlsxCell(undefined), xlsxCell(''), xlsxCell(Number.NaN), xlsxCell(-0.5)]).toEqual([null, null, null, -0.5])
})

test('a failure while reading ends the file as a failure', async () => {
  async function* broken(): AsyncGenerator<Result> {
    yield presentResult(resultDocument(OWNER))
    throw new Error('the database went away')
  }
  await expect(buffer(xlsxOf(broken()))).rejects.toThrow('the database went away')
})
