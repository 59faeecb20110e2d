import type { Locator, Page, Request } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { polygon, square } from '../shared/area/shapes.ts'
import { QUICK, startConsole } from './harness/console.ts'
import type { User } from './harness/user.ts'
import { JOB_ENDS, SOON } from './harness/waits.ts'

// What needs the engine of a browser: chunks of code, streams of events, hidden tabs, bytes over the wire, drawn maps.

const { city, newUser } = await startConsole()

/** A map site this slow answers nothing before the test has cancelled the job. */
const STUCK = { min: 60_000, max: 60_000 }

const FIRST_LOAD_BYTES = 250 * 1024

const MISSING = { code: 404, error: 'not_found', message: 'This path does not exist.', request_id: 'a-request' }

test('an upgrade under an open tab loads the page anew, and then the page that was asked for is there', async () => {
  const page = await (await newUser()).openTab({ fails: /Failed to load resource|dynamically imported module/ })
  await page.goto('/console/jobs')
  await page.getByRole('link', { name: 'Credits', exact: true }).waitFor()
  await page.evaluate(`window.before = true`)
  const isGone = (url: URL) => url.pathname.includes('/assets/credits-page')
  await page.route(isGone, (route) => route.fulfill({ status: 404, json: MISSING }))
  page.once('domcontentloaded', () => void page.unroute(isGone)) // the new build has it

  await page.getByRole('link', { name: 'Credits', exact: true }).click()

  await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor()
  expect(await page.evaluate(`window.before`)).toBeUndefined()
})

test('a map style that is down is replaced by the built-in map', async () => {
  const page = await (await newUser()).openTab({ fails: /Failed to load resource/ })
  await page.route('**/console/jobs/new', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      '<meta name="map-style-url" content=""',
      '<meta name="map-style-url" content="/console/missing.json"',
    )
    await route.fulfill({ response, body })
  })
  await page.goto('/console/jobs/new')
  await page.getByText('this is the built-in one').waitFor()
  await page.locator('.map[data-drawn]').waitFor()
})

test('a place that is chosen on the map opens with its reviews, as one of the table does', async () => {
  const user = await newUser()
  const id = await user.client.create({ name: 'One', keywords: ['hotel'], max_results: 1, max_reviews: 2 })
  await user.client.ended(id)
  const page = await user.openTab()
  await page.goto(`/console/jobs/${id}`)
  const map = page.locator('.map[data-drawn]')
  await map.waitFor()
  const details = page.getByRole('dialog', { name: 'Details of the place' })
  await expect.poll(() => openedByMap(map, details), SOON).toBe(true) // its only place is in the middle
  await details.getByRole('heading', { name: /^Reviews/ }).waitFor()
  await page.getByRole('button', { name: 'Close details' }).click()
  await details.waitFor({ state: 'hidden' })
  await page.getByRole('table', { name: 'Places of this job' }).getByRole('button').first().click()
  await details.waitFor()
})

/** Clicks into the middle of the map unless the details are open. Returns whether they are. */
async function openedByMap(map: Locator, details: Locator): Promise<boolean> {
  if (await details.isVisible()) return true
  await map.click()
  return details.isVisible()
}

test('before its first place a job shows the parts of its area that it has searched', async () => {
  const user = await newUser()
  city.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => city.site.setOptions({ latencyMs: QUICK }))
  const area = { lat: '52.52', lon: '13.405', radius: 5_000 }
  const id = await user.client.create({ name: 'Wide', keywords: ['hotel'], max_results: 100, ...area })
  const page = await user.openTab()
  const part = {
    type: 'Feature',
    geometry: polygon(square(13.3, 52.4, 0.2)),
    properties: { keyword: 'hotel', state: 'searched', divided: false },
  }
  await page.route('**/coverage?format=geojson', (route) =>
    route.fulfill({ json: { type: 'FeatureCollection', features: [part] } }),
  )
  await page.goto(`/console/jobs/${id}`)
  await page.getByText('No places yet').waitFor()
  await page.locator('.map[data-drawn]').waitFor()
  await page.getByText('searched', { exact: true }).waitFor()
})

test('a list of jobs shows a change within two seconds, and asks at most that often; a visible job page follows one event stream, a hidden tab does neither', async () => {
  const user = await newUser()
  const id = await stuckJob(user, 'Followed')
  const changed = await user.client.create({ name: 'Changed', keywords: ['hotel'] })
  const page = await user.openTab()
  await page.clock.install()
  await page.goto('/console/jobs')
  await page.getByRole('row', { name: /^Changed .*(pending|running)/ }).waitFor()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  const asked = requestsOf(page)

  await user.client.call('POST', `/api/v1/jobs/${changed}/cancel`)
  await user.client.ended(changed)
  await asked.in(2_400)
  await page.getByRole('row', { name: /^Changed .*cancelled/ }).waitFor()
  const polls = (await asked.in(10_000)).filter((path) => path === '/api/v1/jobs')
  expect(polls.length).toBeGreaterThanOrEqual(4)
  expect(polls.length).toBeLessThanOrEqual(5)

  await page.clock.resume()
  const isStream = /\/events\?/
  await Promise.all([page.waitForRequest(isStream), page.getByRole('link', { name: 'Followed' }).click()])
  await expect.poll(() => asked.in(4_000), SOON).toEqual([])

  await Promise.all([
    page.waitForEvent('requestfailed', (request) => isStream.test(request.url())),
    see(page, 'hidden'),
  ])
  expect(await asked.in(60_000, 60_000)).toEqual([])

  await Promise.all([page.waitForRequest(isStream), see(page, 'visible')])
  await user.client.call('POST', `/api/v1/jobs/${id}/cancel`)
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor(JOB_ENDS)
}, 240_000)

test('the first page loads at most 250 KB of scripts and styles, and neither map nor chart', async () => {
  const user = await newUser()
  const page = await user.openTab()

  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()

  const files = await loaded(page)
  expect(files.length).toBeGreaterThan(1)
  expect(files.filter(({ name }) => /map|chart/.test(name))).toEqual([])
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
})

/** The bytes of scripts and styles that went over the wire for the present page. */
async function loaded(page: Page): Promise<{ name: string; bytes: number }[]> {
  return page.evaluate(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => /\\.(m?js|css)$/.test(name))
      .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`,
  )
}

/** Creates a job that gets no answer of the map site until the end of the test. */
async function stuckJob({ client }: User, name: string): Promise<string> {
  city.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => city.site.setOptions({ latencyMs: QUICK }))
  return client.create({ name, keywords: ['hotel'], max_results: 500 })
}

/** Collects the calls of the API that a page makes while its clock is set forward. */
function requestsOf(page: Page) {
  const asked: string[] = []
  const unanswered = new Set<Request>()
  const isCall = (request: Request) => /^\/api\/(?!.*\/events$)/.test(new URL(request.url()).pathname)
  page.on('request', (request) => {
    if (!isCall(request)) return
    unanswered.add(request)
    asked.push(new URL(request.url()).pathname)
  })
  page.on('requestfinished', (request) => unanswered.delete(request))
  page.on('requestfailed', (request) => unanswered.delete(request))
  return {
    /** The answers arrive at the time of the page at which they were asked for, however busy the machine is. */
    async in(ms: number, stepMs = STEP_MS): Promise<string[]> {
      asked.length = 0
      for (let passed = 0; passed < ms; passed += stepMs) {
        await page.clock.runFor(stepMs)
        await expect.poll(() => unanswered.size, SOON).toBe(0)
      }
      return [...asked]
    },
  }
}

const STEP_MS = 200

/** Shows or hides the tab, as another tab in front of it does. */
const see = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
