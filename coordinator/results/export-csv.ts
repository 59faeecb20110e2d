import { COLUMNS, type Column, cellOf } from './columns.ts'
import type { Result } from './schema.ts'

/** How the CSV is laid out. */
export type CsvLayout = {
  columns: readonly Column[]
  /** Whether it begins with a byte order mark, by which Excel knows UTF-8. */
  bom: boolean
  /** Excel expects a semicolon where the comma is the decimal sign. */
  delimiter: ',' | ';'
}

const PLAIN: CsvLayout = { columns: COLUMNS, bom: false, delimiter: ',' }

/**
 * Results as CSV: RFC 4180 with CRLF, one header row, nested values as JSON. Text is always quoted, so that a
 * spreadsheet that splits at another sign cannot cut a formula out of it.
 */
export async function* csvOf(results: AsyncIterable<Result>, layout: CsvLayout = PLAIN): AsyncGenerator<string> {
  const { columns, bom, delimiter } = layout
  yield `${bom ? '\uFEFF' : ''}${columns.join(delimiter)}\r\n`
  for await (const result of results) {
    yield `${columns.map((name) => csvCell(cellOf(result[name]))).join(delimiter)}\r\n`
  }
}

/** One cell of a CSV row. */
export function csvCell(value: number | string | undefined): string {
  if (value === undefined || value === '') return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return `"${withoutFormula(value).replaceAll('"', '""')}"`
}

/**
 * What begins a formula, with what spreadsheets skip before it: OWASP "CSV Injection" and the full-width forms that some
 * of them read alike. A tab or line break in front is dangerous by itself.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is among what is skipped
const FORMULA = /^[\t\r\n]|^[\s\u0000\u200B-\u200F\u2060\uFEFF]*[=+\-@＝＋－＠]/u

/** Phone numbers and plain numbers begin like formulas and are none, unless one could be read as a sum: +49-30-4555188. */
const PHONE = /^\+?[0-9 ().-]{3,24}$/
const NO_SUM = /^\+?[0-9 ]+$|[0-9)] +[0-9(]/
const NUMBER = /^-?\d+(\.\d+)?$/

/** Text that no spreadsheet runs: what looks like a formula gets a leading `'`. */
export function withoutFormula(text: string): string {
  const harmless = NUMBER.test(text) || (PHONE.test(text) && NO_SUM.test(text))
  return FORMULA.test(text) && !harmless ? `'${text}` : text
}
