import type { Browser, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { openTab, startBrowser } from './harness/browser.ts'
import { type Product, startProduct } from './harness/product.ts'

const FIRST_LOAD_BYTES = 250 * 1024

let product: Product
let browser: Browser

beforeAll(async () => {
  product = await startProduct({ places: 1_440 })
  browser = await startBrowser()
})

/** The bytes of scripts and styles that went over the wire for the present page. */
async function loaded(page: Page): Promise<{ name: string; bytes: number }[]> {
  return page.evaluate(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => /\\.(m?js|css)$/.test(name))
      .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`,
  )
}

test('the first page loads at most 250 KB of scripts and styles, and no map', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })

  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()

  const files = await loaded(page)
  expect(files.length).toBeGreaterThan(1)
  expect(files.filter(({ name }) => name.includes('map'))).toEqual([])
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
})

test('all 500 places of a job can be reached', async () => {
  const keywords = ['bakery', 'cafe', 'hotel', 'dentist', 'gym']
  const id = await product.client.create({ name: 'Large', keywords, max_results: 500, depth: 20 })
  const { result_count } = await product.client.ended(id, 90_000)
  const page = await openTab(browser, product, { as: product.ownerId, viewport: { width: 1280, height: 900 } })

  await page.goto(`/console/jobs/${id}`)

  await page.getByText(new RegExp(`1 to 50 of ${result_count} places`)).waitFor()
  await page.getByRole('button', { name: `Page ${Math.ceil(result_count / 50)}` }).click()
  await page.getByText(new RegExp(`to ${result_count} of ${result_count} places`)).waitFor()
}, 120_000)
