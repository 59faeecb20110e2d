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

type Options = Parameters<typeof crawlWebsite>[1]
type Answer = string | Partial<FetchedPage> | Error

/** Answers with the given pages by path. */
const pagesOf =
  (pages: Record<string, Answer>): GetPage =>
  async (url) => {
    const answer = pages[url.pathname] ?? { status: 404 }
    if (answer instanceof Error) throw answer
    const page = typeof answer === 'string' ? { text: answer } : answer
    return { status: 200, url, contentType: 'text/html; charset=utf-8', text: '', ...page }
  }

/** Crawls a website of these pages. Returns what it brought, the paths that were requested, and in whose turn. */
async function crawled(pages: Record<string, Answer> | GetPage, more: Partial<Options> & { website?: string } = {}) {
  const { website = 'https://shop.de/', ...options } = more
  const [asked, turns]: [string[], string[]] = [[], []]
  const answer = typeof pages === 'function' ? pages : pagesOf(pages)
  const get: GetPage = (url, signal) => {
    asked.push(url.hostname === 'shop.de' ? url.pathname : url.href)
    return answer(url, signal)
  }
  const inTurn: InTurn = (host, _signal, work) => {
    turns.push(host)
    return work()
  }
  const { signal } = new AbortController()
  return { crawl: await crawlWebsite(website, { get, inTurn, signal, ...options }), asked, turns }
}

/** Answers each URL of `to` with a redirect, and others with an address. */
const forwarding =
  (to: Record<string, string>): GetPage =>
  async (url) => {
    const page = { url, contentType: 'text/html', text: 'info@new-shop.de' }
    return to[url.href] ? { ...page, status: 301, redirect: new URL(to[url.href] ?? '') } : { ...page, status: 200 }
  }

const never: GetPage = () => Promise.withResolvers<never>().promise
const EMPTY = { emails: [], social_links: {}, phones: [], pages: 0 }

test('the contacts of the front page and its contact pages are merged', async () => {
  const { crawl, asked } = await crawled({
    '/': '<a href="/kontakt">Kontakt</a><a href="/team">Team</a><a href="https://x.com/shop">X</a> shop@gmail.com',
    '/kontakt': '<a href="tel:+49301">x</a> partner@other.com',
    '/team': 'jane@shop.de',
  })
  expect(crawl).toEqual({
    emails: ['jane@shop.de', 'shop@gmail.com', 'partner@other.com'],
    social_links: { x: 'https://x.com/shop' },
    phones: ['+49301'],
    pages: 3,
    outcome: 'ok',
  })
  expect(asked).toEqual(['/', '/kontakt', '/team'])
})

test('the visit ends with an own address on a contact or imprint page', async () => {
  const { crawl, asked } = await crawled(
    {
      '/': '<a href="/impressum">Impressum</a><a href="/kontakt">Kontakt</a><a href="/team">Team</a> x@shop.de',
      '/kontakt': 'somebody@gmail.com',
      '/impressum': 'info@shop.de',
      '/team': 'jane@shop.de',
    },
    { website: 'shop.de' },
  )
  expect(crawl).toMatchObject({ emails: ['x@shop.de', 'info@shop.de', 'somebody@gmail.com'], pages: 3 })
  expect(asked).toEqual(['/', '/kontakt', '/impressum'])
})

test.each([
  ['/datenschutz', 'Datenschutz'],
  ['/privacy-policy', 'Privacy'],
  ['/politica-de-privacidad', 'Política de privacidad'],
  ['/page-7', 'Politique de confidentialité'],
])('a page about privacy (%s, linked as %s) gives only own addresses and free mail', async (path, label) => {
  const { crawl } = await crawled({
    '/': `<nav><a href="/kontakt">Kontakt</a><a href="${path}">${label}</a></nav><p>Praxis</p>`,
    '/kontakt': '<form action="/send"><input name="email"></form>',
    [path]: `<p>Praxis: praxis@shop.de, praxis@web.de</p><p>Behörde: mailbox@privacy-board.org</p>
      <p>Newsletter: privacy@letters.io</p>`,
  })
  expect(crawl.emails).toEqual(['praxis@shop.de', 'praxis@web.de'])
})

