import { once } from 'node:events'
import { crawlWebsite, type FetchedPage, type GetPage } from '@placefleet/agent/website/crawl'
import { createHostTurns } from '@placefleet/agent/website/host-turns'
import { createRobots } from '@placefleet/agent/website/robots'
import { readRobotsRules } from '@placefleet/agent/website/robots-rules'
import { describe, expect, test, vi } from 'vitest'

const { signal } = new AbortController()
const SHOP = new URL('https://shop.de/')

/** What a site answers for its robots.txt: a text, a status or a page, at once or not at all. */
type Robots =
  | string
  | number
  | Partial<FetchedPage>
  | ((url: URL, signal: AbortSignal) => Promise<Partial<FetchedPage>>)

/** Returns a site with this robots.txt, and every requested path. */
function siteWith(robots: Robots) {
  const asked: string[] = []
  const answerFor = async (url: URL, stop: AbortSignal): Promise<Partial<FetchedPage>> => {
    if (!url.pathname.startsWith('/robots.txt')) return { text: '<a href="/kontakt">Kontakt</a> info@shop.de' }
    if (typeof robots === 'function') return robots(url, stop)
    if (typeof robots === 'object') return robots
    return typeof robots === 'number' ? { status: robots } : { text: robots }
  }
  const get: GetPage = async (url, stop) => {
    asked.push(url.pathname)
    return { url, status: 200, contentType: 'text/html', text: '', ...(await answerFor(url, stop)) }
  }
  return { get, asked, mayFetch: createRobots(get) }
}

test.each<[string, Robots, boolean]>([
  ['no robots.txt', 404, true],
  ['nothing forbidden', 'User-agent: *\nDisallow:', true],
  ['everything forbidden to all', 'User-agent: *\nDisallow: /', false],
  ['everything forbidden to us', 'User-agent: Placefleet\nDisallow: /\n\nUser-agent: *\nAllow: /', false],
  ['everything forbidden to others', 'User-agent: OtherBot\nDisallow: /', true],
  ['an error of the server', 503, false],
  ['no answer', () => Promise.reject(new Error('reset')), true],
])('with %s a page may be fetched or not', async (_, robots, expected) => {
  expect(await siteWith(robots).mayFetch(SHOP, signal)).toBe(expected)
})

// Cases of RFC 9309, chapter 2.2.
test.each<[string, string, string, boolean]>([
  ['the longest match decides', 'Disallow: /a\nAllow: /a/b', '/a/b/c', true],
  ['of equal matches the one that allows', 'Disallow: /a\nAllow: /a', '/a', true],
  ['any characters for a star', 'Disallow: /*/private', '/a/b/private/c', false],
  ['a star that must not overlap', 'Disallow: /ab*b$', '/ab', true],
  ['the end of a path', 'Disallow: /*.pdf$', '/a.pdf', false],
  ['not the end of a path', 'Disallow: /*.pdf$', '/a.pdf?b', true],
  ['the whole path', 'Disallow: /$', '/a', true],
  ['a query', 'Disallow: /*?print=', '/a?print=1', false],
  ['escapes in either case', 'Disallow: /%c3%A4', '/ä', false],
  ['letters that are not escaped', 'Disallow: /ä', '/%C3%A4', false],
  ['a comment', 'Disallow: /a # Allow: /', '/a', false],
  [
    'all groups that name us',
    'Disallow: /\nUser-agent: placefleet/2\nDisallow: /a\nUser-agent: x\nAllow: /\nUser-agent: PLACEFLEET\nDisallow: /b',
    '/b',
    false,
  ],
  ['a group of several names', 'User-agent: Placefleet\nDisallow: /a', '/a', false],
  ['our group without a rule', 'Disallow: /\nUser-agent: Placefleet\nCrawl-delay: 5', '/a', true],
  ['what comes after 500 KiB', `#${'a'.repeat(512_000)}\nDisallow: /`, '/a', true],
])('robots.txt is read as RFC 9309 has it: %s', (_, lines, path, allowed) => {
  const allows = readRobotsRules(`User-agent: *\n${lines}`, 'Placefleet')
  expect(allows(new URL(path, SHOP))).toBe(allowed)
})

const LONG_PATH = `/${'a'.repeat(2_000)}`

/** Reads 500 KB of a robots.txt and judges a long path. Returns its rules, and the characters that they pass over. */
function judged(line: (nth: number) => string): { rules: number; passed: number } {
  let text = 'User-agent: *\n'
  for (let nth = 0; text.length < 500_000; nth++) text += line(nth)
  const allows = readRobotsRules(text.slice(0, 500_000), 'Placefleet')
  const { indexOf } = String.prototype
  let passed = 0
  const counting = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, part, at = 0) {
    const found = indexOf.call(this, part, at)
    passed += (found === -1 ? this.length : found + part.length) - at
    return found
  })
  try {
    allows(new URL(LONG_PATH, SHOP))
  } finally {
    counting.mockRestore()
  }
  return { rules: text.match(/allow:/gi)?.length ?? 0, passed }
}

