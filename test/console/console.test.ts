import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { faultsInEachLook } from './accessibility.ts'
import { formTests } from './forms.ts'
import { startConsole } from './harness/browser.ts'
import { hostileTextTests } from './hostile.ts'
import { jobTests } from './jobs.ts'
import { loadTests } from './load.ts'
import { operatorTests } from './operators.ts'
import { pageTests } from './pages.ts'
import { signInTests } from './sign-in.ts'
import { webhookTests } from './webhooks.ts'

// All tests of the console are in this file: they share one `npm start` and one Chromium. Each signs in on its own.
const running = await startConsole()
const { product, openTab } = running

/** Machines that run these tests are busy. */
const SOON = { timeout: 10_000 }

const JOB_ENDS = { timeout: 80_000 }

const statusOf = (page: Page) => page.getByRole('status').filter({ hasText: /completed|running|pending|failed/ })

test('with a mouse: the link of npm start, first run, a job by map, watch, filter, export', async () => {
  const page = await openTab({ signedIn: false })
  await page.goto(product.startLink)
  await watchDemo(page)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New job' }).click()
  await page.getByLabel('Name').fill('Bakeries by mouse')
  await page.getByLabel('Keywords').fill('bakery')
  await page.getByLabel('Places at most').fill('15')
  await page.getByRole('combobox', { name: 'Town' }).fill('berlin')
  await page.getByRole('option', { name: /^Berlin, Germany/ }).click()
  await expect.poll(() => page.getByLabel('Latitude').inputValue(), SOON).toBe('52.52437')
  await dragEdge(page)
  await page.getByText('Your credits cover it.').waitFor()
  await page.getByRole('button', { name: 'Create job' }).click()

  await statusOf(page).filter({ hasText: 'completed' }).waitFor(JOB_ENDS)
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

/** The first page after the first sign-in: a free job of the simulated city that runs, and three steps. */
async function watchDemo(page: Page): Promise<void> {
  await page.getByText('demo: simulated city, costs nothing').first().waitFor()
  expect(page.url()).toBe(`${product.url}/console/jobs`) // without the token
  for (const name of ['Create a job', 'Create an API key', 'Get notified of finished jobs']) {
    await page.getByRole('heading', { name }).waitFor()
  }
  expect(await faultsInEachLook(page)).toEqual([])
  await page.getByRole('link', { name: /^Demo: cafés/ }).click()
  const places = page.getByRole('table', { name: 'Places of this job' })
  await places.getByRole('row').nth(1).waitFor(JOB_ENDS)
  await page.locator('.figure', { hasText: 'Spent' }).getByText('0.00', { exact: true }).waitFor()
}

/** Makes the circle on the map larger by its edge. */
async function dragEdge(page: Page): Promise<void> {
  const edge = page.getByRole('button', { name: 'Edge of the circle' })
  await edge.scrollIntoViewIfNeeded()
  const box = await edge.boundingBox()
  if (!box) throw new Error('the circle has no edge on the map')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  expect(Number((await page.getByLabel('Radius in metres').inputValue()).replace(/\D/g, ''))).toBeGreaterThan(5_500)
}

test('with keys alone: the same from another link, and the circle by arrows and an exact number', async () => {
  const page = await openTab({ signedIn: false })
  const { keyboard } = page
  await page.goto(await product.signInLink())
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
  await keyboard.type('7777')
  await tabTo(page, 'button', 'Create job')
  await keyboard.press('Enter')

  await statusOf(page).filter({ hasText: 'completed' }).waitFor(JOB_ENDS)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect((await product.client.job(id)).data).toMatchObject({ radius: 7_777 })
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

describe('signing in', () => signInTests(running))
describe('jobs', () => jobTests(running))
describe('forms', () => formTests(running))
describe('webhooks', () => webhookTests(running))
describe('operators', () => operatorTests(running))
describe('pages', () => pageTests(running))
describe('weights', () => loadTests(running))
describe('hostile texts', () => hostileTextTests(running))
