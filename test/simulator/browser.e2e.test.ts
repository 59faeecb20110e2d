import { findChromium } from '@placefleet/agent/browser/find-chromium'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ownChromium } from '../harness/chromiums.ts'
import { mapSite, placeWith } from './asking.ts'

let browser: Browser

beforeAll(async () => {
  const { executablePath, env } = await findChromium({ env: ownChromium() })
  browser = await chromium.launch({
    executablePath,
    env: { PATH: process.env.PATH ?? '', ...env },
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', '--disable-dev-shm-usage'],
  })
})

afterAll(() => browser?.close())

async function newPage(): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  return page
}

const FEED_AT_END = `(() => {
  const feed = document.querySelector('div[role="feed"]')
  feed.scrollTop = feed.scrollHeight
  return !feed.querySelector('.lXJj5c') && feed.querySelector('p.fontBodyMedium > span > span.HlvSq') !== null
})()`

const scrollToEnd = (page: Page) => page.waitForFunction(FEED_AT_END, undefined, { polling: 30 })

const keysShown = (page: Page) =>
  page
    .locator('div[role="feed"] a[href*="/maps/place/"]')
    .evaluateAll((links) => links.map((link) => /!1s(0x\w+:0x\w+)/.exec(link.getAttribute('href') ?? '')?.[1] ?? ''))

const MODES: Partial<SiteOptions>[] = [
  {},
  { limited: true },
  { ads: true },
  { blockPlainHttp: true, envelope: 'list' },
  { pageState: 'absent', decoys: true, similar: true },
  { pageState: 'late', consentElsewhere: true },
]

test.each(MODES)('the feed shows ten cards, then all when scrolled to its end: %j', async (options) => {
  const site = await mapSite(options, 300)
  const page = await newPage()
  await page.goto(`${site.url}/maps/search/bakeries/@52.5,13.4,14z?hl=de`)
  await page.waitForSelector('div.Nv2PK')
  expect((await page.locator('div.Nv2PK').count()) - (options.ads ? 2 : 0)).toBe(10)
  expect(await page.locator('.lXJj5c').count()).toBe(1)
  await scrollToEnd(page)
  expect([...new Set(await keysShown(page))].sort()).toEqual(site.city.keysOf('bakery', { lat: 52.5, lon: 13.4 }))
  expect(await page.locator('button[aria-label*="eingeschränkten"]').count()).toBe(options.limited ? 1 : 0)
  expect(site.requests().refused.blocked).toEqual({})
})

test.each([
  ['embed', 'inline'],
  ['embed', 'keyed'],
  ['embed', 'absent'],
  ['request', 'late'],
] as const)(
  'a place page that may %s its payload shows its facts, its state being %s',
  async (placePages, pageState) => {
    const site = await mapSite({ placePages, pageState })
    const index = placeWith(
      site,
      ({ rating, address, phone, web, schedule }) =>
        (rating?.perStar &&
          rating.count > 20 &&
          address &&
          phone &&
          web.url &&
          !web.listedAs &&
          schedule.kind === 'weekly') === true,
    )
    const truth = site.city.place(index)
    const page = await newPage()
    await page.goto(`${site.url}/maps/place/x/data=!4m2!3m1!1s${truth.place_key}!10m1!1e1?hl=en`)
    await page.waitForSelector('h1.DUwDvf')
    expect(await page.locator('h1.DUwDvf').textContent()).toBe(truth.title)
    expect(await page.locator('[data-item-id="address"]').getAttribute('aria-label')).toBe(`Address: ${truth.address} `)
    expect(await page.locator('a[data-item-id="authority"]').getAttribute('href')).toBe(truth.website)
    expect(await page.locator('[data-item-id^="phone:tel:"]').textContent()).toBe(truth.phone)
    expect(await page.locator('table.eK4R0e tr.y0skZc').count()).toBe(7)
    expect(await page.locator('div.jftiEf[data-review-id]').count()).toBe(3)
    expect(await page.locator('.F7nice span[aria-hidden="true"]').textContent()).toBe(truth.rating?.toFixed(1))
  },
)

test('"More reviews" opens a list that grows when scrolled', async () => {
  const site = await mapSite()
  const index = placeWith(site, ({ rating }) => (rating?.perStar && rating.count > 25 && rating.count < 60) === true)
  const page = await newPage()
  await page.goto(`${site.url}/maps/place/x/data=!4m2!3m1!1s${site.city.details(index).ids.dataId}!10m1!1e1?hl=en`)
  await page.locator('button[aria-label^="More reviews"]').click()
  const wanted = site.city.reviews(index).map(({ id }) => id)
  const grown = `(() => {
    for (const element of document.querySelectorAll('.DxyBCb')) element.scrollTop = element.scrollHeight
    return document.querySelectorAll('div.jftiEf').length === ${wanted.length}
  })()`
  await page.waitForFunction(grown, undefined, { polling: 30 })
  const shown = await page
    .locator('div.jftiEf')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-review-id')))
  expect(shown).toEqual(wanted)
})

test('a search with one match turns into the place', async () => {
  const site = await mapSite()
  const { title, ids } = site.city.details(17)
  const page = await newPage()
  await page.goto(`${site.url}/maps/search/${encodeURIComponent(title)}?hl=en`)
  await page.waitForURL(/\/maps\/place\//)
  expect(page.url()).toContain(`!1s${ids.dataId}!`)
  await page.waitForSelector('h1.DUwDvf')
  expect(await page.locator('h1.DUwDvf').textContent()).toBe(title)
})

test('a search without a match says so', async () => {
  const site = await mapSite()
  const page = await newPage()
  await page.goto(`${site.url}/maps/search/submarine?hl=en`)
  await page.waitForSelector("text=Google Maps can't find submarine")
  expect(await page.locator('div[role="feed"]').count()).toBe(0)
})

test.each([
  ['the site', '/consent/m'],
  ['an origin of its own', '/m'],
])('rejecting all cookies on %s leads back to the search', async (_, path) => {
  const site = await mapSite({ consent: true, consentElsewhere: path === '/m' })
  const page = await newPage()
  await page.goto(`${site.url}/maps/search/gym?hl=fr`)
  expect(new URL(page.url()).pathname).toBe(path)
  await page.locator('form:has(input[name="set_eom"][value="true"]) button').first().click()
  await page.waitForSelector('div[role="feed"]')
  expect(page.url()).toBe(`${site.url}/maps/search/gym?hl=fr`)
})

test('the cookies of a browser bring whole payloads to plain requests', async () => {
  const site = await mapSite({ trimPlainHttp: true })
  const page = await newPage()
  await page.goto(`${site.url}/maps/search/gym?hl=en`)
  await page.waitForSelector('div[role="feed"]')
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const address = `${site.url}/maps/preview/place?pb=!1m1!1s${site.city.details(0).ids.dataId}`
  const sizeOf = async (headers: Record<string, string> = {}) =>
    (await (await fetch(address, { headers })).text()).length
  expect(await sizeOf({ cookie })).toBeGreaterThan(await sizeOf())
})
