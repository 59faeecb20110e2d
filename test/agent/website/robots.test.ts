import { crawlWebsite, type GetPage } from '@placefleet/agent/website/crawl'
import { createHostTurns, createRobots } from '@placefleet/agent/website/fetch-page'
import { expect, test } from 'vitest'

const { signal } = new AbortController()

/** Returns a site with this robots.txt, and every requested path. */
function siteWith(robots: string | number | Error) {
  const asked: string[] = []
  const get: GetPage = async (url) => {
    asked.push(url.pathname)
    const page = { url, contentType: 'text/html' }
    if (url.pathname !== '/robots.txt')
      return { ...page, status: 200, text: '<a href="/kontakt">Kontakt</a> info@shop.de' }
    if (robots instanceof Error) throw robots
    return typeof robots === 'number' ? { ...page, status: robots, text: '' } : { ...page, status: 200, text: robots }
  }
  return { get, asked, mayFetch: createRobots(get) }
}

test.each([
  ['no robots.txt', 404, true],
  ['nothing forbidden', 'User-agent: *\nDisallow:', true],
  ['everything forbidden to all', 'User-agent: *\nDisallow: /', false],
  ['everything forbidden to us', 'User-agent: Placefleet\nDisallow: /\n\nUser-agent: *\nAllow: /', false],
  ['everything forbidden to others', 'User-agent: OtherBot\nDisallow: /', true],
  ['an error of the server', 503, false],
  ['no answer', new Error('reset'), true],
])('with %s a page may be fetched or not', async (_, robots, expected) => {
  const { mayFetch } = siteWith(robots)
  expect(await mayFetch(new URL('https://shop.de/'), signal)).toBe(expected)
})

test('robots.txt is fetched once a host', async () => {
  const { mayFetch, asked } = siteWith('User-agent: *\nDisallow: /kontakt')
  expect(await mayFetch(new URL('https://shop.de/'), signal)).toBe(true)
  expect(await mayFetch(new URL('https://shop.de/kontakt'), signal)).toBe(false)
  expect(asked).toEqual(['/robots.txt'])
})

test('a crawl skips forbidden pages, and reports a forbidden front page', async () => {
  const part = siteWith('User-agent: *\nDisallow: /kontakt')
  expect(await crawlWebsite('https://shop.de/', { ...part, signal })).toMatchObject({ outcome: 'ok', pages: 1 })
  expect(part.asked).not.toContain('/kontakt')
  const whole = siteWith('User-agent: *\nDisallow: /')
  expect(await crawlWebsite('https://shop.de/', { ...whole, signal })).toMatchObject({ outcome: 'robots', pages: 0 })
  expect(whole.asked).toEqual(['/robots.txt'])
})

test('a host gets one request at a time, other hosts in parallel', async () => {
  const turns = createHostTurns()
  const first = Promise.withResolvers<string>()
  const order: string[] = []
  const a = turns.run('a', () => first.promise)
  const b = turns.run('a', async () => order.push('second of a'))
  await turns.run('b', async () => order.push('first of b'))
  expect(order).toEqual(['first of b'])
  first.reject(new Error('failed'))
  await expect(a).rejects.toThrow('failed')
  await b
  expect(order).toEqual(['first of b', 'second of a'])
})
