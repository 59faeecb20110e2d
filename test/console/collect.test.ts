import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTab, startBrowser } from './harness/browser.ts'
import { type Product, startProduct } from './harness/product.ts'

let product: Product
let browser: Browser

beforeAll(async () => {
  product = await startProduct({ latencyMs: QUICK }) // the rate limit of a session is the real one
  browser = await startBrowser()
})

const QUICK = { min: 5, max: 15 }

/** A map site this slow answers nothing before the test has cancelled the job. */
const STUCK = { min: 60_000, max: 60_000 }

/** Machines that run these tests are busy. */
const SOON = { timeout: 10_000 }

const statusOf = (page: Page) => page.getByRole('status').filter({ hasText: /completed|running|pending|failed/ })

test('with a mouse: sign in, draw a circle, create, watch, filter, export', async () => {
  const page = await openTab(browser, product, { as: product.ownerId, viewport: { width: 1280, height: 900 } })
  await page.goto('/console/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New job' }).click()
  await page.getByLabel('Name').fill('Bakeries by mouse')
  await page.getByLabel('Keywords').fill('bakery')
  await page.getByLabel('Places at most').fill('15')
  await page.getByRole('combobox', { name: 'Town' }).fill('berlin')
  await page.getByRole('option', { name: /^Berlin, Germany/ }).click()
  await expect.poll(() => page.getByLabel('Latitude').inputValue(), SOON).toBe('52.52437')
  const edge = page.getByRole('button', { name: 'Edge of the circle' })
  await edge.scrollIntoViewIfNeeded()
  const box = await edge.boundingBox()
  if (!box) throw new Error('the circle has no edge on the map')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  expect(Number((await page.getByLabel('Radius in metres').inputValue()).replace(/\D/g, ''))).toBeGreaterThan(5_500)
  await page.getByRole('button', { name: 'Search everywhere' }).click()
  await page.getByText('Your credits cover it.').waitFor()
  await page.getByRole('button', { name: 'Create job' }).click()

  await statusOf(page).filter({ hasText: 'completed' }).waitFor({ timeout: 80_000 })
  const table = page.getByRole('table', { name: 'Places of this job' })
  await table.getByRole('row').nth(1).waitFor()
  const all = await table.getByRole('row').count()
  await page.getByText(/^own website \(/).click()
  await expect.poll(() => table.getByRole('row').count(), SOON).toBeLessThan(all)
  const shown = (await table.getByRole('row').count()) - 1

  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'JSON Lines' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(shown)
  expect(lines.every((line) => JSON.parse(line).web_presence === 'has')).toBe(true)
}, 240_000)

test('with keys alone: the same, and the circle by arrows and a number', async () => {
  const page = await openTab(browser, product, { as: product.ownerId, viewport: { width: 1280, height: 900 } })
  const { keyboard } = page
  await page.goto('/console/jobs')
  await page.getByRole('main').getByRole('link', { name: 'New job' }).first().waitFor() // one more while there is no job
  await tabTo(page, 'link', 'New job')
  await keyboard.press('Enter')
  await page.getByLabel('Name').waitFor()
  await tabTo(page, 'textbox', 'Name')
  await keyboard.type('Cafés by keys')
  await keyboard.press('Tab')
  await keyboard.type('cafe')
  await keyboard.press('Enter')
  await tabTo(page, 'textbox', 'Places at most')
  await keyboard.press('Control+A')
  await keyboard.type('15')
  await tabTo(page, 'combobox', 'Town')
  await keyboard.type('Berlin')
  await page.getByRole('option', { name: /^Berlin, Germany/ }).waitFor()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Centre of the circle' }).waitFor()
  await tabTo(page, 'button', 'Centre of the circle')
  await keyboard.press('ArrowUp')
  await keyboard.press('+')
  await expect.poll(() => page.getByLabel('Radius in metres').inputValue(), SOON).toMatch(/5.?250/)
  expect(Number(await page.getByLabel('Latitude').inputValue())).toBeGreaterThan(52.525)
  await tabTo(page, 'textbox', 'Radius in metres')
  await keyboard.press('Control+A')
  await keyboard.type('50000')
  await tabTo(page, 'button', 'Create job')
  await keyboard.press('Enter')

  await statusOf(page).filter({ hasText: 'completed' }).waitFor({ timeout: 80_000 })
  await tabTo(page, 'checkbox', 'own website')
  await keyboard.press('Space')
  await expect.poll(() => page.url(), SOON).toContain('web_presence=has')
  await tabTo(page, 'button', 'Export')
  await keyboard.press('Enter')
  const csv = page.getByRole('menuitem', { name: 'CSV' })
  await csv.waitFor()
  // The menu takes the focus a moment after it is shown; a key pressed before is lost.
  await expect.poll(() => focusedByArrow(page, csv), SOON).toBe(true)
  const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
}, 240_000)

/** Returns whether the item has the focus; if not, moves the focus one item down. */
async function focusedByArrow(page: Page, item: Locator): Promise<boolean> {
  const isFocused = (await item.and(page.locator(':focus')).count()) > 0
  if (!isFocused) await page.keyboard.press('ArrowDown')
  return isFocused
}

