import { join } from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, test } from 'vitest'
import { startConsole } from '../harness/console.ts'
import { addChange, monitorWithRun } from '../shown.ts'

const INTO = join(import.meta.dirname, '..', '..', '..', 'coordinator', 'console', 'pictures')

const { db, newUser } = await startConsole()
const { client, openTab } = await newUser('operator')
let job: string
let monitor: string

beforeAll(async () => {
  const area = { lat: '52.52', lon: '13.405', radius: 12_000 }
  job = await client.create({ name: 'Cafés in Berlin', keywords: ['cafe', 'bakery'], max_results: 80, ...area })
  await client.ended(job, 100_000)
  monitor = await monitorOf(job)
  for (const order of ORDERS) await client.ended(await client.create({ max_results: 15, ...order }))
  for (const name of ['Nightly import', 'CRM'])
    await client.call('POST', '/api/v1/api-keys', { name, limits: { day: '1.50' } })
  await client.call('POST', '/api/v1/webhooks', { name: 'Our CRM', url: 'https://example.com/hooks/jobs' })
})

/** Creates a monitor of a job with a run and some changes of its places. */
async function monitorOf(job_id: string): Promise<string> {
  const monitor_id = await monitorWithRun(db, client, job_id, 'Cafés in Berlin')
  const changes = [
    { type: 'changed', fields: { phone: { before: '+49 30 5550100', after: '+49 30 5550199' } } },
    { type: 'changed', fields: { website: { after: 'https://www.example.com/' } } },
    { type: 'new' },
    { type: 'gone' },
  ] as const
  const places = await client.places(job_id)
  for (const [nth, change] of changes.entries())
    await addChange(db, { monitor_id, job_id, sequence: nth + 1, title: places[nth]?.title ?? '', ...change })
  return monitor_id
}

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
  ['new-job', () => 'jobs/new', searchEverywhere],
  ['monitor', () => `monitors/${monitor}`, (page) => page.getByText('+49 30 5550199').waitFor()],
  ['keys', () => 'keys', (page) => page.getByRole('table').waitFor()],
  ['credits', () => 'credits', (page) => page.getByRole('table', { name: 'Ledger' }).waitFor()],
  ['webhooks', () => 'webhooks', (page) => page.getByRole('table').waitFor()],
  ['fleet', () => 'fleet', (page) => page.getByRole('table', { name: 'Agents' }).waitFor()],
  ['operations', () => 'operations', (page) => page.getByRole('table').waitFor()],
]

test.each(PICTURES)('%s', async (name, path, ready) => {
  const options = {
    viewport: { width: 1180, height: name === 'job' || name === 'new-job' ? 1_080 : 760 },
    colorScheme: 'light',
  } as const
  const page = await openTab(options)
  page.setDefaultTimeout(60_000)
  await page.goto(`/console/${path()}`)
  await ready(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(INTO, `${name}.png`), animations: 'disabled' })
})

async function mapDrawn(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Places of this job' }).waitFor()
  await page.locator('.map[data-drawn]').waitFor()
}

/** The form as it is at first, with Europe on the map. */
async function searchEverywhere(page: Page): Promise<void> {
  const keywords = page.getByLabel('Keywords')
  await keywords.fill('bakery')
  await keywords.press('Enter')
  await page.getByText('Your credits cover it.').waitFor()
  await page.locator('.map[data-drawn]').waitFor()
}
