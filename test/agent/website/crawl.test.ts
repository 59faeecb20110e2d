import { once } from 'node:events'
import {
  crawlWebsite,
  type FetchedPage,
  type GetPage,
  type InTurn,
  isWorthCrawling,
} from '@placefleet/agent/website/crawl'
import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import { describe, expect, test } from 'vitest'

type Answer = string | Partial<FetchedPage> | Error

/** Returns a site with the given pages by path. It records every requested path. */
function site(pages: Record<string, Answer>) {
  const asked: string[] = []
  const get: GetPage = async (url) => {
    asked.push(url.pathname)
    const answer = pages[url.pathname] ?? { status: 404 }
    if (answer instanceof Error) throw answer
    const page = typeof answer === 'string' ? { text: answer } : answer
    return { status: 200, url, contentType: 'text/html; charset=utf-8', text: '', ...page }
  }
  return { get, asked }
}

const never: GetPage = () => Promise.withResolvers<never>().promise
const { signal } = new AbortController()
const EMPTY = { emails: [], social_links: {}, phones: [], pages: 0 }
const timeoutError = Object.assign(new Error('late'), { name: 'TimeoutError' })

test('the contacts of the front page and its contact pages are merged', async () => {
  const { get, asked } = site({
    '/': '<a href="/kontakt">Kontakt</a><a href="/team">Team</a><a href="https://x.com/shop">X</a> shop@gmail.com',
    '/kontakt': '<a href="tel:+49301">x</a> partner@other.com',
    '/team': 'jane@shop.de',
  })
  expect(await crawlWebsite('https://shop.de/', { get, signal })).toEqual({
    emails: ['jane@shop.de', 'shop@gmail.com', 'partner@other.com'],
    social_links: { x: 'https://x.com/shop' },
    phones: ['+49301'],
    pages: 3,
    outcome: 'ok',
  })
  expect(asked).toEqual(['/', '/kontakt', '/team'])
})

test('the visit ends with an own address on a contact or imprint page', async () => {
  const { get, asked } = site({
    '/': '<a href="/impressum">Impressum</a><a href="/kontakt">Kontakt</a><a href="/team">Team</a> x@shop.de',
    '/kontakt': 'somebody@gmail.com',
    '/impressum': 'info@shop.de',
    '/team': 'jane@shop.de',
  })
  const visit = await crawlWebsite('shop.de', { get, signal })
  expect(visit).toMatchObject({ emails: ['x@shop.de', 'info@shop.de', 'somebody@gmail.com'], pages: 3 })
  expect(asked).toEqual(['/', '/kontakt', '/impressum'])
})

test.each([
  ['/datenschutz', 'Datenschutz'],
  ['/privacy-policy', 'Privacy'],
  ['/politica-de-privacidad', 'Política de privacidad'],
  ['/page-7', 'Politique de confidentialité'],
])('a page about privacy (%s, linked as %s) gives only own addresses and free mail', async (path, label) => {
  const { get } = site({
    '/': `<nav><a href="/kontakt">Kontakt</a><a href="${path}">${label}</a></nav><p>Praxis</p>`,
    '/kontakt': '<form action="/send"><input name="email"></form>',
    [path]: `<p>Praxis: praxis@shop.de, praxis@web.de</p><p>Behörde: mailbox@privacy-board.org</p>
      <p>Newsletter: privacy@letters.io</p>`,
  })
  expect((await crawlWebsite('https://shop.de/', { get, signal })).emails).toEqual(['praxis@shop.de', 'praxis@web.de'])
})

test('a visit for an ended task ends with its reason, without other failures', async () => {
  const over = new Error('the task has ended')
  const get: GetPage = async (_url, stop) => {
    throw stop.reason
  }
  await expect(crawlWebsite('https://shop.de/', { get, signal: AbortSignal.abort(over) })).rejects.toBe(over)
})

test('at most six pages are requested, including failed ones', async () => {
  const links = Array.from({ length: 20 }, (_, index) => `<a href="/kontakt-${index}">x</a>`).join('')
  const { get, asked } = site({ '/': links })
  expect(await crawlWebsite('https://shop.de/', { get, signal })).toMatchObject({ pages: 1, outcome: 'ok' })
  expect(asked).toHaveLength(6)
})

