import { Readable } from 'node:stream'
import { MAX_IDS, readUpload } from '@placefleet/coordinator/known-places/upload'
import { expect, test } from 'vitest'

const KEY = '0x14e732fd76f0d90d:0xe5415928d6702b47'
const PLACE_ID = 'ChIJDdnwdv0y5xQRRytw1ihZQeU'

/** Reads a file that arrives in chunks of `size` bytes. */
function read(csv: string, size = 65_536) {
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
])('reads %s, in chunks of any size', async (_, csv, keys, unreadable) => {
  for (const size of [1, 7, 65_536]) expect(await read(csv, size)).toEqual({ keys, unreadable })
})

test('reads as many rows as its limit', async () => {
  const ids = Array.from({ length: MAX_IDS }, (_, n) => `0x1:0x${(n + 1).toString(16)}`)
  expect((await read(ids.join('\n'))).keys).toHaveLength(MAX_IDS)
})

test.each([
  ['too many rows', 'a\n'.repeat(MAX_IDS + 1), 'The file has more than 100000 rows. Divide it.'],
  ['too many columns', `${KEY}\n${','.repeat(200)}\n`, 'The file has a row with more than 200 columns. Divide it.'],
  ['too many bytes', `"${'a'.repeat(16 * 1024 * 1024)}"`, 'The file is larger than 16 MiB. Divide it.'],
  ['an open quote', 'a,"b\nc', 'The body is not CSV'],
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
