import { keyFromPlaceId, placeKey } from '@placefleet/shared/place-key'
import { type CsvError, parse } from 'csv-parse/sync'
import { AppError } from '../http/errors.ts'

/** Ids in one upload at most. */
export const MAX_IDS = 100_000

/** The columns that may hold the id of a place, the best first. Exports have the last two. */
const ID_COLUMNS = ['place_key', 'data_id', 'place_id'] as const

/** The keys that an upload names, each once, and the number of its rows without a readable id. */
export type UploadedKeys = { keys: string[]; unreadable: number }

/**
 * Reads the place keys of a CSV file: an export with its header, or a list with one id in each row.
 * @throws AppError `bad_request` when it is not CSV, or has more than 100,000 rows.
 */
export function readUpload(csv: string): UploadedKeys {
  const [head = [], ...rest] = rowsOf(csv)
  const columns = idColumns(head)
  const rows = columns.length > 0 ? rest : [head, ...rest].filter((row) => row.length > 0)
  if (rows.length > MAX_IDS) throw new AppError('bad_request', `The file has more than ${MAX_IDS} rows. Divide it.`)
  const cells = columns.length > 0 ? columns : [0]
  const keys = rows.map((row) => cells.map((cell) => keyOf(row[cell] ?? '')).find((key) => key !== undefined))
  const readable = keys.filter((key) => key !== undefined)
  return { keys: [...new Set(readable)], unreadable: keys.length - readable.length }
}

function rowsOf(csv: string): string[][] {
  const firstLine = /^[^\n\r]*/.exec(csv)?.[0] ?? ''
  const delimiter = firstLine.includes(';') ? ';' : ','
  try {
    return parse(csv, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, to: MAX_IDS + 2 })
  } catch (cause) {
    throw new AppError('bad_request', `The body is not CSV: ${messageOf(cause)}`, { cause })
  }
}

const messageOf = (error: unknown): string => (isCsvError(error) ? error.message.slice(0, 200) : 'it cannot be read')

const isCsvError = (error: unknown): error is CsvError => error instanceof Error && 'code' in error

const idColumns = (head: string[]): number[] => {
  const names = head.map((name) => name.trim().toLowerCase())
  return ID_COLUMNS.map((name) => names.indexOf(name)).filter((column) => column >= 0)
}

/**
 * Returns the key that a cell names: a key, or a place id of the common form. A spreadsheet's leading apostrophe is
 * ignored.
 */
function keyOf(cell: string): string | undefined {
  const id = cell.trim().replace(/^'/, '')
  return placeKey(id) ?? keyFromPlaceId(id)
}
