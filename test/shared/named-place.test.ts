import { readNamedPlace } from '@placefleet/shared/named-place'
import { keyFromPlaceId, placeKey } from '@placefleet/shared/place-key'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../harness/any-text.ts'

const KEY = '0x14e732fd76f0d90d:0xe5415928d6702b47'
const PLACE_ID = 'ChIJDdnwdv0y5xQRRytw1ihZQeU'
const CID = '16519582940102929223'
const whole = { kind: 'key', place_key: KEY }
const half = { kind: 'cid', cid: CID }

describe('the reader of a place’s id', () => {
  test.each([
    ['by its data id', KEY, whole],
    ['in upper case', KEY.toUpperCase().replaceAll('X', 'x'), whole],
    ['with leading zeros', '0x014e732fd76f0d90d:0x0e5415928d6702b47', whole],
    ['behind a spreadsheet’s apostrophe', `'${KEY}`, whole],
    ['in quotes', `"${PLACE_ID}" `, whole],
    ['by its place id', PLACE_ID, whole],
    ['by a resource of the Places API', `places/${PLACE_ID}`, whole],
    ['by place_id:', `place_id:${PLACE_ID}`, whole],
    ['by its CID', CID, half],
    ['by the site’s form of a CID', `0x0:0xe5415928d6702b47`, half],
    [
      'by a link of a card',
      `https://www.google.com/maps/place/A/data=!4m7!3m6!1s${KEY}!8m2!3d1!4d2!16s%2Fg%2F11x!19s${PLACE_ID}?hl=en`,
      whole,
    ],
    ['by an encoded link', encodeURIComponent(`https://www.google.com/maps/place/A/data=!4m2!3m1!1s${KEY}`), whole],
    [
      'by a link with encoded data',
      `https://www.google.com/maps/place/A/data=%214m2%213m1%211s0x14e732fd76f0d90d%3A0xe5415928d6702b47`,
      whole,
    ],
    [
      'by a link that was encoded twice',
      `https://www.google.com/maps/place/A/data=!1s0x14e732fd76f0d90d%253A0xe5415928d6702b47`,
      whole,
    ],
    ['by a relative link', `/maps/place/A/data=!1s${KEY}`, whole],
    ['by a link without scheme', `www.google.com/maps?cid=${CID}`, half],
    ['by a link with cid', `https://maps.google.com/?cid=${CID}`, half],
    ['by a link with cid and no slash', `maps.google.co.uk?hl=en&cid=${CID}`, half],
    [
      'by a link with ftid',
      `https://www.google.com.br/maps?q=A&ftid=0x14e732fd76f0d90d:0xe5415928d6702b47&hl=pt`,
      whole,
    ],
    [
      'by a link of a search with its id',
      `https://www.google.com/maps/search/?api=1&query=A&query_place_id=${PLACE_ID}`,
      whole,
    ],
    ['by a link of the Places API', `https://www.google.com/maps/place/?q=place_id:${PLACE_ID}`, whole],
    ['by a link to its reviews', `https://search.google.com/local/reviews?placeid=${PLACE_ID}&hl=en`, whole],
    [
      'by an embedded map',
      `https://www.google.com/maps/embed?pb=!1m18!1m12!1m3!1d3!2d4!3d5!3m3!1m2!1s${KEY}!2sA`,
      whole,
    ],
    ['by a redirect', `https://www.google.com/url?q=https%3A%2F%2Fmaps.google.com%2F%3Fcid%3D${CID}`, half],
    ['by a link with both', `https://www.google.com/maps?cid=1&ftid=${KEY}`, whole],
    ['by a stray percent sign in its link', `https://www.google.com/maps/place/100%/data=!1s${KEY}`, whole],
    [
      'by a short link',
      'https://maps.app.goo.gl/AbC-d_1?g_st=ic',
      { kind: 'short_link', url: 'https://maps.app.goo.gl/AbC-d_1' },
    ],
    ['by an old short link', 'goo.gl/maps/xYz', { kind: 'short_link', url: 'https://goo.gl/maps/xYz' }],
    [
      'by a short link that holds its target',
      `https://maps.app.goo.gl/?link=https%3A%2F%2Fwww.google.com%2Fmaps%3Fcid%3D${CID}`,
      half,
    ],
  ])('it is named $0', (_, text, named) => {
    expect(readNamedPlace(text)).toEqual(named)
  })

  // Links of the recorded answers, with other names and ids.
  test.each([
    ['a search for it, as HTML has it', `https://www.google.com/search?q=A&amp;ludocid=${CID}&amp;ibp=gwp;0,21`, half],
    [
      'an appointment',
      `https://www.google.com/maps/reserve/appt/place/${PLACE_ID}/mid/%2Fg%2F1tj836_c?hl=en-IN`,
      whole,
    ],
    [
      'a sign-in that leads to it',
      `https://accounts.google.com/ServiceLogin?hl=ru&amp;continue=https://www.google.com/maps/place/D%27s%2BP/@38.86,-77.08,17z/data%3D!3m1!4b1!4m6!3m5!1s${KEY}!8m2!3d38.8!4d-77.0!16s%252Fg%252F1tf76s1w&amp;gae=cb`,
      whole,
    ],
    [
      'a question for consent that leads to it',
      `https://consent.google.com/m?continue=https://www.google.com/maps/place/D%2527s/@38.8,-77.0,17z/data%3D!3m1!4b1!4m6!3m5!1s${KEY}!8m2&gl=DE&m=0`,
      whole,
    ],
  ])('a recorded link names it: %s', (_, text, named) => {
    expect(readNamedPlace(text)).toEqual(named)
  })

  test.each([
    '',
    ' ',
    'Demo Dental',
    '0',
    '18446744073709551616', // 2 to the power of 64
    '-1',
    '1.65196E+19',
    '0x1',
    '0x1:0x',
    'ChIJ',
    'EicxMyBNYXJrZXQgU3QsIFdpbG1pbmd0b24sIE5D',
    'https://www.google.com/maps/search/bakery/@1,2,3z',
    'https://www.google.com/maps/place/Paris',
    'https://www.google.com/maps/contrib/113729853214502571942',
    'https://goo.gl/AbC',
    `https://shop.example/?cid=${CID}`,
    `https://shop.example/?q=google.com/maps&cid=${CID}`,
    'x'.repeat(10_000),
  ])('%j names no place', (text) => {
    expect(readNamedPlace(text)).toBeUndefined()
  })
})

