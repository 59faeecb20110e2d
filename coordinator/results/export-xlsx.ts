import { PassThrough, type Readable } from 'node:stream'
import ExcelJS from 'exceljs'
import { COLUMNS, cellOf } from './columns.ts'
import type { Result } from './schema.ts'

/** What a cell can hold (Microsoft, "Excel specifications and limits"). Longer text is cut. */
const MAX_CELL = 32_767

/** Characters that XML 1.0 cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/**
 * Results as an XLSX workbook of one sheet, with the columns of the CSV. Every cell is a number or a text: a text that looks like a
 * formula stays one. The library writes a row only once it is compressed, so a job's rows, 500 at most, may be in memory.
 * When reading the results fails, the stream fails.
 */
export function xlsxOf(results: AsyncIterable<Result>): Readable {
  const stream = new PassThrough()
  const write = async () => {
    const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useSharedStrings: false, useStyles: false })
    const sheet = workbook.addWorksheet('Places')
    sheet.addRow(COLUMNS).commit()
    for await (const result of results) {
      if (stream.destroyed) return // the client went away
      sheet.addRow(COLUMNS.map((name) => xlsxCell(cellOf(result[name])))).commit()
    }
    sheet.commit()
    await workbook.commit()
  }
  write().catch((error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))))
  return stream
}

/** One cell of a workbook: text as it is, less what XML cannot hold, cut to what a cell can. */
export function xlsxCell(value: number | string | undefined): number | string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value === undefined || value === '') return null
  return value.toWellFormed().replaceAll(NOT_XML, '').slice(0, MAX_CELL).toWellFormed()
}
