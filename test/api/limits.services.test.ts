import { randomUUID } from 'node:crypto'
import { markPaid } from '@placefleet/coordinator/accounts/store'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { LANGUAGES } from '@placefleet/shared/language'
import { REVIEW_ORDERS } from '@placefleet/shared/review-options'
import { afterAll, describe, expect, test } from 'vitest'
import type { Answer, CallOptions } from '../harness/coordinator/call-api.ts'
import { addUser, cookieOf } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { SCAN } from '../harness/servers/scan.ts'
import { until } from '../harness/until.ts'
import { ask, JOB } from './api-world.ts'

const world = await startWorld(afterAll)
const { db } = world
// Only the limit under test may refuse. The limits of rates and of active jobs have their own tests below.
const AMPLE = { MAX_CONCURRENT_JOBS_FREE: '10000', RATE_SUPPORT: '1000:1000', BOOTSTRAP_CREDITS: '0' }
// No sweep: each would look at every job that these tests leave pending.
const { url } = await addCoordinator(world, AMPLE, { timings: { ...TIMINGS, sweepMs: 3_600_000 } })
const { key } = await addUser(db, 500_000)

const EMOJI = '🚀' // one character, two UTF-16 units, four bytes
const repeat = (text: string, count: number) => text.repeat(count)
const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))
const proxies = (count: number) => list(count, (index) => `http://93.184.216.34:${10_000 + index}`)
const ids = (count: number) => list(count, () => randomUUID())
const centre = { lat: '52.5', lon: '13.4' }
const webhook = (length: number) => `https://93.184.216.34/${repeat('x', length - 'https://93.184.216.34/'.length)}`

type Case = [what: string, method: string, path: string, options: CallOptions, status: number]

const post =
  (path: string, base: object, accepted: number) =>
  (what: string, changes: object, refused = false): Case => [
    what,
    'POST',
    path,
    { body: { ...base, ...changes } },
    refused ? 400 : accepted,
  ]
const job = post('/api/v1/jobs', JOB, 201)
const estimate = post('/api/v1/jobs/estimates', { keywords: ['cafe'] }, 200)
const NO = true
const estimated =
  (refused = false) =>
  (changes: object) =>
    estimate(JSON.stringify(changes), changes, refused)

