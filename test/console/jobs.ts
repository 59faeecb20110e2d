import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Locator, Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import type { RunningConsole } from './harness/browser.ts'
import { type Product, QUICK } from './harness/product.ts'

/** A map site this slow answers nothing before the test has cancelled the job. */
const STUCK = { min: 60_000, max: 60_000 }

/** Machines that run these tests are busy. */
const SOON = { timeout: 10_000 }

const JOB_ENDS = { timeout: 80_000 }

/** Tests of the list of jobs, the page of one, and the form of a new one. */
export function jobTests({ product, openTab }: RunningConsole): void {
  test('a job is cancelled, run again and deleted; a deletion can be taken back', async () => {
    const page = await openTab()
    const id = await stuckJob(product, 'To be cancelled')
    await page.goto(`/console/jobs/${id}`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor(JOB_ENDS)

    await page.getByRole('button', { name: 'Run again' }).click()
    await expect.poll(() => page.url(), SOON).not.toContain(id)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor(JOB_ENDS)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    const found = page.getByRole('link', { name: 'To be cancelled' })
    await expect.poll(() => found.count(), SOON).toBe(2)

    await page.getByRole('button', { name: 'Actions for To be cancelled' }).first().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect.poll(() => found.count(), SOON).toBe(1)
    await page.goto('/console/jobs?search=to+be+cancelled') // who leaves the page no longer undoes
    await page.getByText('1 job', { exact: true }).waitFor()
    await page.getByLabel('Status').selectOption('running')
    await page.getByText('No job matches').waitFor()
    await page.reload()
    await page.getByText('No job matches').waitFor()
  }, 240_000)

  test('a blocked job says until when it waits', async () => {
    product.site.site.setOptions({ blocked: 'everyone' })
    onTestFinished(() => product.site.site.setOptions({ blocked: [] }))
    const proxies = [product.site.proxy.url] // so that the agent's own address need not rest
    const id = await product.client.create({ name: 'Blocked', keywords: ['hotel'], max_results: 5, proxies })
    const page = await openTab()
    await page.goto(`/console/jobs/${id}`)
    await page.getByText(/^Blocked by the map site until \d\d:\d\d\./).waitFor(JOB_ENDS)
    await product.client.call('POST', `/api/v1/jobs/${id}/cancel`)
  }, 240_000)

  test('a place that is chosen on the map opens with its reviews, as one of the table does', async () => {
    const id = await product.client.create({ name: 'One', keywords: ['hotel'], max_results: 1, max_reviews: 2 })
    await product.client.ended(id)
    const page = await openTab()
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

  test('lists poll at most every two seconds, a visible job page follows one event stream, a hidden tab does neither', async () => {
    const id = await stuckJob(product, 'Followed')
    const page = await openTab()
    await page.clock.install()
    const asked = requestsOf(page)

    await page.goto('/console/jobs')
    await page.getByRole('link', { name: 'Followed' }).waitFor()
    const polls = (await asked.in(10_000)).filter((path) => path === '/api/v1/jobs')
    expect(polls.length).toBeLessThanOrEqual(5)

    const isStream = /\/events\?/
    await Promise.all([page.waitForRequest(isStream), page.getByRole('link', { name: 'Followed' }).click()])
    await expect.poll(() => asked.in(10_000), SOON).toEqual([])

    await Promise.all([
      page.waitForEvent('requestfailed', (request) => isStream.test(request.url())),
      see(page, 'hidden'),
    ])
    expect(await asked.in(60_000)).toEqual([])

    await Promise.all([page.waitForRequest(isStream), see(page, 'visible')])
    await product.client.call('POST', `/api/v1/jobs/${id}/cancel`)
    await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor(JOB_ENDS)
  }, 240_000)

  test('an error of the API is shown at its field, and an error of no field beside the button', async () => {
    const page = await openTab()
    await page.goto('/console/jobs/new')
    await page.getByLabel('Latitude').fill('95')
    await page.getByText('More options').click()
    await page.getByLabel('Credits at most').fill('-1')
    await page.getByRole('button', { name: 'Create job' }).click()

    await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid'), SOON).toBe('true')
    expect(await page.getByLabel('Latitude').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Credits at most').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('alert').count()).toBe(0)
    const command = page.getByRole('region', { name: 'The job as a placefleet command' })
    await command.getByText("--max-cost '-1'").waitFor()

    const id = await product.client.create({ name: 'Of an older version', keywords: ['hotel'], max_results: 1 })
    await product.client.ended(id)
    await jobsOf(product.db).updateOne({ _id: id }, { $set: { 'data.country': 'nowhere' } })
    for (const [path, button] of [
      ['jobs/new', 'Create job'],
      ['monitors/new', 'Create monitor'],
    ] as const) {
      await page.goto(`/console/${path}?from=${id}`)
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('alert').filter({ hasText: 'country' }).waitFor()
    }
  })
}

/** Clicks into the middle of the map unless the details are open. Returns whether they are. */
async function openedByMap(map: Locator, details: Locator): Promise<boolean> {
  if (await details.isVisible()) return true
  await map.click()
  return details.isVisible()
}

/** Creates a job that gets no answer of the map site until the end of the test. */
async function stuckJob(product: Product, name: string): Promise<string> {
  product.site.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => product.site.site.setOptions({ latencyMs: QUICK }))
  return product.client.create({ name, keywords: ['hotel'], max_results: 500 })
}

/** Collects the calls of the API that a page makes while its clock, which stands still otherwise, goes on. */
function requestsOf(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  return {
    async in(ms: number): Promise<string[]> {
      asked.length = 0
      await page.clock.runFor(ms)
      return asked.filter((path) => path.startsWith('/api/'))
    },
  }
}

/** Shows or hides the tab, as another tab in front of it does. */
const see = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