test('the time of a crawl is for all of its pages together', async () => {
  const links = Array.from({ length: 5 }, (_, index) => `<a href="/kontakt-${index}">x</a>`).join('')
  const { get, asked } = site({ '/': links })
  const silent: GetPage = async (url, stop) => {
    const page = await get(url, stop)
    return url.pathname === '/' ? page : never(url, stop)
  }
  const limits = { pages: 6, pageMs: 100, totalMs: 150 }
  expect(await crawlWebsite('https://shop.de/', { get: silent, signal, limits })).toMatchObject({ outcome: 'ok' })
  expect(asked.length).toBeLessThanOrEqual(3)
})

test('pages behind frames and redirects are read with their links', async () => {
  const { get, asked } = site({
    '/': '<frameset><frame src="/main.htm"></frameset>',
    '/main.htm': '<a href="/impressum.htm">Impressum</a>',
    '/impressum.htm': 'info@shop.de',
  })
  expect(await crawlWebsite('https://shop.de/', { get, signal })).toMatchObject({ emails: ['info@shop.de'] })
  expect(asked).toEqual(['/', '/main.htm', '/impressum.htm'])
})

test('the links of a frame come before less likely pages of the front page', async () => {
  const { get, asked } = site({
    '/': '<frame src="/main.htm"><a href="/team">Team</a>',
    '/main.htm': '<a href="/impressum.htm">Impressum</a>',
    '/impressum.htm': 'info@shop.de',
  })
  await crawlWebsite('https://shop.de/', { get, signal })
  expect(asked).toEqual(['/', '/main.htm', '/impressum.htm'])
})

test.each([200, 299])('a page with status %i is read', async (status) => {
  const { get } = site({ '/': { status, text: 'info@shop.de' } })
  expect(await crawlWebsite('https://shop.de/', { get, signal })).toMatchObject({ emails: ['info@shop.de'] })
})

test('a missing listed page is replaced by the front page', async () => {
  const { get, asked } = site({ '/': 'info@shop.de' })
  expect(await crawlWebsite('https://shop.de/old?x=1', { get, signal })).toMatchObject({ emails: ['info@shop.de'] })
  expect(asked).toEqual(['/old', '/'])
})

test('the domain a site forwards to is its own', async () => {
  const { get } = site({ '/': { url: 'https://www.new-shop.de/', text: 'a@shop.de info@new-shop.de' } })
  const visit = await crawlWebsite('https://shop.de/', { get, signal })
  expect(visit.emails).toEqual(['info@new-shop.de', 'a@shop.de'])
})

test('the listed domain stays the business’s own after a forwarding', async () => {
  const { get, asked } = site({
    '/': {
      url: 'https://shop.com/',
      text: '<a href="/contact">x</a><a href="/team">Team</a> x@gmail.com info@shop.de',
    },
    '/contact': { url: 'https://shop.com/contact', text: '<script>a = "sales@shop.de"</script>' },
  })
  const visit = await crawlWebsite('https://shop.de/', { get, signal })
  expect(visit.emails).toEqual(['info@shop.de', 'sales@shop.de', 'x@gmail.com'])
  expect(asked).toEqual(['/', '/contact'])
})

/**
 * Answers each URL of `to` with a redirect, and others with an address. Records what was asked for and in whose turn.
 */
function forwarding(to: Record<string, string>) {
  const [asked, turns]: [string[], string[]] = [[], []]
  const get: GetPage = async (url) => {
    asked.push(url.href)
    const page = { url, contentType: 'text/html', text: 'info@new-shop.de' }
    return to[url.href] ? { ...page, status: 301, redirect: new URL(to[url.href] ?? '') } : { ...page, status: 200 }
  }
  const inTurn: InTurn = (host, _signal, work) => {
    turns.push(host)
    return work()
  }
  return { get, asked, inTurn, turns }
}

