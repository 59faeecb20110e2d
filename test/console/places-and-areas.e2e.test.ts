import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startConsole } from './harness/console.ts'
import { JOB_ENDS, SOON, statusOf } from './harness/waits.ts'

const { newUser, city } = await startConsole()
const ids = (index: number) => city.city.details(index).ids

const JobData = z.object({ name: z.string(), data: z.looseObject({}) })

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

test('places are pasted, or dropped as a table whose column is chosen, and collected without a keyword', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/jobs/new')
  const field = page.getByLabel('Links and ids')
  await field.fill(`${ids(0).dataId}\nthe bakery`)
  await page.getByText('This names no place: the bakery').waitFor()

  const rows = [1, 2, 3].map((n) => `"Shop; ${n}";${ids(n).placeId};${n}`)
  await drop(page, field, { name: 'shops.csv', text: ['Name;Where;No', ...rows, 'Other;none;4'].join('\r\n') })
  const column = page.getByLabel('Column of the places')
  await expect.poll(() => field.inputValue(), SOON).toBe('')
  await column.selectOption('Where')
  await page.getByText('3 places. 1 row names no place and is left out: 5.').waitFor()
  expect(await field.inputValue()).toBe([1, 2, 3].map((n) => ids(n).placeId).join('\n'))
  await page.getByText('Your credits cover it.').waitFor()
  await page.getByRole('button', { name: 'Create job' }).click()

  await statusOf(page).filter({ hasText: 'completed' }).waitFor(JOB_ENDS)
  const { body } = await user.client.call('GET', `/api/v1/jobs/${page.url().split('/').at(-1)}`)
  const places = [1, 2, 3].map((n) => ids(n).placeId)
  expect(body).toMatchObject({ name: `${places[0]} +2`, result_count: 3, data: { places, max_results: 3 } })

  await page.goto(`/console/jobs/new?from=${page.url().split('/').at(-1)}`)
  await expect.poll(() => field.inputValue(), SOON).toBe(places.join('\n'))
})

test('more than 1,000 places become several jobs, or several monitors', async () => {
  const user = await newUser()
  const page = await user.openTab()
  const places = Array.from({ length: 1_001 }, (_, n) => `0x1:0x${(n + 1).toString(16)}`)
  for (const [form, button, list] of [
    ['jobs/new', 'Create job', 'jobs'],
    ['monitors/new', 'Create monitor', 'monitors'],
  ] as const) {
    await page.goto(`/console/${form}`)
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(`data id,x\n${places.join(',1\n')}`) }
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'CSV file' }).click()
    await (await chooser).setFiles(file)
    await page.getByText('1,001 places. They become 2 jobs').waitFor()
    if (form === 'jobs/new') await page.getByText('More options').click()
    await page.getByLabel('Name', { exact: true }).fill('checked again')
    await page.getByRole('button', { name: button }).click()
    await page.getByText('checked again (2 of 2)').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/${list}`)
  }
})

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
  for (const position of [
    { x: 100, y: 100 },
    { x: 300, y: 100 },
    { x: 300, y: 300 },
    { x: 100, y: 300 },
  ])
    await map.click({ position })
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
  const hole = [
    [13.1, 52.1],
    [13.2, 52.1],
    [13.2, 52.2],
    [13.1, 52.1],
  ]
  const coordinates = [[[13, 52], [13.5, 52], [13.5, 52.5], [13, 52.5], [13, 52]], hole] // biome-ignore format: short
  const feature = { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } }
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
  await drop(page, map, { name: 'berlin.geojson', text: '{"type":"Point","coordinates":[1,2]}' })
  await page.getByText('The file cannot be used').waitFor()
  await drop(page, map, { name: 'berlin.geojson', text })
  await page.getByText('A shape with 9 positions').waitFor()
  expect((await createdArea(page, user)).coordinates).toEqual(coordinates)
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