describe.each<[string, Case[]]>([
  [
    'the name of a job',
    [
      job('200 emoji', { name: repeat(EMOJI, 200) }),
      job('none', { name: '' }, NO),
      job('only spaces', { name: '   ' }, NO),
      job('201 characters', { name: repeat('x', 201) }, NO),
      job('201 emoji', { name: repeat(EMOJI, 201) }, NO),
      job('a NUL', { name: 'a\0b' }, NO),
      ['half a surrogate pair', 'POST', '/api/v1/jobs', rawJob('{"name":"\\ud800"}'), 400],
    ],
  ],
  [
    'keywords',
    [
      job('5', { keywords: list(5, (index) => `k${index}`) }),
      job('none', { keywords: [] }, NO),
      job('6', { keywords: list(6, (index) => `k${index}`) }, NO),
      job('one of 200 emoji', { keywords: [repeat(EMOJI, 200)] }),
      job('an empty one', { keywords: [''] }, NO),
      job('one of 201 characters', { keywords: [repeat('x', 201)] }, NO),
      job('one of 201 emoji', { keywords: [repeat(EMOJI, 201)] }, NO),
      job('text instead of a list', { keywords: 'cafe' }, NO),
    ],
  ],
  [
    'places',
    [
      job('1, without a keyword', { keywords: undefined, places: ['0x1:0x2'] }),
      job('none', { places: [] }, NO),
      job('a text that names none', { places: ['0x1:0x2', 'Demo Dental, Limassol'] }, NO),
      job('none, and no keyword', { keywords: undefined }, NO),
      job('6 keywords beside one', { keywords: list(6, (index) => `k${index}`), places: ['1'] }, NO),
      job('a cap of 1,000', { keywords: undefined, places: ['1'], max_results: 1_000 }),
      job('a cap of 1,001', { keywords: undefined, places: ['1'], max_results: 1_001 }, NO),
    ],
  ],
  values('language', LANGUAGES, ['EN', 'e', 'zz', 'eng', '', null, 'en-GB']),
  ...integer('depth', { min: 1, max: 20 }),
  ...integer('max_images', { min: 0, max: 500 }),
  ...integer('max_reviews', { min: 0, max: 500 }),
  values('reviews_sort', REVIEW_ORDERS, ['Newest', '', null]),
  values('reviews_since', ['2024-02-29'], ['2026-02-29', '2026-1-1', '01.03.2026', '', null, 20_260_101]),
  values('reviews_ratings', [[1, 2, 3, 4, 5]], [[], [0], [6], [1.5], ['1'], 1, null]),
  values('reviewer_names', [true, false], ['false', 0, null]),
  values('website_filter', ['all', 'no_website', 'has_website'], ['none', 'ALL', '', null]),
  ...integer('max_results', { min: 1, max: 500 }),
  ...integer('max_time', { min: 1, max: 3_600 }),
  ...integer('zoom', { min: 0, max: 21 }, centre),
  ...integer('radius', { min: 0, max: 50_000 }, centre),
  [
    'lat and lon',
    [
      job('the corners of the world', { lat: '90', lon: '180' }),
      job('its other corners', { lat: '-90.0', lon: '-180.000' }),
      job('both empty', { lat: '', lon: '' }),
      job('lat beyond it', { ...centre, lat: '90.0001' }, NO),
      job('lon beyond it', { ...centre, lon: '180.0001' }, NO),
      job('lat as a number', { lat: 1, lon: '1' }, NO),
    ],
  ],
  [
    'proxies',
    [
      job('none', { proxies: [] }),
      job('100', { proxies: proxies(100) }),
      job('101', { proxies: proxies(101) }, NO),
      ...['http://10.0.0.5:27017', 'not a url', ''].map((proxy) => job(proxy, { proxies: [proxy] }, NO)),
    ],
  ],
  [
    'the idempotency key',
    [
      ['1 byte', ...keyed('k')],
      ['255 bytes', ...keyed(repeat('k', 255))],
      ['255 bytes that are no ASCII', ...keyed(repeat('\u00e9', 255))],
      ['200 characters of two bytes', ...keyed(utf8(repeat('é', 100)))],
      ['none', ...keyed('', 400)],
      ['256 bytes', ...keyed(repeat('l', 256), 400)],
      ['256 bytes in 128 characters', ...keyed(utf8(repeat('é', 128)), 400)],
    ],
  ],
  [
    'an estimate',
    [
      estimate('5 keywords', { keywords: list(5, (index) => `k${index}`) }),
      estimate('6 keywords', { keywords: list(6, (index) => `k${index}`) }, NO),
      estimate('no keyword', { keywords: [] }, NO),
      estimate('a keyword of 201', { keywords: [repeat('x', 201)] }, NO),
      ...[{ depth: 20 }, { max_images: 500 }, { max_reviews: 500 }, { max_results: 500 }].map(estimated()),
      ...[{ depth: 21 }, { max_images: 501 }, { max_reviews: 501 }, { max_results: 501 }].map(estimated(NO)),
      estimate('the body of a job', { ...JOB, proxies: proxies(1), max_time: 60, fast_mode: true, ...centre }),
      estimate('an unknown field', { max_result: 5 }, NO),
    ],
  ],
  queries(
    '/api/v1/jobs',
    ['limit=1', 'limit=100', 'page=1', 'sort=name', 'order=asc', 'status=failed', 'search='],
    ['limit=0', 'limit=101', 'page=0', 'sort=cost', 'sort=', 'order=ASC', 'status=done', 'search=a%00b'],
  ),
  queries(
    '/api/v1/jobs',
    [repeat('x', 200), repeat('é', 100), '(a+)+$'].map((text) => `search=${encodeURIComponent(text)}`),
    [repeat('x', 201), `${repeat('é', 100)}x`].map((text) => `search=${encodeURIComponent(text)}`),
  ),
  queries(
    '/api/v1/results',
    ['limit=1', 'limit=100', 'offset=0', 'offset=1000000'],
    ['limit=0', 'limit=101', 'page=1'],
  ),
  queries('/api/v1/results', [], ['offset=-1']),
  queries('/api/v1/credits/history', ['limit=1', 'limit=100', 'type=', 'type=bonus', 'type=deficit_paydown'], []),
  queries('/api/v1/credits/history', [], ['limit=0', 'limit=101', 'page=0', 'type=hold', 'type=BONUS']),
  queries('/api/v1/credits/spending', ['days=1', 'days=366'], ['days=0', 'days=367', 'days=1.5']),
  queries('/api/v1/dashboard', ['limit=1', 'limit=20'], ['limit=0', 'limit=21']),
  [
    'a batch of costs',
    [
      ['none', 'POST', '/api/v1/jobs/costs/batch', { body: { job_ids: [] } }, 200],
      ['100', 'POST', '/api/v1/jobs/costs/batch', { body: { job_ids: ids(100) } }, 200],
      ['101', 'POST', '/api/v1/jobs/costs/batch', { body: { job_ids: ids(101) } }, 400],
    ],
  ],
  [
    'credits to buy', // 503: accepted, and no payment processor is set up here
    [
      ...['1', '9999', '10000'].map((credits) => checkout(credits, 503)),
      ...['0', '-1', '+1', '1.5', '1e3', '10001', ' 5', '05', '٥', '', 5].map((credits) => checkout(credits, 400)),
      ['in another currency', ...checkout('1', 400, 'EUR').slice(1)] as Case,
      ['in lower case', ...checkout('1', 400, 'usd').slice(1)] as Case,
    ],
  ],
  [
    'a support request',
    [
      ...['bug', 'feature', 'billing', 'account', 'other'].map((category) => support(category, { category })),
      support('another category', { category: 'praise' }, NO),
      support('a message of 10 emoji', { message: repeat(EMOJI, 10) }),
      support('a message of 9', { message: repeat('x', 9) }, NO),
      support('a message of 5000 emoji', { message: repeat(EMOJI, 5_000) }),
      support('a message of 5001', { message: repeat('x', 5_001) }, NO),
      support('a subject of 200 emoji', { subject: repeat(EMOJI, 200) }),
      support('a subject of 201', { subject: repeat('x', 201) }, NO),
    ],
  ],
  [
    'a webhook',
    [
      hook('a name of 100 emoji', { name: repeat(EMOJI, 100) }),
      hook('no name', { name: '' }, NO),
      hook('a name of 101', { name: repeat('x', 101) }, NO),
      hook('a URL of 2,048', { url: webhook(2_048) }),
      hook('a URL of 2,049', { url: webhook(2_049) }, NO),
      hook('another port', { url: 'https://93.184.216.34:8443/' }),
      hook('http', { url: 'http://93.184.216.34/' }, NO),
      hook('a password', { url: 'https://u:p@93.184.216.34/' }, NO),
    ],
  ],
  [
    'the name of an API key',
    [
      apiKey('100 emoji', repeat(EMOJI, 100)),
      apiKey('none', '', NO),
      apiKey('missing', undefined, NO),
      apiKey('101 characters', repeat('x', 101), NO),
    ],
  ],
  [
    'the size of a body',
    [
      ['256 KiB', 'POST', '/api/v1/jobs/costs/batch', sized(256 * 1024), 200],
      ['one byte more', 'POST', '/api/v1/jobs/costs/batch', sized(256 * 1024 + 1), 413],
    ],
  ],
])('%s', (_subject, cases) => {
  test.each(cases)('%s is answered with $4', async (_what, method, path, options, status) => {
    const answer = await ask(url, method, path, { key, ...options })
    expect(answer.status, answer.text).toBe(status)
    if (path === '/api/v1/webhooks') await freeSlots('webhooks')
    if (path === '/api/v1/api-keys') await freeSlots('api_keys')
  })
})

