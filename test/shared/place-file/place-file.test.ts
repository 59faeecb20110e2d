import { columnsNamed, placeColumns, placesIn, readPlaceFile } from '@placefleet/shared/place-file/place-file'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const PLACE_ID = 'ChIJDdnwdv0y5xQRRytw1ihZQeU'
const LINK = 'https://www.google.com/maps/place/A,+B/@1,2,17z/data=!3m1!4b1!4m6!3m5!1s0x14e732fd:0xe541592!8m2'

const read = (text: string | Uint8Array, column?: string) => {
  const file = readPlaceFile(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  return placesIn(file, column === undefined ? placeColumns(file) : columnsNamed(file, column))
}

const found = (...places: string[]) => ({ places, wrongLines: [] })

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))

test.each([
  ['a list', `${PLACE_ID}\n\n ${LINK}\r\n`, [PLACE_ID, LINK]],
  ['a list with quotes', `"${LINK}"\n"1"`, [LINK, '1']],
  ['one column with its name, whose links have commas', `URL\n${LINK}\n"${LINK}"\n`, [LINK, LINK]],
  ['commas', `title,url\n"A, B",${PLACE_ID}\n`, [PLACE_ID]],
  ['semicolons', `title;url\nA;"${LINK}"\n`, [LINK]],
  ['tabs', `title\tlink\nA\t${LINK}\n`, [LINK]],
  ['the separator that Excel says', `sep=|\ntitle|cid\nA;B|12\n`, ['12']],
  ['a line break within quotes', `title,cid\n"A\nB",12\n`, ['12']],
  ['a byte order mark', `\uFEFFcid,title\n12,A\n`, ['12']],
  ['UTF-16, as Excel saves text', utf16('title\tcid\r\nÄ\t12\r\n'), ['12']],
  ['several columns of ids: the surest that names a place', `cid,place_id\n12,\n13,${PLACE_ID}\n`, ['12', PLACE_ID]],
  ['no place', 'title,cid\n', []],
])('the places of a file with %s are read', (_, text, places) => {
  expect(read(text)).toEqual(found(...places))
})

test('a line that names no place is told by its number in the file', () => {
  expect(read(`${PLACE_ID}\n\nthe bakery\n`)).toEqual({ places: [PLACE_ID], wrongLines: [3] })
  expect(read(`sep=,\ntitle,cid\n"A\nB",12\nC,none\n`)).toEqual({ places: ['12'], wrongLines: [5] })
})

test('a table without a column of a known name has none until it is named', () => {
  const text = 'shop,number\nA,12\n'
  expect(placeColumns(readPlaceFile(new TextEncoder().encode(text)))).toEqual([])
  expect(read(text, ' NUMBER')).toEqual(found('12'))
  expect(read(text, 'other')).toEqual(found())
})

test('any column of any table comes back as it was written', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ä', ' ', ',', ';', '"', '\n', '\t', '1') })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })), { minLength: 1 }), (rows) => {
      const lines = rows.map(([name, cid]) => `${quoted(name)},${cid}`)
      expect(read(['name,cid', ...lines].join('\r\n'))).toEqual(found(...rows.map(([, cid]) => String(cid))))
    }),
  )
})
