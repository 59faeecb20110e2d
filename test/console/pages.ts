import { changesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { runId, runsOf } from '@placefleet/coordinator/monitors/documents'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { faultsInEachLook } from './accessibility.ts'
import type { RunningConsole } from './harness/browser.ts'
import type { Product } from './harness/product.ts'

/** The ids of what the pages show. */
type Shown = { job: string; place: number; webhook: string; monitor: string }

/** Tests that look at every page. */
export function pageTests({ product, openTab }: RunningConsole): void {
  test('every page is accessible, fits and contacts no other host, light and dark, wide and at 360 px', async () => {
    const shown = await fill(product)
    const page = await openTab()
    const faults: string[] = []
    await page.goto('/console/jobs')
    for (const [name, path, ready] of PAGES) {
      await page.evaluate(`history.pushState(null, '', '/console/${path(shown)}')`) // as the links of the console do
      await ready(page)
      faults.push(...(await faultsInEachLook(page)).map((fault) => `${name}, ${fault}`))
    }
    expect(faults).toEqual([])
  }, 300_000) // axe takes seconds a page on a busy machine
}

/** Creates something for every page. */
async function fill(product: Product): Promise<Shown> {
  const { client } = product
  const area = { lat: '52.52', lon: '13.405', radius: 4_000 }
  const made = await client.call('POST', '/api/v1/webhooks', { name: 'Our CRM', url: product.receiverUrl })
  await client.call('POST', '/api/v1/support', { category: 'bug', subject: 'Where is it?', message: 'I lost a place.' })
  const { id: webhook } = made.body as { id: string }
  const job = await client.create({ name: 'Bakeries', keywords: ['bakery'], max_results: 10, max_reviews: 3, ...area })
  const monitor = await monitorWithHistory(product, job)
  await client.ended(job)
  const place = (await client.places(job))[0]?.id ?? 0
  return { job, place, webhook, monitor }
}

/** Creates a monitor, with a run that was skipped and a change that a run found. */
async function monitorWithHistory({ client, db }: Product, job_id: string): Promise<string> {
  const request = { name: 'Bakeries', keywords: ['bakery'], language: 'en' }
  const watch = { name: 'Bakeries each week', schedule: { cron: '0 6 * * 1', timezone: 'Europe/Berlin' }, job: request }
  const { id: monitor_id } = (await client.call('POST', '/api/v1/monitors', watch)).body as { id: string }
  const at = new Date()
  await runsOf(db).insertOne({ _id: runId(monitor_id, at), monitor_id, at, state: 'skipped_overlap' })
  const before = new Date(at.getTime() - 60_000)
  const estimate = { total: 61.4, low: 60, high: 64.2 }
  const series = { jobs: [job_id], found: 60, spent: 187_000, ended: 'exhausted' as const, estimate }
  const exhausted = { at: before, state: 'completed' as const, job_id, series }
  await runsOf(db).insertOne({ _id: runId(monitor_id, before), monitor_id, ...exhausted })
  await changesOf(db).insertOne({
    ...{ monitor_id, sequence: 1, place_key: '0x1:0x2', title: 'Bakery Schmidt', job_id, run_at: at, seen_at: at },
    ...{
      type: 'changed',
      fields: { phone: { before: '+49 30 1', after: '+49 30 2' }, website: { after: 'https://a.de' } },
    },
  })
  return monitor_id
}

/** Every page, with something that is on it once its data is there. */
const PAGES: [name: string, path: (shown: Shown) => string, ready: (page: Page) => Promise<void>][] = [
  ['jobs', () => 'jobs', (page) => page.getByRole('link', { name: 'Bakeries', exact: true }).waitFor()],
  [
    'a job',
    ({ job }) => `jobs/${job}`,
    async (page) => {
      await page.getByRole('table', { name: 'Places of this job' }).waitFor()
      await page.getByText(/^of [\d.]+ held$/).waitFor()
    },
  ],
  [
    'the searched parts of a job',
    ({ job }) => `jobs/${job}?view=map&parts=1`,
    async (page) => {
      await page.getByText(/^Searched the area in/).waitFor()
      await page.locator('.map[data-drawn]').waitFor()
    },
  ],
  [
    'outcomes and costs',
    ({ job }) => `jobs/${job}?tab=outcomes`,
    (page) => page.getByRole('cell', { name: 'Total' }).waitFor(),
  ],
  [
    'deliveries of a job',
    ({ job }) => `jobs/${job}?tab=deliveries`,
    (page) =>
      page
        .getByRole('cell', { name: /job.completed/ })
        .first()
        .waitFor(),
  ],
  ['settings of a job', ({ job }) => `jobs/${job}?tab=settings`, (page) => page.getByText('max_results').waitFor()],
  ['new job', () => 'jobs/new', (page) => page.getByRole('button', { name: 'Create job' }).waitFor()],
  ['monitors', () => 'monitors', (page) => page.getByRole('link', { name: 'Bakeries each week' }).waitFor()],
  ['a monitor', ({ monitor }) => `monitors/${monitor}`, (page) => page.getByText('+49 30 1').waitFor()],
  [
    'runs of a monitor',
    ({ monitor }) => `monitors/${monitor}?tab=runs`,
    (page) => page.getByText('The area likely has 61 places (60 to 65)').waitFor(),
  ],
  [
    'settings of a monitor',
    ({ monitor }) => `monitors/${monitor}?tab=settings`,
    (page) => page.getByRole('button', { name: 'Save settings' }).waitFor(),
  ],
  [
    'new monitor',
    ({ job }) => `monitors/new?from=${job}`,
    (page) => page.getByRole('button', { name: 'Create monitor' }).waitFor(),
  ],
  ['known places', () => 'known-places', (page) => page.getByRole('table', { name: 'Known places' }).waitFor()],
  [
    'a question before a deletion',
    () => 'known-places',
    async (page) => {
      await page.getByRole('button', { name: 'Forget all' }).click()
      await page.getByRole('dialog').waitFor()
    },
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
    ({ webhook }) => `webhooks/${webhook}`,
    (page) => page.getByRole('cell', { name: 'job.completed' }).first().waitFor(),
  ],
  [
    'a delivery',
    ({ webhook }) => `webhooks/${webhook}?status=delivered`,
    async (page) => {
      await page.getByRole('button', { name: 'Details of job.completed' }).first().click()
      await page.getByRole('region', { name: 'Request' }).waitFor()
    },
  ],
  ['connect a program', () => 'connect', (page) => page.getByRole('button', { name: 'Continue' }).waitFor()],
  ['account', () => 'account', (page) => page.getByRole('table').waitFor()],
  ['support', () => 'support', (page) => page.getByRole('button', { name: 'Send' }).waitFor()],
  ['fleet', () => 'fleet', (page) => page.getByRole('table', { name: 'Agents' }).waitFor()],
  ['doctor', () => 'operations', (page) => page.getByRole('table', { name: 'Checks' }).waitFor()],
  ['dead tasks', () => 'operations?tab=dead', (page) => page.getByText('No failed tasks').waitFor()],
  ['users', () => 'operations?tab=users', (page) => page.getByRole('table').waitFor()],
  ['prices', () => 'operations?tab=prices', (page) => page.getByRole('table', { name: 'Prices' }).waitFor()],
  ['support requests', () => 'operations?tab=support', (page) => page.getByText('Where is it?').waitFor()],
  ['a path without a page', () => 'nowhere', (page) => page.getByRole('link', { name: 'To your jobs' }).waitFor()],
  [
    'a place',
    ({ job, place }) => `jobs/${job}?place=${place}`,
    (page) => page.getByRole('dialog', { name: 'Details of the place' }).waitFor(),
  ],
]