test('at most six pages are requested, including failed ones', async () => {
  const links = Array.from({ length: 20 }, (_, index) => `<a href="/kontakt-${index}">x</a>`).join('')
  const { crawl, asked } = await crawled({ '/': links })
  expect(crawl).toMatchObject({ pages: 1, outcome: 'ok' })
  expect(asked).toHaveLength(6)
})

test('pages behind frames are read, and their links come before less likely pages of the front page', async () => {
  const { crawl, asked } = await crawled({
    '/': '<frame src="/main.htm"><a href="/team">Team</a>',
    '/main.htm': '<a href="/impressum.htm">Impressum</a>',
    '/impressum.htm': 'info@shop.de',
  })
  expect(crawl).toMatchObject({ emails: ['info@shop.de'] })
  expect(asked).toEqual(['/', '/main.htm', '/impressum.htm'])
})

test.each([200, 299])('a page with status %i is read', async (status) => {
  const { crawl } = await crawled({ '/': { status, text: 'info@shop.de' } })
  expect(crawl).toMatchObject({ emails: ['info@shop.de'] })
})

test('a missing listed page is replaced by the front page', async () => {
  const { crawl, asked } = await crawled({ '/': 'info@shop.de' }, { website: 'https://shop.de/old?x=1' })
  expect(crawl).toMatchObject({ emails: ['info@shop.de'] })
  expect(asked).toEqual(['/old', '/'])
})

test('the domain a site forwards to is its own, and the listed one stays its own', async () => {
  const { crawl, asked } = await crawled({
    '/': {
      url: 'https://www.new-shop.com/',
      text: '<a href="/contact">x</a><a href="/team">Team</a> x@gmail.com info@new-shop.com info@shop.de',
    },
    '/contact': { url: 'https://new-shop.com/contact', text: '<script>a = "sales@shop.de"</script>' },
  })
  expect(crawl.emails).toEqual(['info@new-shop.com', 'info@shop.de', 'sales@shop.de', 'x@gmail.com'])
  expect(asked).toEqual(['/', 'https://www.new-shop.com/contact'])
})

describe('a redirect to another host', () => {
  const moved = forwarding({ 'https://shop.de/': 'https://new-shop.de/start' })

  test('takes the turn of that host', async () => {
    const { crawl, turns } = await crawled(moved)
    expect(crawl).toMatchObject({ outcome: 'ok', emails: ['info@new-shop.de'] })
    expect(turns).toEqual(['shop.de', 'new-shop.de'])
  })

  test('obeys the robots.txt of that host', async () => {
    const { crawl, asked } = await crawled(moved, { mayFetch: async (url) => url.hostname !== 'new-shop.de' })
    expect(crawl).toMatchObject({ outcome: 'robots' })
    expect(asked).toEqual(['/'])
  })

  test.each(['https://www.facebook.com/shop', 'https://www.google.com/maps/place/x', 'https://maps.app.goo.gl/x'])(
    'ends the visit without a request to %s',
    async (platform) => {
      const { crawl, asked } = await crawled(forwarding({ 'https://shop.de/': platform }))
      expect(crawl).toEqual({ ...EMPTY, outcome: 'broken' })
      expect(asked).toEqual(['/'])
    },
  )

  test('is followed five times at most', async () => {
    const to = [1, 2, 3, 4, 5, 6].map((nth) => [`https://shop.de/${nth}`, `https://shop.de/${nth + 1}`])
    const six = await crawled(forwarding(Object.fromEntries(to)), { website: 'https://shop.de/2' })
    expect(six.crawl).toMatchObject({ outcome: 'ok' })
    expect(six.asked).toEqual(['/2', '/3', '/4', '/5', '/6', '/7'])
    const seven = await crawled(forwarding(Object.fromEntries(to)), { website: 'https://shop.de/1' })
    expect(seven.crawl).toMatchObject({ outcome: 'ok', pages: 1 })
    expect(seven.asked).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/'])
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
    const { crawl } = await crawled({ '/': { url, text: 'support@other.com' } })
    expect(crawl).toEqual({ ...EMPTY, outcome: 'broken' })
  })

  test.each(['https://www.doctolib.de/shop', 'https://www.agency.com/'])(
    'from a contact page, %s is not read',
    async (url) => {
      const { crawl } = await crawled({
        '/': '<a href="/kontakt">x</a> a@shop.de',
        '/kontakt': { url, text: 'info@other.com' },
      })
      expect(crawl).toMatchObject({ emails: ['a@shop.de'], pages: 1 })
    },
  )

  test('frames of any host are read, except platforms', async () => {
    const { crawl } = await crawled({
      '/': '<frame src="/main"><frame src="/chat">',
      '/main': { url: 'https://hosting.com/shop', text: 'shop@gmail.com' },
      '/chat': { url: 'https://www.facebook.com/shop', text: 'support@facebook.com' },
    })
    expect(crawl).toMatchObject({ emails: ['shop@gmail.com'] })
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
    ['timeout', Object.assign(new Error('late'), { name: 'TimeoutError' })],
    ['timeout', Object.assign(new Error('late'), { fault: 'timeout' })],
  ])('%s after the answer %o', async (outcome, answer) => {
    expect((await crawled({ '/': answer })).crawl).toEqual({ ...EMPTY, outcome })
  })

  test.each(['', 'mailto:info@shop.de', 'not a website', 'tel:1'])('broken without a request: %j', async (website) => {
    expect(await crawled({}, { website })).toMatchObject({ crawl: { ...EMPTY, outcome: 'broken' }, asked: [] })
  })
})

