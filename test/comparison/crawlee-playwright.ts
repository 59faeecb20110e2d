// Crawlee's Playwright crawler with our URLs and our parsers. The comparison favours Crawlee:
// - It has the agent's concurrency, Chromium, arguments and user agent.
// - It loads no pictures and blocks the same addresses, by its own blockRequests, which keeps the cache.
// - It has one browser profile with one cache and one set of cookies, and opens the front page once.
// - It uses no proxy (all our traffic passes one), makes no fingerprints, and stores nothing on disk.
// - It parses a list once, at the end. Its other settings are the defaults.
import { availableParallelism } from 'node:os'
import { Configuration, createPlaywrightRouter, LogLevel, log, PlaywrightCrawler } from '@crawlee/playwright'
import { profileOf } from '@placefleet/agent/browser/browser-profile'
import { findChromium, installedVersion } from '@placefleet/agent/browser/find-chromium'
import { parseBody } from '@placefleet/agent/maps/answers/body'
import { parsePlacePage } from '@placefleet/agent/maps/place/page'
import { parsePlacePayload } from '@placefleet/agent/maps/place/payload/payload'
import { parseFeed } from '@placefleet/agent/maps/search/drawn'
import { parseSearchPayload } from '@placefleet/agent/maps/search/payload'
import { searchPageUrl } from '@placefleet/agent/maps/search/url'
import { placePageUrl } from '@placefleet/agent/maps/urls/place-url'
import type { Page, Response } from 'playwright'
import { LANGUAGE, type Output, openOutput, Work } from '../bench/collect/work.ts'
import { contend } from '../bench/contender.ts'
import { CRAWLEE_SETTINGS, freshOf, giveUp } from './crawlee-settings.ts'

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-blink-features=AutomationControlled',
  '--blink-settings=imagesEnabled=false',
]
const EXTENSIONS = 'svg ico woff woff2 ttf otf css mp4 webm mp3 m4a ogg pdf zip'.split(' ')
const BLOCKED = [
  ...EXTENSIONS.flatMap((extension) => [`*.${extension}`, `*.${extension}?*`]),
  ...['*/maps/vt?*', '*/maps/vt/*', '*/gen_204?*'],
]

/** The payloads that each page requests by itself. */
type Payloads = {
  listen(page: Page): void
  search(page: Page): Promise<unknown[]>
  place(page: Page): Promise<unknown>
}

function createPayloads(): Payloads {
  const kept = new WeakMap<Page, { searches: Promise<string>[]; place: PromiseWithResolvers<Response> }>()
  const of = (page: Page) => {
    const payloads = kept.get(page)
    if (!payloads) throw new Error('nobody listened to this page')
    return payloads
  }
  return {
    listen(page) {
      const payloads = { searches: [] as Promise<string>[], place: Promise.withResolvers<Response>() }
      kept.set(page, payloads)
      page.on('response', (response) => {
        const { pathname, searchParams } = new URL(response.url())
        if (pathname === '/maps/preview/place') payloads.place.resolve(response)
        if (pathname === '/search' && searchParams.get('tbm') === 'map') payloads.searches.push(response.text())
      })
    },
    search: async (page) => (await Promise.all(of(page).searches)).map(parseBody),
    place: async (page) => parseBody(await (await of(page).place.promise).text()),
  }
}

function routerOf({ mapsBaseUrl, keywords, fast }: Work, output: Output, payloads: Payloads) {
  const site = { base: new URL(mapsBaseUrl), locale: { language: LANGUAGE } }
  const router = createPlaywrightRouter()
  router.addHandler('front', async ({ crawler }) => {
    const urls = keywords.map((query) => searchPageUrl(site, { query }))
    await crawler.addRequests(urls.map(({ href }) => ({ label: 'search', url: href })))
  })
  router.addHandler('search', async ({ crawler, page }) => {
    await scrollToEnd(page)
    if (fast) {
      const found = (await payloads.search(page)).flatMap((payload) => parseSearchPayload(payload).places)
      const places = found.map(({ whole }) => whole().place)
      for (const place of freshOf(new Set(), [...new Map(places.map((p) => [p.place_key, p])).values()])) {
        output.write(place)
      }
      return
    }
    const cards = parseFeed(await page.content())?.cards.filter(({ sponsored }) => !sponsored) ?? []
    const distinct = [...new Map(cards.map((card) => [card.place_key, card])).values()]
    const urls = freshOf(new Set(), distinct).map((card) => placePageUrl(site, card))
    await crawler.addRequests(urls.map(({ href }) => ({ label: 'place', url: href })))
  })
  router.addHandler('place', async ({ page, response }) => {
    const embedded = parsePlacePage((await response?.text()) ?? '').payload
    const result = parsePlacePayload(embedded ?? (await payloads.place(page)))
    if (!result.ok) throw new Error(result.reason)
    output.write(result.place)
  })
  return router
}

const CARDS = 'div[role="feed"] a[href*="/maps/place/"]'
const MORE_TO_COME = 'div[role="feed"] div.lXJj5c'
const SCROLL = `(() => { const feed = document.querySelector('div[role="feed"]');
  feed.scrollTop = feed.scrollHeight; feed.lastElementChild?.scrollIntoView() })()`

async function scrollToEnd(page: Page): Promise<void> {
  await page.waitForSelector(CARDS, { state: 'attached' })
  while ((await page.locator(MORE_TO_COME).count()) > 0) {
    const cards = await page.locator(CARDS).count()
    await page.evaluate(SCROLL)
    await page.waitForFunction(
      `document.querySelectorAll('${CARDS}').length > ${cards} || !document.querySelector('${MORE_TO_COME}')`,
    )
  }
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

await contend(Work, async (wanted) => {
  log.setLevel(LogLevel.WARNING)
  const { executablePath, env } = await findChromium()
  const output = openOutput(wanted.output)
  const pagesAtOnce = 2 * availableParallelism()
  const answers = createPayloads()
  const crawler = new PlaywrightCrawler(
    {
      requestHandler: routerOf(wanted, output, answers),
      failedRequestHandler: giveUp,
      minConcurrency: pagesAtOnce,
      maxConcurrency: pagesAtOnce,
      browserPoolOptions: { useFingerprints: false },
      launchContext: {
        launchOptions: {
          executablePath,
          env: { ...definedOf(process.env), ...env },
          chromiumSandbox: process.getuid?.() !== 0,
          args: ARGUMENTS,
          userAgent: profileOf(await installedVersion()).userAgent,
          locale: LANGUAGE,
          serviceWorkers: 'block',
          ignoreHTTPSErrors: true, // the simulated site has a certificate of its own
        },
      },
      preNavigationHooks: [
        async ({ page, blockRequests }, goto) => {
          if (goto) goto.waitUntil = 'domcontentloaded'
          answers.listen(page)
          await blockRequests({ urlPatterns: BLOCKED })
        },
      ],
    },
    new Configuration(CRAWLEE_SETTINGS),
  )
  const work = async () => {
    await crawler.run([{ label: 'front', url: new URL(`/maps?hl=${LANGUAGE}`, wanted.mapsBaseUrl).href }])
    return output.close()
  }
  return { work }
})
