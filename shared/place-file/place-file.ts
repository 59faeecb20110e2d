import { parse } from 'csv-parse/browser/esm/sync'
import { z } from 'zod'
import { readNamedPlace } from '../named-place.ts'
import { delimiterOf, encodingOf } from './csv-text.ts'
import { idColumns } from './id-columns.ts'

/** A file in which users bring places: a list with one a line, or a table with a header. */
export type PlaceFile = {
  /** The names of the columns; empty for a list. */
  columns: string[]
  /** `line`: where the row ends in the file, from 1. */
  rows: { line: number; cells: string[] }[]
}

/** The places of a file, and the numbers of the lines with a text that names none. */
type FilePlaces = { places: string[]; wrongLines: number[] }

const Records = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }))

/**
 * Reads a text file in any usual encoding. A first line that names a place begins a list. Any other one is the header
 * of a table, with any usual separator.
 * @throws Error with a text for the user when the file is no text of this kind.
 */
export function readPlaceFile(bytes: Uint8Array): PlaceFile {
  const lines = new TextDecoder(encodingOf(bytes)).decode(bytes).split(/\r\n|\r|\n/)
  const said = /^"?sep=./i.test(lines[0] ?? '') ? delimiterOf(lines[0] ?? '') : undefined // for Excel
  const skipped = said === undefined ? 0 : 1
  const head = lines.slice(skipped).find((line) => line.trim() !== '') ?? ''
  const delimiter = said ?? delimiterOf(head)
  if (readNamedPlace(head)) return { columns: [], rows: rowsOfList(lines, skipped) }
  if (!head.includes(delimiter)) {
    const [header, ...rows] = rowsOfList(lines, skipped)
    return { columns: header?.cells ?? [], rows }
  }
  const parsed = parse(lines.slice(skipped).join('\n'), {
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  })
  const [header, ...rows] = Records.parse(parsed).map(({ record, info }) => ({
    line: info.lines + skipped,
    cells: record,
  }))
  return { columns: header?.cells ?? [], rows }
}

/** Each line is one cell: links have commas, too. */
const rowsOfList = (lines: readonly string[], skipped: number): PlaceFile['rows'] =>
  lines.slice(skipped).flatMap((text, nth) => {
    const cell = text.trim().replace(/^"(.*)"$/, (_, quoted: string) => quoted.replaceAll('""', '"'))
    return cell === '' ? [] : [{ line: nth + 1 + skipped, cells: [cell] }]
  })

/** Returns the columns of a file that hold places by their names, the surest first. Empty: the user has to say it. */
export const placeColumns = ({ columns }: PlaceFile): number[] => (columns.length === 0 ? [0] : idColumns(columns))

/** Returns the columns with a name, in any case; none when no column has it. */
export function columnsNamed({ columns }: PlaceFile, name: string): number[] {
  const lowerCase = name.trim().toLowerCase()
  const column = columns.findIndex((each) => each.toLowerCase() === lowerCase)
  return column < 0 ? [] : [column]
}

/**
 * Returns the place of each row: of the first of these columns in which one is named. A row without a text there is
 * left out.
 */
export function placesIn({ rows }: PlaceFile, columns: readonly number[]): FilePlaces {
  const places: string[] = []
  const wrongLines: number[] = []
  for (const { line, cells } of rows) {
    const texts = columns.flatMap((column) => cells[column] || [])
    const place = texts.find((text) => readNamedPlace(text) !== undefined)
    if (place !== undefined) places.push(place)
    else if (texts.length > 0) wrongLines.push(line)
  }
  return { places, wrongLines }
}
