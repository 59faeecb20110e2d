import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { decoded } from '@placefleet/shared/place-file/csv-text'
import { Parser } from 'htmlparser2'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { AppError } from '../http/errors.ts'

const MIB = 1024 * 1024
/** The texts of a workbook stay in memory while its sheet is read; the sheet does not. */
const MOST = { texts: 64 * MIB, sheet: 256 * MIB, other: MIB } as const
/** A longer text is no id of a place. */
const LONGEST_TEXT = 8_192

/** Returns whether a file begins as a workbook, which is a zip archive, does. */
export const isWorkbook = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))

/**
 * Reads the rows of the first sheet of an XLSX workbook, each cell as text. An empty row is left out. Memory and time
 * are bounded by the sizes that the archive states, which its parts may not exceed.
 * @param mostColumns columns of a row; `onWideRow` throws for more
 * @throws AppError `bad_request` when it is no workbook, or too large once it is unpacked.
 */
export async function* workbookRows(
  file: Buffer,
  { mostColumns, onWideRow }: { mostColumns: number; onWideRow: () => never },
): AsyncGenerator<string[], void> {
  try {
    const archive = await yauzl.fromBufferPromise(file)
    const parts = await partsOf(archive)
    const open = (name: string, most: number) => opened(archive, parts.get(name), most)
    const sheet = await firstSheet(open)
    const texts = parts.has('xl/sharedStrings.xml')
      ? await sharedTexts(await open('xl/sharedStrings.xml', MOST.texts))
      : []
    yield* rowsOf(await open(sheet, MOST.sheet), texts, (column) => (column < mostColumns ? column : onWideRow()))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('bad_request', 'The body is no XLSX workbook that can be read. Save it again, or as CSV.', {
      cause: error,
    })
  }
}

async function partsOf(archive: ZipFile): Promise<Map<string, Entry>> {
  const parts = new Map<string, Entry>()
  for await (const entry of archive.eachEntry()) if (entry.fileName.startsWith('xl/')) parts.set(entry.fileName, entry)
  return parts
}

async function opened(archive: ZipFile, part: Entry | undefined, most: number): Promise<Readable> {
  if (part === undefined) throw new Error('a part is missing')
  if (part.uncompressedSize > most) {
    throw new AppError(
      'bad_request',
      'The workbook is too large once it is unpacked. Save only the column with the ids.',
    )
  }
  return archive.openReadStreamPromise(part)
}

type Open = (name: string, most: number) => Promise<Readable>

/** Returns the name of the part that holds the first sheet: its tabs are in the order of the workbook. */
async function firstSheet(open: Open): Promise<string> {
  let id: string | undefined
  for await (const { name, attributes } of tags(await open('xl/workbook.xml', MOST.other))) {
    if (name === 'sheet') id ??= attributes['r:id']
  }
  for await (const { name, attributes } of tags(await open('xl/_rels/workbook.xml.rels', MOST.other))) {
    if (name !== 'Relationship' || attributes.Id !== id || attributes.Target === undefined) continue
    return posix.resolve('/xl', attributes.Target).slice(1)
  }
  throw new Error('no sheet')
}

/** A tag of a part: its name without namespace, its attributes when it opens, and its text when it closes. */
type Tag = { name: string; closes: boolean; attributes: Record<string, string>; text: string }

/** Yields the tags of an XML part as it arrives. */
async function* tags(part: Readable): AsyncGenerator<Tag, void> {
  const read: Tag[] = []
  let text = ''
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        text = ''
        read.push({ name: bare(name), closes: false, attributes, text })
      },
      ontext(more) {
        if (text.length <= LONGEST_TEXT) text += more
      },
      onclosetag(name) {
        read.push({ name: bare(name), closes: true, attributes: {}, text })
        text = ''
      },
    },
    { xmlMode: true },
  )
  for await (const chunk of decoded(part, 'utf-8')) {
    parser.write(chunk)
    yield* read.splice(0)
  }
  parser.end()
  yield* read
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads the texts that cells refer to by number. A text may come in runs; how it is spoken is no part of it. */
async function sharedTexts(part: Readable): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let spoken = false
  for await (const { name, closes, text: run } of tags(part)) {
    if (name === 'rPh') spoken = !closes
    else if (name === 't' && closes && !spoken) text += run
    else if (name === 'si' && closes) {
      texts.push(text.length > LONGEST_TEXT ? '' : text)
      text = ''
    }
  }
  return texts
}

async function* rowsOf(
  part: Readable,
  texts: readonly string[],
  within: (column: number) => number,
): AsyncGenerator<string[], void> {
  let row: string[] = []
  let [column, isShared, value] = [-1, false, '']
  for await (const { name, closes, attributes, text } of tags(part)) {
    if (name === 'row') {
      if (closes && row.length > 0) yield row
      ;[row, column] = [[], -1]
    } else if (name === 'c' && !closes) {
      column = within(columnOf(attributes.r) ?? column + 1)
      ;[isShared, value] = [attributes.t === 's', '']
    } else if ((name === 'v' || name === 't') && closes) {
      value += isShared ? (texts[Number(text)] ?? '') : text
    } else if (name === 'c' && value !== '') {
      while (row.length < column) row.push('')
      row[column] = value
    }
  }
}

/** Returns the number of the column in a reference such as `AB12`, from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
