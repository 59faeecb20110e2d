/** Returns a list with these members at these indexes and null elsewhere, as the site writes them. */
export function sparse(members: Readonly<Record<number, unknown>>, length = 0): unknown[] {
  const last = Math.max(-1, ...Object.keys(members).map(Number))
  return Array.from({ length: Math.max(length, last + 1) }, (_, index) => members[index] ?? null)
}

export const KEY = '0x14e732fd76f0d90d:0xe5415928d6702b47'

/** Returns a place node with a name and a key, and these members. */
export const node = (members: Readonly<Record<number, unknown>> = {}): unknown[] =>
  sparse({ 10: KEY, 11: 'Kafe', ...members })

/** Returns a place payload around a node. */
export const payload = (members: Readonly<Record<number, unknown>> = {}): unknown[] => sparse({ 6: node(members) }, 7)

const photo = (id: string): unknown[] =>
  sparse({
    0: id,
    1: 10,
    6: [`https://lh5.example/${id}=w400`, '', [800, 600]],
    8: [[3, 33.04, 34.67]],
    20: 'Photo',
    22: 1,
  })

const review = (id: string): unknown[] => {
  const at = 1_688_125_590_509_285
  const author = sparse({ 5: ['Ann', '//p.example/a', ['https://u.example/1'], '1'] })
  const details = sparse({ 0: [5], 2: [['x', photo('r')]], 14: ['de', 'en'], 15: [['Gut'], ['Good']] })
  const reply = sparse({ 1: at, 14: [['Danke'], ['Thanks']] })
  const written = ['0x0:0x1', null, at, at, author, null, 'a week ago']
  return [[id, written, details, reply, [null, null, null, ['https://r.example/']]], null, 'token']
}

const group = (type: number, host: string, id: number): unknown[] => {
  return [type, null, [[[host], [null, null, [`https://${host}/kafe`]]]], null, id]
}
const similar = (key: string, title: string, rating: number, count: number, more = {}): unknown[] => {
  return [key, sparse({ 4: sparse({ 7: rating, 8: count }), 11: title, ...more })]
}
const CARDS = 'pay_credit_card'
const about = (name: string, value: unknown): unknown[] => [
  `/geo/type/establishment_poi/${name}`,
  'Credit cards',
  value,
]
const slot = (words: string, ...times: number[][]): unknown[] => (times.length > 0 ? [words, times] : [words])
const day = (number: number, name: string, ...slots: unknown[][]): unknown[] => {
  return [name, number, [2026, 11, 15 + number], slots, 0, slots.length > 1 ? 1 : 2]
}
const OTHER_DAYS = ['Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag']
const question = (id: string, words: string, ...answers: unknown[][]): unknown[] => {
  return [[id, null, words], answers.length > 0 ? answers : null, answers.length]
}
const POST = sparse({
  1: [
    [
      ['New cakes', 1],
      [' ', 1],
      ['#cakes', 3, null, 'cakes'],
    ],
  ],
  2: [1_763_888_716, 1_779_699_916],
  5: [['https://lh3.example/post', 1]],
  8: ['https://search.example/', '/gmb/local_post/1'],
  9: 'https://posts.example/1',
})
const PHONES = [
  ['25 101555', 1],
  ['+357 25 101555', 2],
]
const HOURS_OF_VISITS = [
  [10, 20, 'x'],
  [11, 100, 'y'],
]

