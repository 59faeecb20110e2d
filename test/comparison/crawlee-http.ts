// Crawlee's HTTP crawler with our URLs and our parsers. The comparison favours Crawlee:
// - It has the agent's concurrency, headers and cookies, so it generates no headers.
// - It has one session for all requests, and opens the front page once.
// - It uses no proxy and stores nothing on disk. Retries and scaling are the defaults.
import { Configuration, createHttpRouter, HttpCrawler, LogLevel, log } from '@crawlee/http'
import { documentHeaders, profileOf } from '@placefleet/agent/browser/browser-profile'
import { parseBody } from '@placefleet/agent/maps/answers/body'
import { parsePlacePayload } from '@placefleet/agent/maps/place/payload/payload'
import { parseSearchPayload } from '@placefleet/agent/maps/search/payload'
import { PAGE_SIZE, searchPayloadUrl } from '@placefleet/agent/maps/search/url'
import { placePayloadUrl } from '@placefleet/agent/maps/urls/place-url'
import { HTTP_CONCURRENCY, LANGUAGE, type Output, openOutput, Work } from '../bench/collect/work.ts'
import { contend } from '../bench/contender.ts'
import { CRAWLEE_SETTINGS, freshOf, giveUp, MOST_RESULTS } from './crawlee-settings.ts'

const HEADERS = { ...documentHeaders(profileOf('153.0.0.0'), LANGUAGE) }

function requestOf(label: string, url: URL, userData = {}) {
  return { label, url: url.href, headers: HEADERS, userData }
}

type SearchPage = { keyword: string; page: number }

function routerOf({ mapsBaseUrl, keywords, fast }: Work, output: Output) {
  const site = { base: new URL(mapsBaseUrl), locale: { language: LANGUAGE } }
  const searches = new Map(keywords.map((keyword) => [keyword, new Set<string>()]))
  const searchRequest = ({ keyword, page }: SearchPage) =>
    requestOf('search', searchPayloadUrl(site, { query: keyword }, page * PAGE_SIZE), {
      keyword,
      page,
    })
  const router = createHttpRouter()
  router.addHandler('front', async ({ crawler }) => {
    await crawler.addRequests(keywords.map((keyword) => searchRequest({ keyword, page: 0 })))
  })
  router.addHandler<SearchPage>('search', async ({ crawler, body, request: { userData } }) => {
    const { keyword, page } = userData
    const seen = searches.get(keyword) ?? new Set()
    const { places } = parseSearchPayload(parseBody(body.toString()))
    const fresh = freshOf(
      seen,
      places.map(({ place, whole }) => (fast ? whole().place : place)),
    )
    const next = fresh.length > 0 && seen.size < MOST_RESULTS ? [searchRequest({ keyword, page: page + 1 })] : []
    if (fast) for (const place of fresh) output.write(place)
    const pages = fast ? [] : fresh.map((place) => placePayloadUrl(site, place))
    await crawler.addRequests([...next, ...pages.map((url) => requestOf('place', url))])
  })
  router.addHandler('place', async ({ body }) => {
    const result = parsePlacePayload(parseBody(body.toString()))
    if (!result.ok) throw new Error(result.reason)
    output.write(result.place)
  })
  return router
}

await contend(Work, async (wanted) => {
  log.setLevel(LogLevel.WARNING)
  const output = openOutput(wanted.output)
  const crawler = new HttpCrawler(
    {
      requestHandler: routerOf(wanted, output),
      failedRequestHandler: giveUp,
      minConcurrency: HTTP_CONCURRENCY,
      maxConcurrency: HTTP_CONCURRENCY,
      sessionPoolOptions: { maxPoolSize: 1, sessionOptions: { maxUsageCount: 1e9 } },
      additionalMimeTypes: ['*/*'],
      preNavigationHooks: [(_context, got) => void Object.assign(got, { useHeaderGenerator: false })],
    },
    new Configuration(CRAWLEE_SETTINGS),
  )
  const work = async () => {
    await crawler.run([requestOf('front', new URL(`/maps?hl=${LANGUAGE}`, wanted.mapsBaseUrl))])
    return output.close()
  }
  return { work }
})
