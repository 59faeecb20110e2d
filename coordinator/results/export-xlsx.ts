import { PassThrough, type Readable } from 'node:stream'
import { setImmediate as letOthersWork } from 'node:timers/promises'
import type ExcelJS from 'exceljs'
import { type Column, cellOf } from './columns.ts'
import type { Result } from './schema.ts'
import { imageRows, LISTS, reviewRows, sheetColumns } from './xlsx-lists.ts'

/** The most characters of a cell (Microsoft, "Excel specifications and limits"). */
const MAX_CELL = 32_767

/** Characters that XML 1.0 cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** The name of the sheet for texts that do not fit into a cell, and the text that refers to it. */
const LONG_TEXTS = 'Long texts'
const REFERENCE = `see the sheet "${LONG_TEXTS}"`

type Cell = number | string | Date | undefined
type Sheet = [name: string, head: readonly string[], rowsOf: (result: Result) => Cell[][]]
type Workbook = InstanceType<typeof ExcelJS.stream.xlsx.WorkbookWriter>

/**
 * Writes results as an XLSX workbook: a sheet of places with the chosen columns, a sheet of reviews and one of images.
 * Every cell is a number, a date or a text, so no text becomes a formula. A text that does not fit into a cell is split
 * over rows of a further sheet. The library keeps rows in memory until they are compressed, so the sheets are written
 * one after the other, and each reads the results again. When reading fails, the stream fails.
 */
export function xlsxOf(read: () => AsyncIterable<Result>, columns: readonly Column[]): Readable {
  const stream = new PassThrough()
  writeWorkbook(stream, read, columns).catch((error: unknown) =>
    stream.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return stream
}

async function writeWorkbook(stream: PassThrough, read: () => AsyncIterable<Result>, columns: readonly Column[]) {
  // Loaded with the first workbook, because it slows the start of a coordinator and takes memory.
  const { default: Excel } = await import('exceljs')
  const workbook = new Excel.stream.xlsx.WorkbookWriter({ stream, useSharedStrings: false, useStyles: true })
  const shown = sheetColumns(columns)
  let hasLongTexts = false
  const placeRow = (result: Result) => [
    shown.map((name) => {
      const cell = cellOf(result[name])
      const isLong = isLongText(cell)
      hasLongTexts ||= isLong
      if (isLong) return REFERENCE
      return name === 'created_at' ? new Date(result.created_at) : cell
    }),
  ]
  const longTextRows = (result: Result) =>
    shown.flatMap((name) =>
      partsOf(cellOf(result[name])).map((part, index) => [result.id, result.title, name, index + 1, part]),
    )
  const sheets: Sheet[] = [['Places', shown, placeRow]]
  if (columns.some((name) => LISTS.reviews.columns.includes(name))) {
    sheets.push(['Reviews', LISTS.reviews.head, (result) => reviewRows(result, columns)])
  }
  if (columns.includes('images')) sheets.push(['Images', LISTS.images.head, imageRows])
  const writeSheet = async ([name, head, rowsOf]: Sheet) => {
    const sheet = openSheet(workbook, name, head)
    const styles = head.map((column) => (column === 'created_at' ? TIME : PLAIN))
    for await (const result of read()) {
      if (stream.destroyed) return // the client went away
      for (const cells of rowsOf(result)) {
        const row = sheet.addRow(cells.map(xlsxCell))
        row.eachCell((cell, column) => {
          cell.style = styles[column - 1] ?? PLAIN
        })
        row.commit()
      }
      await letOthersWork()
    }
    sheet.commit()
  }
  for (const sheet of sheets) await writeSheet(sheet)
  if (hasLongTexts) await writeSheet([LONG_TEXTS, ['place_id', 'title', 'column', 'part', 'text'], longTextRows])
  if (!stream.destroyed) await workbook.commit()
}

function openSheet(workbook: Workbook, name: string, head: readonly string[]) {
  const sheet = workbook.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = head.map((column) => ({ width: WIDTHS[column] ?? USUAL_WIDTH }))
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: head.length } }
  const row = sheet.addRow([...head])
  row.font = { bold: true }
  row.commit()
  return sheet
}

/** The styles of cells. Each is a single object, because the library writes and compares each that it has not seen. */
const PLAIN = {}
const TIME = { numFmt: 'yyyy-mm-dd hh:mm' }

/** The widths of columns, in characters. Longer texts are cut on the screen. */
const USUAL_WIDTH = 16
const WIDTHS: Readonly<Record<string, number>> = {
  title: 36,
  place_title: 36,
  address: 44,
  website: 36,
  emails: 36,
  text: 60,
  description: 60,
  rating: 8,
  review_count: 12,
}

const isLongText = (cell: Cell): cell is string => typeof cell === 'string' && cell.length > MAX_CELL

/** Splits a text that does not fit into a cell. Returns no parts for other values. No part ends within a character. */
function partsOf(cell: Cell): string[] {
  if (!isLongText(cell)) return []
  const parts: string[] = []
  for (let at = 0; at < cell.length; ) {
    const end = at + MAX_CELL
    const splitsPair = /[\uD800-\uDBFF]/.test(cell[end - 1] ?? '')
    parts.push(cell.slice(at, splitsPair ? end - 1 : end))
    at += parts.at(-1)?.length ?? MAX_CELL
  }
  return parts
}

/** Returns one cell of a workbook: its value without the characters that XML cannot hold. */
export function xlsxCell(value: Cell): number | string | Date | null {
  if (value instanceof Date) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value === undefined || value === '') return null
  return value.toWellFormed().replaceAll(NOT_XML, '')
}