/** Returns a place payload with a value at every path that parsers read. Property tests change and cut it. */
export const fullPayload = (): unknown[] =>
  sparse({
    4: [[1, 2, 3]],
    6: node({
      2: ['Old port', 'Limassol 3042'],
      4: sparse({ 2: '€€', 3: ['https://reviews.example/', '6 reviews'], 7: 4.2, 8: 6 }),
      7: ['/url?q=https%3A%2F%2Fkafe.example%2F&opi=1', 'kafe.example'],
      9: [null, null, 34.67, 33.04],
      13: ['Cafe', 'Bar'],
      18: 'Kafe, Old port, Limassol 3042',
      27: 'https://www.google.com/maps/place/Kafe/',
      30: 'Asia/Nicosia',
      32: [
        ['', 'Short'],
        ['', 'Long words on the place'],
      ],
      34: sparse({ 1: [['Montag', ['9–5'], null, null, '2026-11-16', 1]], 4: sparse({ 4: 'Open' }) }),
      37: [[photo('a')], 12],
      38: ['https://menu.example/', 'menu.example'],
      39: 'Old port, Limassol 3042',
      46: [['https://book.example/', 'book.example']],
      52: sparse({
        0: [sparse({ 0: ['https://u.example/1', 'Ann'], 3: 'Good', 4: 5, 10: 'f1', 57: 1_688_125_590_509 })],
        3: [1, 0, 0, 1, 4],
      }),
      57: [null, 'Kafe (Owner)', '102769814432182832009'],
      72: [[null, sparse({ 6: ['//lh5.example/t=w408'] })]],
      75: [[group(4, 'eats.example', 21634), group(3, 'visits.example', 21633)]],
      78: 'ChIJDdnwdv0y5xQRRytw1ihZQeU',
      82: ['Centre', 'Old port', 'Old port', 'Limassol'],
      84: [
        [
          [7, HOURS_OF_VISITS, 0],
          [1, null],
        ],
      ],
      88: [null, 'SearchResult.TYPE_CAFE'],
      89: '/g/11c54_9hlz',
      99: [
        [
          [
            'People also search for',
            [
              similar('0x0:0x2', 'Bar Nord', 3.9, 65, { 78: 'ChIJx' }),
              similar('0x0:0x3', 'Bar Süd', 0, 0),
              ['0x0:0x4'],
            ],
          ],
        ],
      ],
      100: [
        null,
        [
          [
            'payments',
            'Payments',
            [
              about(CARDS, [1, [[1]]]),
              about(`${CARDS}_types_accepted`, sparse({ 0: 3, 4: [null, [[[['/m/1', null, 'Visa', 'Visa']]]]] })),
            ],
          ],
        ],
      ],
      101: 'Καφέ',
      117: ['People typically spend 30 min here', null, ['People typically spend 30 min here', [[23, 29, [[5]]]]]],
      120: [null, null, null, '', [[1, [sparse({ 4: 'Meze', 6: [photo('m')] }), sparse({ 6: [photo('n')] })]]]],
      122: [['Kafe', 'https://lh4.example/logo'], [POST], [1]],
      125: [[[null, [[['Cakes'], [[[['Apple', 'With cream'], ['From €4.00']], [['Plum']]]]]], null, null, 4]]],
      126: [[question('q1', 'Parking?', ['a1', null, 'Yes.']), question('q2', 'Dogs?')], 2],
      149: 'Old port, Λεμεσός',
      153: [[[['/m/1'], 'cake', null, [null, null, null, null, 21, 17, 36]]]],
      154: [['Words of the owner']],
      171: [
        [
          ['CgIgAQ==', null, 'All', [photo('b')]],
          ['CgIgARICCAI=', null, 'Street View', [sparse({ 6: ['//g.example/cbk?panoid=T76&w=1'] })]],
        ],
      ],
      175: sparse({ 3: [1, 0, 0, 1, 4], 9: [[[review('r1'), review('r2')]]] }),
      178: [['25 101555', PHONES, null, '25101555']],
      183: [
        null,
        [null, 'Old port', 'Old port', 'Limassol', '3042', null, 'CY'],
        [null, ['8G6MM2CR+6X'], ['M2CR+6X Limassol']],
      ],
      203: [
        [
          day(1, 'Montag', slot('9–12', [9], [12]), slot('13–17', [13], [17])),
          ...OTHER_DAYS.map((name, n) => day(n + 2, name, slot('Geschlossen'))),
        ],
        sparse({ 4: ['Open ⋅ Closes 5'] }),
      ],
      227: [[KEY, null, null, '/g/11c54_9hlz', 'ChIJDdnwdv0y5xQRRytw1ihZQeU']],
      243: 'CY',
    }),
    24: [[photo('c')]],
    31: ['0', [['Asia/Nicosia', ['EET', 'x']]]],
  })

/** Returns a search payload of these nodes, as the site sends it. */
export const searchPayload = (nodes: readonly unknown[], ads: readonly unknown[] = []): unknown[] => [
  ['kafe', [sparse({}, 11), ...nodes.map((place) => sparse({ 14: place }))]],
  [[3_826.9, 33.04, 34.67]],
  ads.length === 0 ? null : [null, [ads.map((place) => sparse({ 15: place }))]],
]
