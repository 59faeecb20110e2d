import type { Locator } from 'playwright'
import { expect, test } from 'vitest'
import { startConsole } from './harness/console.ts'
import { SOON } from './harness/waits.ts'

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
