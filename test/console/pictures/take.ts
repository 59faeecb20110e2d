import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { beforeAll, test } from 'vitest'
import { openTab, startBrowser } from '../harness/browser.ts'
import { type Product, startProduct } from '../harness/product.ts'

const INTO = join(import.meta.dirname, '..', '..', '..', 'coordinator', 'console', 'pictures')

let product: Product
let browser: Browser
let job: string

beforeAll(async () => {
  product = await startProduct({ env: { RATE_SESSION: '50:200' } })
  browser = await startBrowser()
  const { client } = product
  const area = { lat: '52.52', lon: '13.405', radius: 4_000 }
  job = await client.create({ name: 'Cafés in Berlin', keywords: ['cafe', 'bakery'], max_results: 80, ...area })
  await client.ended(job, 100_000)
  for (const order of ORDERS) await client.ended(await client.create({ max_results: 15, ...order }))
  for (const name of ['Nightly import', 'CRM'])
    await client.call('POST', '/api/v1/api-keys', { name, limits: { day: '1.50' } })
  await client.call('POST', '/api/v1/webhooks', { name: 'Our CRM', url: 'https://example.com/hooks/jobs' })
})

/** Jobs that fill the lists. */
const ORDERS = [
  { name: 'Hotels without a website', keywords: ['hotel'], website_filter: 'no_website' },
  { name: 'Dentists with emails', keywords: ['dentist'], include_emails: true },
  { name: 'Gyms', keywords: ['gym'], max_reviews: 5 },
  { name: 'Bakeries with photos', keywords: ['bakery'], max_images: 3 },
]

/** Every picture with the path it shows and what must be on it. */
const PICTURES: [name: string, path: () => string, ready: (page: Page) => Promise<void>][] = [
  ['jobs', () => 'jobs', (page) => page.getByRole('link', { name: 'Cafés in Berlin' }).waitFor()],
  ['job', () => `jobs/${job}`, mapDrawn],
  ['new-job', () => `jobs/new?from=${job}`, drawCircle],
  ['keys', () => 'keys', (page) => page.getByRole('table').waitFor()],
  ['credits', () => 'credits', (page) => page.getByRole('table', { name: 'Ledger' }).waitFor()],
  ['webhooks', () => 'webhooks', (page) => page.getByRole('table').waitFor()],
  ['fleet', () => 'fleet', (page) => page.getByRole('table').waitFor()],
  ['operations', () => 'operations', (page) => page.getByRole('table').waitFor()],
]

test.each(PICTURES)('%s', async (name, path, ready) => {
  const options = { viewport: { width: 1180, height: 760 }, colorScheme: 'light' } as const
  const page = await openTab(browser, product, { as: product.ownerId, ...options })
  page.setDefaultTimeout(60_000)
  await page.goto(`/console/${path()}`)
  await ready(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(INTO, `${name}.png`), animations: 'disabled' })
})

async function mapDrawn(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Places of this job' }).waitFor()
  await page.locator('.map[data-drawn]').waitFor()
  await page.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView())
}

async function drawCircle(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Town' }).fill('Berlin')
  await page.getByRole('option', { name: /^Berlin, Germany/ }).click()
  await page.getByRole('button', { name: 'Centre of the circle' }).scrollIntoViewIfNeeded()
}
