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

const review = (id: string): unknown[] => [
  [
    id,
    [
      '0x0:0x1',
      null,
      1_688_125_590_509_285,
      1_688_125_590_509_285,
      sparse({ 5: ['Ann', '//p.example/a', ['https://u.example/1'], '1'] }),
      null,
      'a week ago',
    ],
    sparse({ 0: [5], 2: [['x', photo('r')]], 14: ['de', 'en'], 15: [['Gut'], ['Good']] }),
    sparse({ 1: 1_688_125_590_509_285, 14: [['Danke'], ['Thanks']] }),
    [null, null, null, ['https://r.example/']],
  ],
  null,
  'token',
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
      75: [
        [
          [4, null, [[['eats.example'], [null, null, ['https://eats.example/kafe']]]], null, 21634],
          [3, null, [[['visits.example'], [null, null, ['https://visits.example/kafe']]]], null, 21633],
        ],
      ],
      78: 'ChIJDdnwdv0y5xQRRytw1ihZQeU',
      82: ['Centre', 'Old port', 'Old port', 'Limassol'],
      84: [
        [
          [
            7,
            [
              [10, 20, 'x'],
              [11, 100, 'y'],
            ],
            0,
          ],
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
              ['0x0:0x2', sparse({ 4: sparse({ 7: 3.9, 8: 65 }), 11: 'Bar Nord', 78: 'ChIJx' })],
              ['0x0:0x3', sparse({ 4: sparse({ 7: 0, 8: 0 }), 11: 'Bar Süd' })],
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
              ['/geo/type/establishment_poi/pay_credit_card', 'Credit cards', [1, [[1]]]],
              [
                '/geo/type/establishment_poi/pay_credit_card_types_accepted',
                'Credit cards',
                sparse({ 0: 3, 4: [null, [[[['/m/1', null, 'Visa', 'Visa']]]]] }),
              ],
            ],
          ],
        ],
      ],
      101: 'Καφέ',
      117: ['People typically spend 30 min here', null, ['People typically spend 30 min here', [[23, 29, [[5]]]]]],
      120: [null, null, null, '', [[1, [sparse({ 4: 'Meze', 6: [photo('m')] }), sparse({ 6: [photo('n')] })]]]],
      122: [
        ['Kafe', 'https://lh4.example/logo'],
        [
          sparse({
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
          }),
        ],
        [1],
      ],
      125: [[[null, [[['Cakes'], [[[['Apple', 'With cream'], ['From €4.00']], [['Plum']]]]]], null, null, 4]]],
      126: [
        [
          [['q1', null, 'Parking?'], [['a1', null, 'Yes.']], 1],
          [['q2', null, 'Dogs?'], null, 0],
        ],
        2,
      ],
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
      178: [
        [
          '25 101555',
          [
            ['25 101555', 1],
            ['+357 25 101555', 2],
          ],
          null,
          '25101555',
        ],
      ],
      183: [
        null,
        [null, 'Old port', 'Old port', 'Limassol', '3042', null, 'CY'],
        [null, ['8G6MM2CR+6X'], ['M2CR+6X Limassol']],
      ],
      203: [
        [
          [
            'Montag',
            1,
            [2026, 11, 16],
            [
              ['9–12', [[9], [12]]],
              ['13–17', [[13], [17]]],
            ],
            0,
            1,
          ],
          ['Dienstag', 2, [2026, 11, 17], [['Geschlossen']], 0, 2],
          ...['Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'].map((name, n) => {
            return [name, n + 3, [2026, 11, 18 + n], [['Geschlossen']], 0, 2]
          }),
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
