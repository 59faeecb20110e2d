import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { MAX_IDS, readUpload } from '@placefleet/coordinator/known-places/upload'
import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { xlsxOf } from '@placefleet/coordinator/results/export-xlsx'
import { resultExample } from '@placefleet/coordinator/results/schema'
import ExcelJS from 'exceljs'
import { expect, test } from 'vitest'

const KEY = '0x14e732fd76f0d90d:0xe5415928d6702b47'
const PLACE_ID = 'ChIJDdnwdv0y5xQRRytw1ihZQeU'
const CID = '16519582940102929223'
const HALF = '0x0:0xe5415928d6702b47'

/** Reads a file that arrives in chunks of `size` bytes. */
function read(csv: string | Buffer, size = 65_536) {
  const bytes = Buffer.from(csv)
  const count = Math.ceil(bytes.length / size)
  return readUpload(Readable.from(Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size))))
}

test.each([
  ['a list of keys', `${KEY}\n0x1:0x2\n`, [KEY, '0x1:0x2'], 0],
  ['place ids, each the key that it holds', `${PLACE_ID}\r\n${KEY}\r\n`, [KEY], 0],
  [
    'an export of this service',
    `id,title,place_id,data_id\n1,"A ""b""\nc",,${KEY}\n2,d,${PLACE_ID},\n3,e,,\n`,
    [KEY],
    1,
  ],
  ['an export with semicolons and a byte order mark', `\ufefftitle;data_id\nA;'${KEY}\n`, [KEY], 0],
  ['rows that nobody can read', 'hello\n\n0xg:0x1\n', [], 2],
  ['nothing', '', [], 0],
  ['tabs', `name\tPlace ID\nA, B\t${PLACE_ID}\n`, [KEY], 0],
  ['a separator in the first line', `sep=;\r\nname;CID\r\nA;${CID}\r\n`, [HALF], 0],
  ['a list of CIDs, short numbers left out', `${CID}\n1\n2\n`, [HALF], 2],
  ['a list of names and links', `A,https://maps.google.com/?cid=${CID}\nB,https://maps.app.goo.gl/x\n`, [HALF], 1],
  ['a quote within a cell', `title,place_id\n5" pipe,${PLACE_ID}\n`, [KEY], 0],
])('reads %s, in chunks of any size', async (_, csv, keys, unreadable) => {
  for (const size of [1, 7, 65_536]) expect(await read(csv, size)).toEqual({ keys, unreadable })
})

// The names of columns as the tools export them.
test.each([
  [
    'Apify',
    'title,url,placeId,fid,cid',
    `A,"https://www.google.com/maps/search/?api=1&query=A&query_place_id=${PLACE_ID}",${PLACE_ID},${KEY},${CID}`,
  ],
  [
    'Apify, only a link',
    'title,totalScore,url',
    `A,4.5,"https://www.google.com/maps/search/?api=1&query=A&query_place_id=${PLACE_ID}"`,
  ],
  ['Outscraper', 'name,place_id,google_id,cid,located_google_id', `A,${PLACE_ID},${KEY},${CID},0x1:0x2`],
  [
    'Outscraper, only a link',
    'name,site,location_link',
    `A,https://a.example/,https://www.google.com/maps/place/A/@1,2,14z/data=!4m8!1m2!2m1!1sA!3m4!1s${KEY}!8m2`,
  ],
  [
    'gosom',
    'input_id,link,title,cid,place_id,data_id',
    `x,https://www.google.com/maps/place/A/data=!4m7!3m6!1s${KEY}!8m2,A,${CID},${PLACE_ID},${KEY}`,
  ],
  [
    'omkarcloud',
    'place_id,name,link,cid,data_id',
    `${PLACE_ID},A,https://www.google.com/maps/place/A/data=!1s${KEY},${CID},${KEY}`,
  ],
  ['SerpApi', 'position,title,place_id,data_id,data_cid', `1,A,${PLACE_ID},${KEY},${CID}`],
  ['Phantombuster', 'placeUrl,title,query', `https://www.google.com/maps/place/A/data=!4m7!3m6!1s${KEY}!8m2,A,cafe`],
  ['a hand-made list', 'Name,Google Place ID', `A,${PLACE_ID}`],
  ['a hand-made list of links', 'Name;Google Maps URL', `A;https://www.google.com/maps?ftid=${KEY}`],
  ['the Places API', 'id,displayName', `${PLACE_ID},A`],
])('reads the file of %s in each encoding and separator', async (_, header, row) => {
  const delimiter = header.includes(';') ? ';' : ','
  const lines = `${header}\r\n${row}\r\n`
  const text = row.includes('"') || row.includes('@1,2') ? lines : lines.replaceAll(delimiter, '\t')
  const own = _ === 'Outscraper, only a link' ? `${header}\n${row.replace(/(https:..www.*)/, '"$1"')}\n` : text
  const utf16 = Buffer.from(own, 'utf16le')
  for (const file of [
    Buffer.from(own),
    Buffer.from(`\ufeff${own}`),
    utf16,
    Buffer.from(`\ufeff${own}`, 'utf16le'),
    Buffer.from(utf16).swap16(),
    Buffer.from(`\ufeff${own}`, 'utf16le').swap16(),
  ]) {
    for (const size of [1, 7, 65_536]) expect((await read(file, size)).keys).toEqual([KEY])
  }
})

