import type { Page, Route } from 'playwright'
import { expect, test } from 'vitest'
import { startConsole } from './harness/console.ts'

// What needs the engine of a browser: chunks of code, several tabs of one profile, drawn maps, bytes over the wire.

const { newUser } = await startConsole()

const MISSING = { code: 404, error: 'not_found', message: 'This path does not exist.', request_id: 'a-request' }
const refuse = (route: Route) => route.fulfill({ status: 404, json: MISSING })

test('an upgrade under an open tab loads the page anew, and then the page that was asked for is there', async () => {
  const page = await (await newUser()).openTab({ fails: /Failed to load resource|dynamically imported module/ })
  await page.goto('/console/jobs')
  await page.getByRole('link', { name: 'Credits', exact: true }).waitFor()
  await page.evaluate(`window.before = true`)
  const isGone = (url: URL) => url.pathname.includes('/assets/credits-page')
  await page.route(isGone, refuse)
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

test('the console speaks German to a German browser, remembers another choice, and follows it in other tabs', async () => {
  const user = await newUser('operator')
  const page = await user.openTab({ locale: 'de-DE' })
  const other = await page.context().newPage()
  await other.goto('/console/jobs')
  await other.getByRole('heading', { name: 'Aufträge', exact: true }).waitFor()
  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Aufträge', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Ihre Einstellungen' }).click()
  await page.getByText('English').click()
  await other.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  await page.reload()

  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['New job', 'Keys', 'Credits', 'Webhooks', 'Account', 'Fleet', 'Operations']) {
    await navigation.getByRole('link', { name, exact: true }).waitFor()
  }
})

const FIRST_LOAD_BYTES = 250 * 1024

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