describe('a redirect to another host', () => {
  const moved = { 'https://shop.de/': 'https://new-shop.de/start' }

  test('takes the turn of that host', async () => {
    const { get, inTurn, turns } = forwarding(moved)
    expect(await crawlWebsite('https://shop.de/', { get, inTurn, signal })).toMatchObject({
      outcome: 'ok',
      emails: ['info@new-shop.de'],
    })
    expect(turns).toEqual(['shop.de', 'new-shop.de'])
  })

  test('obeys the robots.txt of that host', async () => {
    const { get, asked } = forwarding(moved)
    const mayFetch = async (url: URL) => url.hostname !== 'new-shop.de'
    expect(await crawlWebsite('https://shop.de/', { get, mayFetch, signal })).toMatchObject({ outcome: 'robots' })
    expect(asked).toEqual(['https://shop.de/'])
  })

  test.each(['https://www.facebook.com/shop', 'https://www.google.com/maps/place/x', 'https://maps.app.goo.gl/x'])(
    'ends the visit without a request to %s',
    async (platform) => {
      const { get, asked } = forwarding({ 'https://shop.de/': platform })
      expect(await crawlWebsite('https://shop.de/', { get, signal })).toEqual({ ...EMPTY, outcome: 'broken' })
      expect(asked).toEqual(['https://shop.de/'])
    },
  )

  test('is followed five times at most', async () => {
    const to = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((nth) => [`https://shop.de/${nth}`, `https://shop.de/${nth + 1}`]),
    )
    const six = forwarding({ ...to, 'https://shop.de/': 'https://shop.de/1' })
    expect(await crawlWebsite('https://shop.de/2', { get: six.get, signal })).toMatchObject({ outcome: 'ok' })
    const seven = forwarding(to)
    expect(await crawlWebsite('https://shop.de/1', { get: seven.get, signal })).toMatchObject({
      outcome: 'ok',
      pages: 1,
    })
    expect(seven.asked).toEqual([...[1, 2, 3, 4, 5, 6].map((nth) => `https://shop.de/${nth}`), 'https://shop.de/'])
  })
})

describe('where a site forwards to a page that is not its own', () => {
  test.each([
    'https://www.facebook.com/shop',
    'https://www.doctolib.de/shop',
    'https://www.yelp.de/biz/shop',
    'https://sedo.com/search/?domain=shop.de',
    'http://127.0.0.1/',
  ])('it is not read: %s', async (url) => {
    const { get } = site({ '/': { url, text: 'support@other.com' } })
    expect(await crawlWebsite('https://shop.de/', { get, signal })).toEqual({ ...EMPTY, outcome: 'broken' })
  })

  test.each(['https://www.doctolib.de/shop', 'https://www.agency.com/'])(
    'from a contact page, %s is not read',
    async (url) => {
      const { get } = site({ '/': '<a href="/kontakt">x</a> a@shop.de', '/kontakt': { url, text: 'info@other.com' } })
      expect(await crawlWebsite('https://shop.de/', { get, signal })).toMatchObject({ emails: ['a@shop.de'], pages: 1 })
    },
  )

  test('frames of any host are read, except platforms', async () => {
    const { get } = site({
      '/': '<frame src="/main"><frame src="/chat">',
      '/main': { url: 'https://hosting.com/shop', text: 'shop@gmail.com' },
      '/chat': { url: 'https://www.facebook.com/shop', text: 'support@facebook.com' },
    })
    expect(await crawlWebsite('https://shop.de/', { get, signal })).toMatchObject({ emails: ['shop@gmail.com'] })
  })
})

describe('a front page that cannot be read is', () => {
  test.each<[outcome: string, answer: Answer]>([
    ['blocked', { status: 403 }],
    ['blocked', { status: 429 }],
    ['blocked', { status: 503 }],
    ['broken', { status: 404 }],
    ['broken', { status: 500 }],
    ['broken', { status: 300 }],
    ['broken', { status: 302 }],
    ['broken', { contentType: 'application/pdf' }],
    ['broken', { url: 'not a url' }],
    ['broken', new Error('ECONNREFUSED')],
    ['timeout', timeoutError],
    ['timeout', Object.assign(new Error('late'), { fault: 'timeout' })],
  ])('%s after the answer %o', async (outcome, answer) => {
    expect(await crawlWebsite('https://shop.de/', { ...site({ '/': answer }), signal })).toEqual({ ...EMPTY, outcome })
  })

  test.each(['', 'mailto:info@shop.de', 'not a website', 'tel:1'])('broken without a request: %j', async (website) => {
    const { get, asked } = site({})
    expect(await crawlWebsite(website, { get, signal })).toEqual({ ...EMPTY, outcome: 'broken' })
    expect(asked).toEqual([])
  })
})