test('a place is the same in each spelling: data id, place id, CID and their links', () => {
  const half = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
  const property = fc.property(half, half, (high, low) => {
    const key = `0x${high.toString(16)}:0x${low.toString(16)}`
    const bytes = Buffer.from('0a1209'.padEnd(22, '0') + '11'.padEnd(18, '0'), 'hex')
    bytes.writeBigUInt64LE(high, 3)
    bytes.writeBigUInt64LE(low, 12)
    const id = bytes.toString('base64url')
    expect([placeKey(key), keyFromPlaceId(id)]).toEqual([key, key])
    for (const text of [
      key,
      id,
      `https://www.google.com/maps/place/A/data=!4m2!3m1!1s${key}`,
      `https://www.google.com/maps/search/?api=1&query=A&query_place_id=${id}`,
      `https://maps.google.com/maps?ftid=${key}`,
    ]) {
      expect(readNamedPlace(text)).toEqual({ kind: 'key', place_key: key })
    }
    for (const text of [`${low}`, `https://maps.google.com/?cid=${low}`, `0x0:0x${low.toString(16)}`]) {
      expect(readNamedPlace(text)).toEqual({ kind: 'cid', cid: `${low}` })
    }
  })
  fc.assert(property)
})

test('no text makes the reader throw or take long', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (text) => {
      readNamedPlace(text)
      readNamedPlace(`https://www.google.com/maps/${text}`)
    }),
  )
})
