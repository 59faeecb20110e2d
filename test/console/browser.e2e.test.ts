import { expect, test } from 'vitest'
import { startConsole } from './harness/console.ts'

// What needs the engine of a browser: chunks of code and drawn maps.

const { newUser } = await startConsole()

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
