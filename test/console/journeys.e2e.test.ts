import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceLoginsOf } from '@placefleet/coordinator/auth/documents'
import type { Locator, Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { placefleet } from '../coordinator/clients/terminal.ts'
import { SCAN } from '../harness/servers/scan.ts'
import { until } from '../harness/until.ts'
import { points, polygon, square } from '../shared/area/shapes.ts'
import { startConsole } from './harness/console.ts'
import { JOB_ENDS, SOON, statusOf } from './harness/waits.ts'

const { db, url, stripeUrl, newUser } = await startConsole()

const JobData = z.object({ name: z.string(), data: z.looseObject({}) })

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

test('on a phone a refused form leads to its first fault, and a fault goes when it is mended', async () => {
  const user = await newUser()
  const page = await user.openTab({ viewport: { width: 360, height: 740 } })
  const fault = page.getByText('Enter one to five keywords')
  const proxies = page.getByLabel('Your own proxies')
  const create = page.getByRole('button', { name: 'Create job' })
  await page.goto('/console/jobs/new')
  await create.click()
  await page.getByRole('alert').filter({ hasText: '1 field needs a correction.' }).waitFor()
  await fault.waitFor()
  await expectFocusInView(page)
  await page.keyboard.type('hotel')
  await page.keyboard.press('Enter')
  await expect.poll(() => fault.count(), SOON).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)

  await page.locator('summary').first().click()
  await proxies.fill('much')
  await page.locator('summary').first().click()
  await create.click()
  await expect.poll(() => proxies.getAttribute('aria-invalid'), SOON).toBe('true')
  await expectFocusInView(page) // in the options, which it opens
  await proxies.fill('')
  expect(await page.locator('[aria-invalid=true]').count()).toBe(0)
  await create.click()
  await page.getByRole('heading', { name: 'hotel', exact: true }).waitFor() // the name is the keyword
})

/** Expects that a field which is marked as wrong has the focus and can be seen. */
async function expectFocusInView(page: Page): Promise<void> {
  const focused = page.locator('[aria-invalid=true]:focus')
  await focused.waitFor()
  const box = await focused.boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
}

test('credits are bought at Stripe and are there after the return', async () => {
  const user = await newUser()
  const page = await user.openTab({ visits: stripeUrl })
  await page.goto('/console/credits')
  await page.getByLabel('Credits', { exact: true }).fill('40')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('40.00 USD').waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()

  await page.getByText('Your payment arrived').waitFor()
  await page.locator('.figure', { hasText: 'Bought in total' }).getByText('40.00').waitFor()
  await page
    .getByRole('table', { name: 'Ledger' })
    .getByRole('row', { name: /bought.*\+40\.00/ })
    .waitFor()
})

/** Drops a file on an element. */
async function drop(page: Page, target: Locator, { name, text }: { name: string; text: string }): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
    return transfer
  })()`)
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
}

test('a shape is drawn and edited on the map, and a GeoJSON file dropped on it replaces it', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/jobs/new')
  await page.getByLabel('Keywords').fill('bakery')
  await page.keyboard.press('Enter')
  const map = page.locator('.map[data-drawn]')
  await map.waitFor()
  await page.getByRole('button', { name: 'Draw a shape' }).click()
  await map.scrollIntoViewIfNeeded()
  for (const [x, y] of square(100, 100, 200)) await map.click({ position: { x, y } })
  await page.getByText('A shape with 5 positions').waitFor()
  const drawn = await createdArea(page, user)
  expect(drawn.coordinates[0]).toHaveLength(5)

  await page.goto(`/console/jobs/new?from=${drawn.id}`)
  await map.waitFor()
  const corner = page.getByRole('button', { name: /corner 1/i })
  await corner.focus()
  await page.keyboard.press('ArrowUp')
  const edited = await createdArea(page, user)
  const [[first = [], ...others] = []] = edited.coordinates
  const [[before = [], ...same] = []] = drawn.coordinates
  expect(first[0]).toBeCloseTo(before[0] ?? 0)
  expect(first[1]).toBeGreaterThan(before[1] ?? 90)
  expect(others.slice(0, -1)).toEqual(same.slice(0, -1))

  await page.goto(`/console/jobs/new?from=${edited.id}`)
  await map.waitFor()
  const geometry = polygon(square(13, 52, 0.5), points('13.1 52.1, 13.2 52.1, 13.2 52.2'))
  const feature = { type: 'Feature', properties: {}, geometry }
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
  await drop(page, map, { name: 'berlin.geojson', text: '{"type":"Point","coordinates":[1,2]}' })
  await page.getByText('The file cannot be used').waitFor()
  await drop(page, map, { name: 'berlin.geojson', text })
  await page.getByText('A shape with 9 positions').waitFor()
  expect((await createdArea(page, user)).coordinates).toEqual(geometry.coordinates)
})

/** Creates the job of the form. Returns its id and the area that it has. */
async function createdArea(page: Page, user: Awaited<ReturnType<typeof newUser>>) {
  await page.getByRole('button', { name: 'Create job' }).click()
  await statusOf(page).waitFor()
  const id = page.url().split('/').at(-1) ?? ''
  const { data } = JobData.parse((await user.client.call('GET', `/api/v1/jobs/${id}`)).body)
  const Area = z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(z.array(z.number()))) })
  return { id, ...Area.parse(data.area) }
}

test('`placefleet login` gets a key once its pairing code is approved in the console', async () => {
  const user = await newUser()
  const HOME = mkdtempSync(join(tmpdir(), 'placefleet-login-'))
  onTestFinished(() => rmSync(HOME, { recursive: true }))
  const login = placefleet(['login', '--url', url], { HOME })
  const waiting = await until('a program waits', async () => await deviceLoginsOf(db).findOne({ kind: 'device' }, SCAN))
  const page = await user.openTab()

  await page.goto('/console/connect')
  await page.getByLabel('The code that the program shows').fill(waiting.user_code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The program is connected').waitFor()

  const { code, err } = await login
  expect(code).toBe(0)
  expect(err).toContain(`${url}/console/connect?code=${waiting.user_code}`)
  expect(await placefleet(['credits'], { HOME })).toMatchObject({ code: 0, out: expect.stringContaining('balance') })
})