test.each([
  ['api-keys', { name: 'x' }],
  ['webhooks', { name: 'x', url: 'https://93.184.216.34/' }],
])('the eleventh of the active %s is refused, also when 15 are made at once', async (path, body) => {
  const user = await addUser(db, 0)
  if (path === 'api-keys')
    await db.collection('api_keys').updateOne({ user_id: user.user_id }, { $unset: { slot: '' } })
  const make = () => ask(url, 'POST', `/api/v1/${path}`, { key: user.key, body })
  const statuses = (await Promise.all(list(15, make))).map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...list(10, () => 201), ...list(5, () => 409)])
})

const { body: made } = await ask(url, 'POST', '/api/v1/jobs', { key, body: JOB })

test.each([
  ...['limit=1', 'limit=100', 'page=1', 'web_presence=', 'web_presence=NONE,has_website,none'].map(
    (query) => [query, 200] as const,
  ),
  ...['limit=0', 'limit=101', 'page=0', 'web_presence=none,some'].map((query) => [query, 400] as const),
])('the results of a job asked for with %s are answered with %i', async (query, status) => {
  const { id } = made as { id: string }
  expect((await ask(url, 'GET', `/api/v1/jobs/${id}/results?${query}`, { key })).status).toBe(status)
})

describe('request rates', async () => {
  const strict = await startWorld(afterAll)
  const settings = { RATE_FREE: '2:5', RATE_JOB_CREATE: '1:3', MAX_CONCURRENT_JOBS_PAID: '1000' }
  const { url: strictUrl } = await addCoordinator(strict, settings)
  const free = await addUser(strict.db)
  const paid = await addUser(strict.db)
  await markPaid(strict.db, paid.user_id)
  const visitor = await addUser(strict.db)
  const cookie = await cookieOf(strict.db, visitor.user_id)
  const balance = ['GET', '/api/v1/credits/balance'] as const
  const supportRequest = { category: 'bug', message: 'It does not work.' }

  test.each<[string, { rate: number; burst: number; window: number }, readonly [string, string], CallOptions]>([
    ['a free key', { rate: 2, burst: 5, window: 3 }, balance, { key: free.key }],
    ['a paid key', { rate: 10, burst: 30, window: 3 }, balance, { key: paid.key }],
    ['a session', { rate: 5, burst: 20, window: 4 }, balance, { headers: { cookie } }],
    ['an address without an account', { rate: 20, burst: 60, window: 3 }, balance, {}],
    ['new jobs of a user', { rate: 1, burst: 3, window: 3 }, ['POST', '/api/v1/jobs'], { key: paid.key, body: JOB }],
    [
      'support',
      { rate: 1 / 60, burst: 3, window: 180 },
      ['POST', '/api/v1/support'],
      { key: paid.key, body: supportRequest },
    ],
  ])('hold for %s: $1', async (_what, { rate, burst, window }, [method, path], options) => {
    // The key's own bucket comes before that of the user: it is full, so that the one under test is what refuses.
    await strict.db.collection('api_keys').updateMany({}, { $unset: { bucket: '' } })
    const from = performance.now()
    const answers: Answer[] = []
    // On a slow machine the bucket refills during the first requests.
    const refusals = await until('the limit refuses', async () => {
      answers.push(...(await Promise.all(list(burst + 10, () => ask(strictUrl, method, path, options)))))
      const refused = answers.filter(({ status, headers }) => status === 429 && policyOf(headers) === `${burst}`)
      return refused.length > 0 && refused
    })
    const seconds = (performance.now() - from) / 1_000
    const granted = answers.length - answers.filter(({ status }) => status === 429).length
    expect(granted).toBeGreaterThanOrEqual(burst)
    expect(granted).toBeLessThanOrEqual(burst + rate * seconds + 1)
    for (const { headers } of refusals) {
      expect(headers.get('ratelimit-policy')).toBe(`api;q=${burst};w=${window}`)
      expect(headers.get('ratelimit')).toMatch(/^api;r=0;t=\d+$/)
      expect(headers.get('x-ratelimit-limit')).toBe(`${burst}`)
      expect(headers.get('x-ratelimit-remaining')).toBe('0')
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(0)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

const policyOf = (headers: Headers) => /q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]

/**
 * Returns the cases of a whole-number field: both bounds, values beyond them, and values that are not whole numbers.
 */
function integer(field: string, { min, max }: { min: number; max: number }, others = {}): [string, Case[]][] {
  const wrong = [min - 1, max + 1, min + 0.5, `${min}`]
  return [
    [
      field,
      [
        ...[min, max].map((value) => job(`${value}`, { ...others, [field]: value })),
        ...wrong.map((value) => job(JSON.stringify(value), { ...others, [field]: value }, NO)),
        [`1e400`, 'POST', '/api/v1/jobs', rawJob(`{"${field}":1e400}`), 400],
      ],
    ],
  ]
}

/** Returns the cases of a field of a job that has some values, and refuses others. */
function values(field: string, accepted: readonly unknown[], refused: readonly unknown[]): [string, Case[]] {
  const given = (isRefused: boolean) => (value: unknown) => job(JSON.stringify(value), { [field]: value }, isRefused)
  return [field, [...accepted.map(given(false)), ...refused.map(given(NO))]]
}

/** Returns the cases of the parameters of a path. */
function queries(path: string, accepted: readonly string[], refused: readonly string[]): [string, Case[]] {
  const asked = (status: number) => (query: string) => [query, 'GET', `${path}?${query}`, {}, status] as Case
  return [path, [...accepted.map(asked(200)), ...refused.map(asked(400))]]
}

/** Returns a job's body with raw members that JSON.stringify would not write. */
function rawJob(members: string): CallOptions {
  const rawBody = `${JSON.stringify(JOB).slice(0, -1)},${members.slice(1)}`
  return { rawBody, headers: { 'content-type': 'application/json' } }
}

function keyed(idempotencyKey: string, status = 201): [string, string, CallOptions, number] {
  return ['POST', '/api/v1/jobs', { body: JOB, headers: { 'idempotency-key': idempotencyKey } }, status]
}

/** Returns a text as the header value whose bytes are its UTF-8: a header's characters are bytes. */
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function checkout(credits: unknown, status: number, currency = 'USD'): Case {
  return [JSON.stringify(credits), 'POST', '/api/v1/credits/checkout-session', { body: { credits, currency } }, status]
}

function support(what: string, changes: object, refused = false): Case {
  return post('/api/v1/support', { category: 'bug', message: 'It does not work.' }, 200)(what, changes, refused)
}

function hook(what: string, changes: object, refused = false): Case {
  return post('/api/v1/webhooks', { name: 'x', url: 'https://93.184.216.34/' }, 201)(what, changes, refused)
}

function apiKey(what: string, name: string | undefined, refused = false): Case {
  return post('/api/v1/api-keys', {}, 201)(what, { name }, refused)
}

function sized(bytes: number): CallOptions {
  const body = '{"job_ids":[]}'
  return { rawBody: body.padEnd(bytes, ' '), headers: { 'content-type': 'application/json' } }
}

/** Makes room for the next: ten active are the most. */
async function freeSlots(collection: 'webhooks' | 'api_keys'): Promise<void> {
  await db.collection(collection).updateMany({ name: { $ne: 'test' } }, { $unset: { slot: '' } }, SCAN)
}
