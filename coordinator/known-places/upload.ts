import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { keyFromPlaceId, placeKey } from '@placefleet/shared/place-key'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../http/errors.ts'

/** Ids in one upload at most. */
export const MAX_IDS = 100_000

/** The largest upload in MiB: 100,000 rows of an export with several columns. */
export const MAX_MIB = 16

/** Exports have at most 50. */
const MAX_COLUMNS = 200

/** In bytes, with room to spare. */
const LONGEST_HEADER = 16_384

/** The columns that may hold the id of a place, the best first. Exports have the last two. */
const ID_COLUMNS = ['place_key', 'data_id', 'place_id'] as const

/** The keys that an upload names, each once, and the number of its rows without a readable id. */
type UploadedKeys = { keys: string[]; unreadable: number }

/**
 * Reads the place keys of a CSV file as it arrives: an export with its header, or a list with one id in each row. Other
 * work goes on between its chunks. The rest of a refused body is left unread, so that the answer reaches the client.
 * @throws AppError `bad_request` when it is not CSV or has too many rows or columns, `too_large` above 16 MiB.
 */
export async function readUpload(body: Readable): Promise<UploadedKeys> {
  const chunks = bounded(body)
  try {
    const head = await headOf(chunks)
    const rows = parse({
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: /^[^\n\r]*;/.test(head.toString('latin1')) ? ';' : ',',
      cast: (cell, { index }) => (index < MAX_COLUMNS ? cell : refuse(`a row with more than ${MAX_COLUMNS} columns`)),
    })
    return await pipeline(joined(head, chunks), rows, keysOf)
  } catch (error) {
    throw failureOf(error)
  }
}

/** Yields the chunks of a body up to the largest upload. */
async function* bounded(body: Readable): AsyncGenerator<Buffer, void> {
  let size = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_MIB * 1024 * 1024) {
      throw new AppError('too_large', `The file is larger than ${MAX_MIB} MiB. Divide it.`)
    }
    yield chunk
  }
}

/** Reads the chunks up to the one in which the first line ends, or is longer than any header. */
async function headOf(chunks: AsyncGenerator<Buffer, void>): Promise<Buffer> {
  const head: Buffer[] = []
  let size = 0
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    head.push(next.value)
    size += next.value.length
    if (size >= LONGEST_HEADER || /[\n\r]/.test(next.value.toString('latin1'))) break
  }
  return Buffer.concat(head)
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>) {
  yield head
  yield* rest
}

async function keysOf(rows: AsyncIterable<string[]>): Promise<UploadedKeys> {
  const keys = new Set<string>()
  let [columns, count, unreadable]: [number[] | undefined, number, number] = [undefined, 0, 0]
  for await (const row of rows) {
    if (columns === undefined) {
      const named = idColumns(row)
      columns = named.length > 0 ? named : [0]
      if (named.length > 0) continue
    }
    count += 1
    if (count > MAX_IDS) refuse(`more than ${MAX_IDS} rows`)
    const key = columns.map((column) => keyOf(row[column] ?? '')).find((found) => found !== undefined)
    if (key === undefined) unreadable += 1
    else keys.add(key)
  }
  return { keys: [...keys], unreadable }
}

function refuse(what: string): never {
  throw new AppError('bad_request', `The file has ${what}. Divide it.`)
}

function failureOf(error: unknown): unknown {
  if (error instanceof CsvError) {
    return new AppError('bad_request', `The body is not CSV: ${error.message.slice(0, 200)}`, { cause: error })
  }
  const aborted = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  return aborted ? new AppError('bad_request', 'The request ended before its body did.', { cause: error }) : error
}

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
