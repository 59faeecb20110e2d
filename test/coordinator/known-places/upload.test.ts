import { AppError } from '@placefleet/coordinator/http/errors'
import { MAX_IDS, readUpload } from '@placefleet/coordinator/known-places/upload'
import { expect, test } from 'vitest'

const KEY = '0x14e732fd76f0d90d:0xe5415928d6702b47'
const PLACE_ID = 'ChIJDdnwdv0y5xQRRytw1ihZQeU'

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
])('reads %s', (_, csv, keys, unreadable) => {
  expect(readUpload(csv)).toEqual({ keys, unreadable })
})

test('refuses a file that is too long, or no CSV', () => {
  const ids = Array.from({ length: MAX_IDS }, (_, n) => `0x1:0x${(n + 1).toString(16)}`)
  expect(readUpload(ids.join('\n')).keys).toHaveLength(MAX_IDS)
  expect(() => readUpload([...ids, '0x2:0x1'].join('\n'))).toThrow(AppError)
  expect(() => readUpload('a,"b\nc')).toThrow('The body is not CSV')
})
