import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { startConsole } from './harness/console.ts'
import { JOB_ENDS, SOON, statusOf } from './harness/waits.ts'

const { newUser } = await startConsole()

test('with a mouse: a job by map, watched, filtered, exported', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New job' }).click()
  await page.getByText('More options').click()
  await page.getByLabel('Name').fill('Bakeries by mouse')
  await page.getByLabel('Keywords').fill('bakery')
  await page.getByLabel('Max. places').fill('15')
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
  expect(Number((await page.getByLabel('Radius in metres').inputValue()).replace(/\D/g, ''))).toBeGreaterThan(23_500)
}

test('with keys alone: the same, and the circle by arrows and an exact number', async () => {
  const user = await newUser()
  const page = await user.openTab()
  const { keyboard } = page
  await page.goto('/console/')
  await page.getByRole('main').getByRole('link', { name: 'New job' }).first().waitFor() // one more while there is no job
  await tabTo(page, 'link', 'New job')
  await keyboard.press('Enter')
  await page.getByLabel('Keywords').waitFor()
  await tabTo(page, 'textbox', 'Keywords')
  await keyboard.type('cafe')
  await keyboard.press('Enter')
  await tabTo(page, 'textbox', 'Max. places')
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
  await expect.poll(() => page.getByLabel('Radius in metres').inputValue(), SOON).toMatch(/24.?400/) // that of Berlin, and a step
  expect(Number(await page.getByLabel('Latitude').inputValue())).toBeGreaterThan(52.525)
  await tabTo(page, 'textbox', 'Radius in metres')
  await keyboard.press('Control+A')
  await keyboard.type('7777')
  await tabTo(page, 'button', 'Create job')
  await keyboard.press('Enter')

  await statusOf(page).filter({ hasText: 'completed' }).waitFor(JOB_ENDS)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect((await user.client.job(id)).data).toMatchObject({ radius: 7_777 })
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
