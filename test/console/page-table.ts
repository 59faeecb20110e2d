import type { Page } from 'playwright'
import type { Shown } from './shown.ts'

/** A look at a page: its path, and how to wait for what is on it. */
export type PageRow = [name: string, path: (shown: Shown) => string, ready: (page: Page) => Promise<unknown>]

const hostileText = (page: Page) => page.getByText('window.executed=1').filter({ visible: true }).first()

/** Every page, with something that is on it once its data is there. */
export const PAGES: PageRow[] = [
  ['jobs', () => 'jobs', (page) => page.getByRole('link', { name: 'Bakeries', exact: true }).waitFor()],
  [
    'a job',
    ({ job }) => `jobs/${job}`,
    async (page) => {
      await page.getByRole('table', { name: 'Places of this job' }).waitFor()
      await page.getByText(/of at most [\d.]+$/).waitFor()
      await hostileText(page).waitFor()
    },
  ],
  [
    'an ended demo job',
    ({ demo }) => `jobs/${demo}`,
    (page) => page.getByRole('region', { name: 'The demo is over. What next?' }).waitFor(),
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
    'tasks of a job',
    ({ job }) => `jobs/${job}?tab=tasks`,
    (page) => page.getByRole('table', { name: 'Tasks' }).getByText('Search “bakery”').first().waitFor(),
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
  [
    'settings of a job',
    ({ job }) => `jobs/${job}?tab=settings`,
    (page) => page.getByRole('rowheader', { name: 'Max. places' }).waitFor(),
  ],
  ['new job', () => 'jobs/new', (page) => page.getByRole('button', { name: 'Create job' }).waitFor()],
  ['monitors', () => 'monitors', (page) => page.getByRole('link', { name: 'Bakeries each week' }).waitFor()],
  ['a monitor', ({ monitor }) => `monitors/${monitor}`, (page) => page.getByText('+49 30 1').waitFor()],
  [
    'runs of a monitor',
    ({ monitor }) => `monitors/${monitor}?tab=runs`,
    (page) => page.getByRole('link', { name: 'Open job' }).first().waitFor(),
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
  [
    'new monitor without a job',
    () => 'monitors/new',
    async (page) => {
      await page.getByLabel('Keywords').waitFor()
      await page.locator('.map[data-drawn]').waitFor()
    },
  ],
  ['known places', () => 'known-places', (page) => page.getByRole('table', { name: 'Known places' }).waitFor()],
  ['keys', () => 'keys', (page) => hostileText(page).waitFor()],
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
  ['connect a program', () => 'connect', (page) => page.getByRole('button', { name: 'Continue' }).waitFor()],
  [
    'approve a program',
    ({ code }) => `connect?code=${code}`,
    (page) => page.getByRole('button', { name: 'Approve' }).waitFor(),
  ],
  ['account', () => 'account', (page) => page.getByRole('table').waitFor()],
  ['support', () => 'support', (page) => page.getByRole('button', { name: 'Send' }).waitFor()],
  ['fleet', () => 'fleet', (page) => page.getByRole('table', { name: 'Agents' }).waitFor()],
  ['an agent', () => 'fleet/agent?id=shed', (page) => page.getByRole('heading', { name: 'The last hour' }).waitFor()],
  [
    'jobs of all users',
    () => 'operations?tab=jobs',
    (page) => page.getByRole('table', { name: 'Jobs of all users' }).waitFor(),
  ],
  [
    'a job of any user',
    ({ job }) => `operations/jobs/${job}`,
    (page) => page.getByRole('table', { name: 'Tasks' }).waitFor(),
  ],
  ['doctor', () => 'operations', (page) => page.getByRole('table', { name: 'Checks' }).waitFor()],
  [
    'dead tasks',
    () => 'operations?tab=dead',
    (page) =>
      page
        .getByRole('cell', { name: /^the map site has changed/ })
        .first()
        .waitFor(),
  ],
  ['users', () => 'operations?tab=users', (page) => page.getByRole('table').waitFor()],
  ['prices', () => 'operations?tab=prices', (page) => page.getByRole('table', { name: 'Prices' }).waitFor()],
  ['support requests', () => 'operations?tab=support', (page) => page.getByText('Where is it?').first().waitFor()],
  ['a path without a page', () => 'nowhere', (page) => page.getByRole('link', { name: 'Go to jobs' }).waitFor()],
]