test.each<[rules: string, line: (nth: number) => string]>([
  ['one rule of stars', (nth) => (nth === 0 ? 'Disallow: /' : '*')],
  ['one rule of stars and letters', (nth) => (nth === 0 ? 'Disallow: /' : '*a')],
  ['rules of many stars', () => `Disallow: /${'*a'.repeat(100)}b\n`],
  ['rules that nearly match everywhere', () => `Disallow: *${'a'.repeat(500)}b\n`],
  ['the shortest rules', () => 'Allow:*b\n'],
  ['many names with many rules', (nth) => (nth < 20_000 ? 'User-agent:a\n' : 'Disallow:/b\n')],
])('each rule of a robots.txt passes over the path once: $0', (_, line) => {
  const { rules, passed } = judged(line)
  expect(passed).toBeLessThanOrEqual(rules * LONG_PATH.length)
})

test('a rule passes over the path until it cannot match, and no further', () => {
  expect(judged((nth) => (nth === 0 ? 'Disallow: /' : '*a'))).toEqual({ rules: 1, passed: LONG_PATH.length - 1 })
  expect(judged((nth) => (nth === 0 ? 'Disallow: *b\n' : '#\n'))).toEqual({ rules: 1, passed: LONG_PATH.length })
})

describe('a robots.txt', () => {
  test('whose request was aborted permits nothing, and is asked for again', async () => {
    const stop = new AbortController()
    const { mayFetch, asked } = siteWith(() => Promise.reject(new Error('aborted')))
    stop.abort(new Error('job cancelled'))
    await expect(mayFetch(SHOP, stop.signal)).rejects.toThrow('job cancelled')
    expect(await mayFetch(SHOP, signal)).toBe(true)
    expect(asked).toEqual(['/robots.txt', '/robots.txt'])
  })

  test('that never comes costs three seconds once, and no page', async () => {
    const { get, asked, mayFetch } = siteWith(async (_url, stop) => {
      await once(stop, 'abort')
      throw stop.reason
    })
    expect(await crawlWebsite('https://shop.com/', { get, mayFetch, signal })).toMatchObject({
      outcome: 'ok',
      emails: ['info@shop.de'],
      pages: 2,
    })
    expect(asked).toEqual(['/robots.txt', '/', '/kontakt'])
  })

  test('that has moved is read where it is now', async () => {
    const { mayFetch } = siteWith(async ({ hostname, pathname }) =>
      hostname === 'www.shop.de'
        ? { text: 'User-agent: *\nDisallow: /' }
        : { status: 301, redirect: new URL(pathname, 'https://www.shop.de') },
    )
    expect(await mayFetch(SHOP, signal)).toBe(false)
  })

  test('that moves on and on forbids nothing', async () => {
    const { mayFetch, asked } = siteWith(async (url) => ({ status: 301, redirect: new URL(`${url.pathname}x`, url) }))
    expect(await mayFetch(SHOP, signal)).toBe(true)
    expect(asked).toHaveLength(6)
  })

  test('is fetched once a host', async () => {
    const { mayFetch, asked } = siteWith('User-agent: *\nDisallow: /kontakt')
    expect(await mayFetch(SHOP, signal)).toBe(true)
    expect(await mayFetch(new URL('/kontakt', SHOP), signal)).toBe(false)
    expect(asked).toEqual(['/robots.txt'])
  })

  test.each([
    ['a page', 'User-agent: *\nDisallow: /kontakt', { outcome: 'ok', pages: 1 }, ['/robots.txt', '/']],
    ['the front page', 'User-agent: *\nDisallow: /', { outcome: 'robots', pages: 0 }, ['/robots.txt']],
  ])('that forbids %s lets a crawl skip it, and report its front page', async (_, robots, crawl, paths) => {
    const { get, asked, mayFetch } = siteWith(robots)
    expect(await crawlWebsite('https://shop.com/', { get, mayFetch, signal })).toMatchObject(crawl)
    expect(asked).toEqual(paths)
  })
})

test('a host gets one request at a time, other hosts in parallel', async () => {
  const inTurn = createHostTurns()
  const first = Promise.withResolvers<string>()
  const order: string[] = []
  const a = inTurn('a', signal, () => first.promise)
  const b = inTurn('a', signal, async () => order.push('second of a'))
  await inTurn('b', signal, async () => order.push('first of b'))
  expect(order).toEqual(['first of b'])
  first.reject(new Error('failed'))
  await expect(a).rejects.toThrow('failed')
  await b
  expect(order).toEqual(['first of b', 'second of a'])
})

test('who is cancelled while it waits for a host leaves at once, and the next keeps waiting', async () => {
  const inTurn = createHostTurns()
  const first = Promise.withResolvers<void>()
  const stop = new AbortController()
  const order: string[] = []
  const running = inTurn('a', signal, () => first.promise)
  const cancelled = inTurn('a', stop.signal, async () => order.push('cancelled'))
  const next = inTurn('a', signal, async () => order.push('next'))
  stop.abort(new Error('cancelled'))
  await expect(cancelled).rejects.toThrow('cancelled')
  expect(order).toEqual([])
  first.resolve()
  await Promise.all([running, next])
  expect(order).toEqual(['next'])
})