describe('time', () => {
  test('a page that never answers ends at its deadline, even if the client ignores its signal', async () => {
    const limits = { pages: 6, pageMs: 1, totalMs: 60_000 }
    expect(await crawlWebsite('https://shop.de/', { get: never, signal, limits })).toMatchObject({ outcome: 'timeout' })
  })

  test('contacts that were read before the deadline are kept', async () => {
    const { get } = site({ '/': '<a href="/kontakt">x</a><a href="/impressum">x</a> info@shop.de' })
    const stuck: GetPage = (url, abort) => (url.pathname === '/' ? get(url, abort) : never(url, abort))
    const limits = { pages: 6, pageMs: 1, totalMs: 60_000 }
    expect(await crawlWebsite('https://shop.de/', { get: stuck, signal, limits })).toMatchObject({
      emails: ['info@shop.de'],
      pages: 1,
      outcome: 'ok',
    })
  })

  test('the whole visit ends at its limit', async () => {
    const limits = { pages: 6, pageMs: 60_000, totalMs: 1 }
    expect(await crawlWebsite('https://shop.de/', { get: never, signal, limits })).toMatchObject({ outcome: 'timeout' })
  })

  test('of a page does not pass while it waits for its host, as the twelve places of a chain do', async () => {
    const limits = { pages: 6, pageMs: 1_000, totalMs: 1_000 }
    const late = AbortSignal.timeout(1_100)
    const inTurn: InTurn = async (_host, _signal, work) => {
      if (!late.aborted) await once(late, 'abort')
      return work()
    }
    const { get } = site({ '/': '<a href="/kontakt">x</a>', '/kontakt': 'info@shop.de' })
    const crawl = await crawlWebsite('https://shop.de/', { get, signal, limits, inTurn })
    expect(crawl).toMatchObject({ emails: ['info@shop.de'], outcome: 'ok' })
  })

  test('a cancelled task ends the visit with its reason', async () => {
    const task = new AbortController()
    const get: GetPage = async (url, abort) => {
      task.abort(new Error('cancelled'))
      return never(url, abort)
    }
    await expect(crawlWebsite('https://shop.de/', { get, signal: task.signal })).rejects.toThrow('cancelled')
    await expect(crawlWebsite('https://shop.de/', { get, signal: task.signal })).rejects.toThrow('cancelled')
  })
})

describe('a website is worth a visit', () => {
  const allow = parseAllowHosts('127.0.0.1')
  const base = new URL('http://127.0.0.1:9090')

  test.each([
    ['https://shop.de/', 'has', true],
    ['shop.de', 'has', true],
    ['https://blumen.wixsite.com/', 'builder', true],
    ['https://facebook.com/x', 'social', false],
    ['https://yelp.de/x', 'directory', false],
    ['https://opentable.com/x', 'booking', false],
    ['mailto:x@shop.de', 'none', false],
    [undefined, 'none', false],
    ['ftp://shop.de/', 'has', false],
    ['http://127.0.0.1:8080/', 'none', true],
    ['http://127.0.0.1:9090/a-business', 'none', false],
    ['http://127.0.0.2:8080/', 'none', false],
    ['http://10.0.0.1/', 'has', false],
    ['http://nas.local/', 'has', false],
  ] as const)('%s of tier %s: %s', (website, tier, worth) => {
    expect(isWorthCrawling(website, tier, { allowHosts: allow, base })).toBe(worth)
  })

  test('without exemptions no private address is allowed', () => {
    expect(isWorthCrawling('http://127.0.0.1:8080/', 'has', { allowHosts: ALLOW_NONE, base })).toBe(false)
  })
})
