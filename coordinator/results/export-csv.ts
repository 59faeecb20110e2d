import { cellOf, type Column as ResultColumn } from './columns.ts'

export type CsvLayout<Column extends string = ResultColumn> = {
  columns: readonly Column[]
  /** Whether the file begins with a byte order mark, by which Excel detects UTF-8. */
  bom: boolean
  /** Excel expects a semicolon in locales whose decimal sign is the comma. */
  delimiter: ',' | ';'
}

/**
 * Results, or other rows, as CSV: RFC 4180 with CRLF, one header row, nested values as JSON. Text is always quoted, so
 * that a spreadsheet with another separator cannot split a formula out of it.
 */
export async function* csvOf<Column extends string>(
  rows: AsyncIterable<Row<Column>>,
  { columns, bom, delimiter }: CsvLayout<Column>,
): AsyncGenerator<string> {
  yield `${bom ? '\uFEFF' : ''}${columns.join(delimiter)}\r\n`
  for await (const row of rows) yield `${columns.map((name) => csvCell(cellOf(row[name]))).join(delimiter)}\r\n`
}

type Row<Column extends string> = { readonly [Name in Column]?: unknown }

export function csvCell(value: number | string | undefined): string {
  if (value === undefined || value === '') return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return `"${withoutFormula(value).replaceAll('"', '""')}"`
}

/**
 * The beginning of a formula, after the characters that spreadsheets skip: the signs of OWASP "CSV Injection" and their
 * full-width forms, which some spreadsheets accept. A leading tab or line break is dangerous by itself.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: spreadsheets skip NUL
const FORMULA = /^[\t\r\n]|^[\s\u0000\u200B-\u200F\u2060\uFEFF]*[=+\-@＝＋－＠]/u

/** Phone numbers and plain numbers begin like formulas but are harmless, except those that are also sums: +49-30-4555188. */
const PHONE = /^\+?[0-9 ().-]{3,24}$/
const NO_SUM = /^\+?[0-9 ]+$|[0-9)] +[0-9(]/
const NUMBER = /^-?\d+(\.\d+)?$/

/** Makes a text harmless in spreadsheets: a leading `'` keeps a formula from running. */
export function withoutFormula(text: string): string {
  const harmless = NUMBER.test(text) || (PHONE.test(text) && NO_SUM.test(text))
  return FORMULA.test(text) && !harmless ? `'${text}` : text
}