describe('time', () => {
  test.each([
    ['a page', { pageMs: 1, totalMs: 60_000 }],
    ['the whole visit', { pageMs: 60_000, totalMs: 1 }],
  ])('of %s ends, even if the client ignores its signal', async (_, limits) => {
    const { crawl } = await crawled(never, { limits: { pages: 6, ...limits } })
    expect(crawl).toMatchObject({ outcome: 'timeout' })
  })

  test('does not cost contacts that were read before its end', async () => {
    const get = pagesOf({ '/': '<a href="/kontakt">x</a><a href="/impressum">x</a> info@shop.de' })
    const stuck: GetPage = (url, abort) => (url.pathname === '/' ? get(url, abort) : never(url, abort))
    const { crawl } = await crawled(stuck, { limits: { pages: 6, pageMs: 1, totalMs: 60_000 } })
    expect(crawl).toMatchObject({ emails: ['info@shop.de'], pages: 1, outcome: 'ok' })
  })

  test('of a visit is spent by all its pages', async () => {
    const links = Array.from({ length: 20 }, (_, index) => `<a href="/kontakt-${index}">x</a>`).join('')
    const get: GetPage = (url, abort) =>
      url.pathname === '/' ? pagesOf({ '/': links })(url, abort) : never(url, abort)
    const { asked } = await crawled(get, { limits: { pages: 6, pageMs: 15, totalMs: 20 } })
    expect(asked.length).toBeLessThan(6)
  })

  test('of a page does not pass while it waits for its host, as the twelve places of a chain do', async () => {
    const late = AbortSignal.timeout(1_100)
    const inTurn: InTurn = async (_host, _signal, work) => {
      if (!late.aborted) await once(late, 'abort')
      return work()
    }
    const limits = { pages: 6, pageMs: 1_000, totalMs: 1_000 }
    const { crawl } = await crawled({ '/': '<a href="/kontakt">x</a>', '/kontakt': 'info@shop.de' }, { limits, inTurn })
    expect(crawl).toMatchObject({ emails: ['info@shop.de'], outcome: 'ok' })
  })

  test('that a task had ends with its reason, before the first page and during one', async () => {
    const task = new AbortController()
    const get: GetPage = async (url, abort) => {
      task.abort(new Error('cancelled'))
      return never(url, abort)
    }
    await expect(crawled(get, { signal: task.signal })).rejects.toThrow('cancelled')
    await expect(crawled(get, { signal: task.signal })).rejects.toThrow('cancelled')
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
