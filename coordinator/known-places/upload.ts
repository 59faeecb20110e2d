import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { decoded, delimiterOf, encodingOf } from '@placefleet/shared/place-file/csv-text'
import { idColumns, keyInCell, keyInRow } from '@placefleet/shared/place-file/id-columns'
import { halfKeyOf } from '@placefleet/shared/place-key'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../http/errors.ts'
import { isWorkbook, workbookRows } from './workbook-rows.ts'

/** Ids in one upload at most. */
export const MAX_IDS = 100_000

/** The largest upload in MiB: 100,000 rows of an export with several columns. */
export const MAX_MIB = 16

/** Exports have at most 50. */
const MAX_COLUMNS = 200

/** In bytes, with room to spare. */
const LONGEST_HEADER = 16_384

/** The keys that an upload names, each once, and the number of its rows without a readable id. */
type UploadedKeys = { keys: string[]; unreadable: number }

/**
 * Reads the place keys of a file as it arrives: CSV in any usual encoding and with any usual separator, or XLSX. It has
 * a header as exports of Placefleet and of other tools have, or is a list of ids. Other work goes on between its
 * chunks. The rest of a refused body is left unread, so that the answer reaches the client.
 * @throws AppError `bad_request` when it is neither or has too many rows or columns, `too_large` above 16 MiB.
 */
export async function readUpload(body: Readable): Promise<UploadedKeys> {
  const chunks = bounded(body)
  try {
    const head = await headOf(chunks)
    if (isWorkbook(head)) {
      const file = await buffer(joined(head, chunks))
      return await keysOf(workbookRows(file, { mostColumns: MAX_COLUMNS, onWideRow: refuseColumns }))
    }
    const encoding = encodingOf(head)
    const rows = parse({
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      delimiter: delimiterOf(new TextDecoder(encoding).decode(head)),
      cast: (cell, { index }) => (index < MAX_COLUMNS ? cell : refuseColumns()),
    })
    return await pipeline(decoded(joined(head, chunks), encoding), rows, keysOf)
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
  let [keyOf, count, unreadable]: [ReadRow | undefined, number, number] = [undefined, 0, 0]
  for await (const row of rows) {
    if (keyOf === undefined) {
      if (/^sep=/i.test(row[0] ?? '')) continue // for Excel
      const columns = idColumns(row)
      keyOf = columns.length > 0 ? (each) => keyInRow(each, columns) : keyInAnyCell
      if (columns.length > 0) continue
    }
    count += 1
    if (count > MAX_IDS) refuse(`more than ${MAX_IDS} rows`)
    const key = keyOf(row)
    if (key === undefined) unreadable += 1
    else keys.add(key)
  }
  return { keys: withoutHalves(keys), unreadable }
}

type ReadRow = (row: readonly string[]) => string | undefined

const keyInAnyCell: ReadRow = (row) => row.map(keyInCell).find((key) => key !== undefined)

/** Leaves out the places of which one row has only the CID and another one the whole id. */
function withoutHalves(keys: ReadonlySet<string>): string[] {
  const halves = new Set([...keys].filter((key) => key !== halfKeyOf(key)).map(halfKeyOf))
  return [...keys].filter((key) => !halves.has(key))
}

function refuse(what: string): never {
  throw new AppError('bad_request', `The file has ${what}. Divide it.`)
}

const refuseColumns = (): never => refuse(`a row with more than ${MAX_COLUMNS} columns`)

function failureOf(error: unknown): unknown {
  if (error instanceof CsvError) {
    return new AppError('bad_request', `The body is neither CSV nor XLSX: ${error.message.slice(0, 200)}`, {
      cause: error,
    })
  }
  const aborted = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  return aborted ? new AppError('bad_request', 'The request ended before its body did.', { cause: error }) : error
}
