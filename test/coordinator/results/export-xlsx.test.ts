import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { COLUMNS, type Column } from '@placefleet/coordinator/results/columns'
import { xlsxCell, xlsxOf } from '@placefleet/coordinator/results/export-xlsx'
import { presentResult } from '@placefleet/coordinator/results/present'
import type { Result } from '@placefleet/coordinator/results/schema'
import { sheetColumns } from '@placefleet/coordinator/results/xlsx-lists'
import ExcelJS from 'exceljs'
import { expect, test } from 'vitest'
import { resultDocument } from '../../harness/coordinator/results.ts'

const OWNER = { user_id: 'u', job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff' }

async function workbookOf(results: Result[], columns: readonly Column[] = COLUMNS): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.read(PassThrough.from(await buffer(xlsxOf(() => ReadableStream.from(results), columns))))
  return workbook
}

const sheetOf = async (results: Result[]) => sheetNamed(await workbookOf(results), 'Places')

function sheetNamed(workbook: ExcelJS.Workbook, name: string): ExcelJS.Worksheet {
  const sheet = workbook.getWorksheet(name)
  if (!sheet) throw new Error(`no sheet ${name}`)
  return sheet
}

/** Returns the rows of a sheet, its head first, without empty cells. */
const rowsOf = (sheet: ExcelJS.Worksheet) =>
  sheet
    .getSheetValues()
    .slice(1)
    .map((row) => (row as unknown[]).slice(1).filter((cell) => cell !== undefined))

const LISTS: readonly Column[] = ['images', 'user_reviews', 'user_reviews_extended']
const PLACE_COLUMNS = sheetColumns(COLUMNS)

test('a workbook opens with all rows, and formulas are text', async () => {
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
  expect(sheet.getRow(1).values).toEqual([undefined, ...PLACE_COLUMNS])
  const column = PLACE_COLUMNS.indexOf('title') + 1
  for (const [i, title] of titles.entries()) {
    const cell = sheet.getRow(i + 2).getCell(column)
    expect([cell.type, cell.formula]).toEqual([ExcelJS.ValueType.String, undefined])
    expect(cell.value).toBe(title)
  }
  expect(sheet.getRow(2).getCell(PLACE_COLUMNS.indexOf('rating') + 1).value).toBe(4.5)
  expect(sheet.rowCount).toBe(titles.length + 1)
})

test('a workbook is made for people: what they look for first, ids last, a head that stays, filters, widths, dates', async () => {
  const result = presentResult(
    resultDocument(OWNER, { title: 'Demo', phone_e164: '+4930123456', cid: '16519582940102929223' }),
  )
  const sheet = await sheetOf([result])
  expect([...PLACE_COLUMNS].sort()).toEqual(COLUMNS.filter((name) => !LISTS.includes(name)).sort())
  expect(PLACE_COLUMNS.slice(0, 5)).toEqual(['title', 'category', 'phone', 'emails', 'website'])
  expect(PLACE_COLUMNS.slice(-3)).toEqual(['data_id', 'cid', 'created_at'])
  expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 })
  expect(sheet.autoFilter).toMatch(/^A1:[A-Z]+1$/)
  expect(sheet.getRow(1).font.bold).toBe(true)
  expect(sheet.getColumn(1).width).toBe(36)
  const cell = (name: Column) => sheet.getRow(2).getCell(PLACE_COLUMNS.indexOf(name) + 1)
  expect(cell('created_at').value).toEqual(new Date(result.created_at))
  expect(cell('created_at').numFmt).toBe('yyyy-mm-dd hh:mm')
  expect([cell('phone_e164').value, cell('cid').value]).toEqual(['+4930123456', '16519582940102929223'])
})

test('reviews and images have their own sheets, one per row with its place', async () => {
  const place = presentResult(
    resultDocument(OWNER, {
      title: 'Demo',
      images: [{ title: 'Interior', url: 'https://example.com/1.jpg' }],
      user_reviews: [
        { id: 'r1', rating: 5, text: 'Kind.', reply: { text: 'Thanks' }, images: ['https://example.com/2.jpg'] },
      ],
      user_reviews_extended: [{ id: 'r2', text: '=1+1', images: ['https://example.com/3.jpg'] }],
    }),
  )
  const workbook = await workbookOf([place])
  expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Places', 'Reviews', 'Images'])
  expect(rowsOf(sheetNamed(workbook, 'Reviews')).slice(1)).toEqual([
    [place.id, 'Demo', 'r1', 5, 'Kind.', 'Thanks', 1],
    [place.id, 'Demo', 'r2', '=1+1', 1],
  ])
  expect(rowsOf(sheetNamed(workbook, 'Images'))).toEqual([
    ['place_id', 'place_title', 'review_id', 'title', 'url'],
    [place.id, 'Demo', 'Interior', 'https://example.com/1.jpg'],
    [place.id, 'Demo', 'r1', 'https://example.com/2.jpg'],
    [place.id, 'Demo', 'r2', 'https://example.com/3.jpg'],
  ])
})

test('the sheets are those of the chosen columns, in their order', async () => {
  const place = presentResult(resultDocument(OWNER, { title: 'Demo', user_reviews: [{ id: 'r1', text: 'Kind.' }] }))
  const chosen = await workbookOf([place], ['title', 'user_reviews', 'id'])
  expect(chosen.worksheets.map(({ name }) => name)).toEqual(['Places', 'Reviews'])
  expect(rowsOf(sheetNamed(chosen, 'Places'))).toEqual([
    ['title', 'id'],
    ['Demo', place.id],
  ])
  expect(rowsOf(sheetNamed(await workbookOf([place], ['images']), 'Places'))).toEqual([['id'], [place.id]])
})

test('a text longer than a cell is whole in a separate sheet', async () => {
  const option = { name: 'a', enabled: true, values: Array.from({ length: 40 }, () => '😀'.repeat(500)) }
  const about = Array.from({ length: 3 }, () => ({ id: 'x', name: 'x', options: [option] }))
  const place = presentResult(resultDocument(OWNER, { about }))
  const workbook = await workbookOf([place], ['id', 'about'])
  expect(rowsOf(sheetNamed(workbook, 'Places'))[1]).toEqual([place.id, 'see the sheet "Long texts"'])
  const parts = rowsOf(sheetNamed(workbook, 'Long texts'))
    .slice(1)
    .map((row) => String(row.at(-1)))
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(32_767)
  expect(parts.join('')).toBe(JSON.stringify(about))
})

test('a workbook without places has its header', async () => {
  expect((await sheetOf([])).rowCount).toBe(1)
})

test('cells contain only valid characters', () => {
  expect(xlsxCell('a\0b\u0007c\ufffe')).toBe('abc')
  expect(xlsxCell('\ud800')).toBe('\ufffd')
  expect([xlsxCell(undefined), xlsxCell(''), xlsxCell(Number.NaN), xlsxCell(-0.5)]).toEqual([null, null, null, -0.5])
})

test('a failure while reading ends the file as a failure', async () => {
  async function* broken(): AsyncGenerator<Result> {
    yield presentResult(resultDocument(OWNER))
    throw new Error('the database went away')
  }
  await expect(buffer(xlsxOf(broken, COLUMNS))).rejects.toThrow('the database went away')
})
