import { AxeBuilder } from '@axe-core/playwright'
import { changesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { runId, runsOf } from '@placefleet/coordinator/monitors/documents'
import type { Browser, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { openTab, startBrowser } from './harness/browser.ts'
import { type Product, startProduct } from './harness/product.ts'

let product: Product
let browser: Browser
let job: string
let place: number
let webhook: string
let monitor: string

beforeAll(async () => {
  product = await startProduct({ env: { RATE_SESSION: '50:200' } }) // many pages in a row, each opened anew
  browser = await startBrowser()
  const { client } = product
  const area = { lat: '52.52', lon: '13.405', radius: 4_000 }
  job = await client.create({ name: 'Bakeries', keywords: ['bakery'], max_results: 30, max_reviews: 3, ...area })
  const made = await client.call('POST', '/api/v1/webhooks', { name: 'Our CRM', url: 'https://example.com/hook' })
  webhook = (made.body as { id: string }).id
  monitor = await monitorWithHistory()
  await client.ended(job)
  place = (await client.places(job))[0]?.id ?? 0
})

/** Creates a monitor, with a run that was skipped and a change that a run found. */
async function monitorWithHistory(): Promise<string> {
  const request = { name: 'Bakeries', keywords: ['bakery'], language: 'en' }
  const watch = { name: 'Bakeries each week', schedule: { cron: '0 6 * * 1', timezone: 'Europe/Berlin' }, job: request }
  const { id: monitor_id } = (await product.client.call('POST', '/api/v1/monitors', watch)).body as { id: string }
  const at = new Date()
  await runsOf(product.db).insertOne({ _id: runId(monitor_id, at), monitor_id, at, state: 'skipped_overlap' })
  await changesOf(product.db).insertOne({
    ...{ monitor_id, sequence: 1, place_key: '0x1:0x2', title: 'Bakery Schmidt', job_id: job, run_at: at, seen_at: at },
    ...{
      type: 'changed',
      fields: { phone: { before: '+49 30 1', after: '+49 30 2' }, website: { after: 'https://a.de' } },
    },
  })
  return monitor_id
}

/** Every page, with something that is on it once its data is there. */
const PAGES: [name: string, path: () => string, ready: (page: Page) => Promise<void>][] = [
  ['jobs', () => 'jobs', (page) => page.getByRole('link', { name: 'Bakeries' }).waitFor()],
  [
    'a job',
    () => `jobs/${job}`,
    async (page) => {
      await page.getByRole('table', { name: 'Places of this job' }).waitFor()
      await page.getByText(/^of [\d.]+ held$/).waitFor()
    },
  ],
  [
    'the searched parts of a job',
    () => `jobs/${job}?view=map&parts=1`,
    async (page) => {
      await page.getByText(/^Searched the area in/).waitFor()
      await page.locator('.map[data-drawn]').waitFor()
    },
  ],
  [
    'outcomes and costs',
    () => `jobs/${job}?tab=outcomes`,
    (page) => page.getByRole('cell', { name: 'Total' }).waitFor(),
  ],
  [
    'deliveries of a job',
    () => `jobs/${job}?tab=deliveries`,
    (page) =>
      page
        .getByRole('cell', { name: /job.completed/ })
        .first()
        .waitFor(),
  ],
  ['settings of a job', () => `jobs/${job}?tab=settings`, (page) => page.getByText('max_results').waitFor()],
  ['new job', () => 'jobs/new', (page) => page.getByRole('button', { name: 'Create job' }).waitFor()],
  ['monitors', () => 'monitors', (page) => page.getByRole('link', { name: 'Bakeries each week' }).waitFor()],
  ['a monitor', () => `monitors/${monitor}`, (page) => page.getByText('+49 30 1').waitFor()],
  ['runs of a monitor', () => `monitors/${monitor}?tab=runs`, (page) => page.getByText('skipped_overlap').waitFor()],
  [
    'settings of a monitor',
    () => `monitors/${monitor}?tab=settings`,
    (page) => page.getByRole('button', { name: 'Save settings' }).waitFor(),
  ],
  [
    'new monitor',
    () => `monitors/new?from=${job}`,
    (page) => page.getByRole('button', { name: 'Create monitor' }).waitFor(),
  ],
  ['keys', () => 'keys', (page) => page.getByRole('table').waitFor()],
  [
    'credits',
    () => 'credits',
    async (page) => {
      await page.getByRole('table', { name: 'Ledger' }).waitFor()
      const chart = page.getByRole('img', { name: 'The credits spent on each day' })
      await chart.locator('.recharts-bar-rectangle path').first().waitFor()
    },
  ],
  ['webhooks', () => 'webhooks', (page) => page.getByRole('link', { name: 'Our CRM' }).waitFor()],
  [
    'a webhook',
    () => `webhooks/${webhook}`,
    (page) => page.getByRole('cell', { name: 'job.completed' }).first().waitFor(),
  ],
  ['connect a program', () => 'connect', (page) => page.getByRole('button', { name: 'Continue' }).waitFor()],
  ['account', () => 'account', (page) => page.getByRole('table').waitFor()],
  ['support', () => 'support', (page) => page.getByRole('button', { name: 'Send' }).waitFor()],
  ['fleet', () => 'fleet', (page) => page.getByRole('table', { name: 'Agents' }).waitFor()],
  ['doctor', () => 'operations', (page) => page.getByRole('table', { name: 'Checks' }).waitFor()],
  ['dead tasks', () => 'operations?tab=dead', (page) => page.getByText('No failed tasks').waitFor()],
  ['users', () => 'operations?tab=users', (page) => page.getByRole('table').waitFor()],
  ['prices', () => 'operations?tab=prices', (page) => page.getByRole('table', { name: 'Prices' }).waitFor()],
  ['support requests', () => 'operations?tab=support', (page) => page.getByText('No support requests').waitFor()],
  ['a path without a page', () => 'nowhere', (page) => page.getByRole('link', { name: 'To your jobs' }).waitFor()],
  [
    'a place',
    () => `jobs/${job}?place=${place}`,
    (page) => page.getByRole('dialog', { name: 'Details of the place' }).waitFor(),
  ],
]

const LOOKS = [
  { look: 'light and wide', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { look: 'dark at 360 px', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

test('every page is accessible, fits and contacts no other host, in a wide light and a 360 px dark window', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })
  const faults: string[] = []
  await page.goto('/console/jobs')
  for (const [name, path, ready] of PAGES) {
    await page.evaluate(`history.pushState(null, '', '/console/${path()}')`) // as the links of the console do
    await ready(page)
    faults.push(...(await faultsInEachLook(page)).map((fault) => `${name}, ${fault}`))
  }
  expect(faults).toEqual([])
}, 300_000) // axe takes seconds a page on a busy machine

test('the sign-in page is accessible and says how to get a link', async () => {
  const page = await openTab(browser, product)

  await page.goto('/console/sign-in?error=email_taken')

  await page.getByText('npm run ops -- users sign-in-link').waitFor()
  await page.getByText('Another account at the identity provider').waitFor()
  expect(await faultsInEachLook(page)).toEqual([])
})

test('the console speaks German to a German browser, and remembers another choice', async () => {
  const page = await openTab(browser, product, { as: product.ownerId, locale: 'de-DE' })
  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Aufträge' }).waitFor()

  await page.getByRole('button', { name: 'Ihre Einstellungen' }).click()
  await page.getByText('English').click()
  await page.reload()

  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
})

async function faultsInEachLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const { look, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
    await page.setViewportSize(viewport)
    faults.push(...(await faultsOf(page)).map((fault) => `${look}: ${fault}`))
  }
  return faults
}

/** What axe finds, what is wider than the window, and what moves for somebody who asked for no motion. */
async function faultsOf(page: Page): Promise<string[]> {
  const moving = Number(await page.evaluate('document.getAnimations().length'))
  // The pages of one tab share a window: axe, which is large, is loaded into it once.
  const isLoaded = await page.evaluate('"axe" in window')
  // Without frames the legacy mode finds the same, and opens no second page for it.
  const axe = new AxeBuilder({ page, ...(isLoaded ? { axeSource: 'void 0' } : {}) })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  const { violations } = await axe.analyze()
  const wider = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  return [
    ...violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
          .join(' | ')
          .slice(0, 900)}`,
    ),
    ...(wider > 0 ? [`${wider} px too wide`] : []),
    ...(moving > 0 ? [`${moving} parts move`] : []),
  ]
}