test('a job is cancelled, run again and deleted; a deletion can be taken back', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })
  product.site.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => product.site.site.setOptions({ latencyMs: QUICK }))
  const id = await product.client.create({ name: 'To be cancelled', keywords: ['hotel'], max_results: 500 })
  await page.goto(`/console/jobs/${id}`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor({ timeout: 80_000 })

  await page.getByRole('button', { name: 'Run again' }).click()
  await expect.poll(() => page.url(), SOON).not.toContain(id)
  await page.goto(`/console/jobs/${id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.getByRole('link', { name: 'To be cancelled' }).count(), SOON).toBe(2)
  await page.getByLabel('Status').selectOption('cancelled')
  await expect.poll(() => page.getByRole('link', { name: 'To be cancelled' }).count(), SOON).toBe(1)
}, 240_000)

test('a visible job page follows one event stream without polling; a hidden one sends no requests', async () => {
  product.site.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => product.site.site.setOptions({ latencyMs: QUICK }))
  const id = await product.client.create({ name: 'Followed', keywords: ['hotel'] })
  const page = await openTab(browser, product, { as: product.ownerId })
  await page.clock.install()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const askedIn = async (ms: number) => {
    asked.length = 0
    await page.clock.runFor(ms)
    return asked.filter((path) => path.startsWith('/api/'))
  }

  const isStream = /\/events\?/
  await Promise.all([page.waitForRequest(isStream), page.goto(`/console/jobs/${id}`)])
  await expect.poll(() => askedIn(10_000), SOON).toEqual([])

  await Promise.all([
    page.waitForEvent('requestfailed', (request) => isStream.test(request.url())),
    see(page, 'hidden'),
  ])
  expect(await askedIn(60_000)).toEqual([])

  await Promise.all([page.waitForRequest(isStream), see(page, 'visible')])
  await product.client.call('POST', `/api/v1/jobs/${id}/cancel`)
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor({ timeout: 80_000 })
}, 240_000)

test('a monitor is made of a job, gets other settings, runs at once, pauses with a reason and is deleted', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })
  const id = await product.client.create({ name: 'Watched hotels', keywords: ['hotel'], max_results: 1 })
  await page.goto(`/console/jobs/${id}`)
  await page.getByRole('link', { name: 'Monitor', exact: true }).click()
  await page.getByLabel('How often').selectOption('day')
  await page.getByLabel('Time').fill('07:30')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await page.getByText('Every day at 07:30 (Europe/Berlin)').waitFor()
  expect(await page.getByRole('list', { name: 'Next runs' }).getByRole('listitem').count()).toBe(5)
  const address = page.url()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('How often').selectOption('hours')
  await page.getByLabel('Hours between two runs').fill('1.5')
  await page.getByLabel('Last run before').fill('2020-01-01T06:00')
  await page.getByLabel('Collect only new places').check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Every 90m').waitFor()
  await page.getByText('No further run').waitFor()
  await page.getByText('Collects only places that you do not know yet').waitFor()
  await page.getByLabel('Last run before').fill('')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByRole('list', { name: 'Next runs' }).waitFor()

  await page.getByRole('button', { name: 'Run now' }).click()
  await statusOf(page).waitFor()
  expect(page.url()).toMatch(/\/console\/jobs\/[^/]+$/)

  await page.goto(`${address}?tab=runs`)
  await page.getByRole('link', { name: 'Open its job' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByLabel('Why?').fill('holidays')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await page.getByText('holidays').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('list', { name: 'Next runs' }).waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No monitors yet').waitFor()
})

test('an error of the API is shown at its field', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })
  await page.goto('/console/jobs/new')
  await page.getByLabel('Latitude').fill('95')
  await page.getByText('More options').click()
  await page.getByLabel('Credits at most').fill('-1')
  await page.getByRole('button', { name: 'Create job' }).click()

  await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid'), SOON).toBe('true')
  expect(await page.getByLabel('Latitude').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Credits at most').getAttribute('aria-invalid')).toBe('true')
})

test('a key gets spending limits and others later, and the error of a wrong amount is shown at its field', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })
  await page.goto('/console/keys')
  const day = page.getByLabel('Credits a day at most')
  await page.getByLabel('What is the key for?').fill('Assistant')
  await day.fill('much')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect.poll(() => day.getAttribute('aria-invalid'), SOON).toBe('true')

  await day.fill('1.5')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByRole('row', { name: /Assistant.*1\.50 a day/ }).waitFor()
  await page.getByRole('button', { name: 'Change the limits of Assistant' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Credits a day at most').fill('')
  await dialog.getByLabel('Credits a month at most').fill('20')
  await dialog.getByRole('button', { name: 'Save limits' }).click()

  await page.getByRole('row', { name: /Assistant.*20\.00 a month/ }).waitFor()
})

test('a webhook is registered with chosen events, and gets others later', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })
  await page.goto('/console/webhooks')
  await page.getByLabel('Name').fill('Alarms')
  await page.getByLabel('URL').fill('https://example.com/alarms')
  const types = page.getByRole('group', { name: 'Events' })
  await types.getByLabel('monitor.paused').check()
  await types.getByLabel('job.completed').uncheck()
  await page.getByRole('button', { name: 'Register webhook' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByRole('link', { name: 'Alarms' }).click()
  await types.getByLabel('job.failed').uncheck()
  await types.getByLabel('job.cancelled').uncheck()
  await page.getByRole('button', { name: 'Save events' }).click()
  await page.getByText('The events are saved').waitFor()
  await page.reload()
  await types.getByRole('checkbox').first().waitFor()
  expect(await types.getByRole('checkbox', { checked: true }).count()).toBe(1)
  expect(await types.getByLabel('monitor.paused').isChecked()).toBe(true)
})

/** Shows or hides the tab, as another tab in front of it does. */
const see = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

/** Presses Tab until an element of this role and name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, role: 'link' | 'button' | 'textbox' | 'combobox' | 'checkbox', name: string) {
  const wanted = page.getByRole(role, { name })
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    const focused = await wanted.and(page.locator(':focus')).count()
    if (focused) return
  }
  throw new Error(`Tab does not reach the ${role} ${name}`)
}