test('a file with the CID in one row and the whole id in another names one place', async () => {
  expect(await read(`data_id,cid\n${KEY},\n,${CID}\n,7000000000000000001\n`)).toEqual({
    keys: [KEY, '0x0:0x6124fee993bc0001'],
    unreadable: 0,
  })
})

/** Returns a workbook with these sheets. */
async function workbook(sheets: Record<string, unknown[][]>, options: object = {}): Promise<Buffer> {
  const stream = new PassThrough()
  const file = buffer(stream)
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, ...options })
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name)
    for (const row of rows) sheet.addRow(row).commit()
    sheet.commit()
  }
  await book.commit()
  return file
}

test.each([{ useSharedStrings: true }, { useSharedStrings: false }])(
  'reads the first sheet of a workbook, with $useSharedStrings as shared texts',
  async (options) => {
    const rows = [
      ['Name', null, 'Place ID', 'CID'],
      ['A & B', null, PLACE_ID, null],
      [null, null, null, { richText: [{ text: '7000000000' }, { text: '000000001' }] }],
      ['C', 5, null, 7.5],
    ]
    const file = await workbook({ Places: rows, Reviews: [['place_id'], ['0x1:0x2']] }, options)
    for (const size of [1_000, 65_536]) {
      expect(await read(file, size)).toEqual({ keys: [KEY, '0x0:0x6124fee993bc0001'], unreadable: 1 })
    }
  },
)

test('an exported workbook is read', async () => {
  const result = { ...resultExample, data_id: KEY, place_id: PLACE_ID }
  const results = async function* () {
    yield result
  }
  const file = await buffer(xlsxOf(results, COLUMNS))
  expect(await read(file)).toEqual({ keys: [KEY], unreadable: 0 })
})

test.each([
  ['too many columns', () => workbook({ A: [Array.from({ length: 201 }, () => 'x')] }), '200 columns'],
  ['no sheet', async () => Buffer.from('PK\u0003\u0004rest'), 'no XLSX workbook'],
  ['a cut end', async () => (await workbook({ A: [[KEY]] })).subarray(0, -30), 'no XLSX workbook'],
])('refuses a workbook with %s', async (_, file, message) => {
  await expect(read(await file())).rejects.toThrow(message)
})

test('refuses a workbook that grows too large', async () => {
  const row = ['x'.repeat(30_000)]
  const file = await workbook({ A: Array.from({ length: 9_500 }, () => row) }, { useSharedStrings: false })
  expect(file.length).toBeLessThan(2 * 1024 * 1024)
  await expect(read(file)).rejects.toThrow('too large once it is unpacked')
})

test('reads as many rows as its limit', async () => {
  const ids = Array.from({ length: MAX_IDS }, (_, n) => `0x1:0x${(n + 1).toString(16)}`)
  expect((await read(ids.join('\n'))).keys).toHaveLength(MAX_IDS)
})

test.each([
  ['too many rows', 'a\n'.repeat(MAX_IDS + 1), 'The file has more than 100000 rows. Divide it.'],
  ['too many columns', `${KEY}\n${','.repeat(200)}\n`, 'The file has a row with more than 200 columns. Divide it.'],
  ['too many bytes', `"${'a'.repeat(16 * 1024 * 1024)}"`, 'The file is larger than 16 MiB. Divide it.'],
  ['an open quote', 'a,"b\nc', 'The body is neither CSV nor XLSX'],
])('refuses a file with %s, and leaves the rest of the body to be discarded', async (_, csv, message) => {
  const bytes = Buffer.from(csv)
  const body = Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) => bytes.subarray(n * 65_536, (n + 1) * 65_536)),
  )
  await expect(readUpload(body)).rejects.toThrow(message)
  expect([body.destroyed, body.errored]).toEqual([body.readableEnded, null])
})

test('a file of only commas is refused at its first chunk', async () => {
  let chunks = 0
  const body = Readable.from(
    (function* () {
      for (; chunks < 256; chunks++) yield Buffer.alloc(65_536, ',')
    })(),
    { highWaterMark: 1 },
  )
  await expect(readUpload(body)).rejects.toThrow('200 columns')
  expect(chunks).toBeLessThan(10)
})
