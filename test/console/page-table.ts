import type { Page } from 'playwright'
import type { Shown } from './shown.ts'

type Ready = (page: Page) => Promise<unknown>

/** A look at a page: its path, and how to wait for what is on it. */
export type PageRow = [name: string, path: (shown: Shown) => string, ready: Ready]

type Role = Parameters<Page['getByRole']>[0]

const hostileText: Ready = (page) => page.getByText('window.executed=1').filter({ visible: true }).first().waitFor()

/** Waits for something of this role and name. */
const shows =
  (role: Role, name?: string | RegExp): Ready =>
  (page) =>
    page
      .getByRole(role, { ...(name && { name }), exact: typeof name === 'string' })
      .first()
      .waitFor()

const says =
  (text: string | RegExp): Ready =>
  (page) =>
    page.getByText(text).first().waitFor()

const drawsMap: Ready = (page) => page.locator('.map[data-drawn]').waitFor()

const drawsChart: Ready = (page) =>
  page
    .getByRole('img', { name: 'The credits spent on each day' })
    .locator('.recharts-bar-rectangle path')
    .first()
    .waitFor()

const all =
  (...parts: Ready[]): Ready =>
  (page) =>
    Promise.all(parts.map((part) => part(page)))

const PLACES = shows('table', 'Places of this job')

/** Every page, with something that is on it once its data is there. */
export const PAGES: PageRow[] = [
  ['jobs', () => 'jobs', shows('link', 'Bakeries')],
  ['a job', ({ job }) => `jobs/${job}`, all(PLACES, says(/of at most [\d.]+$/), hostileText)],
  ['an ended demo job', ({ demo }) => `jobs/${demo}`, shows('region', 'The demo is over. What next?')],
  ['its searched parts', ({ job }) => `jobs/${job}?view=map&parts=1`, all(says(/^Searched the area in/), drawsMap)],
  ['tasks of a job', ({ job }) => `jobs/${job}?tab=tasks`, all(shows('table', 'Tasks'), says('Search “bakery”'))],
  ['outcomes and costs', ({ job }) => `jobs/${job}?tab=outcomes`, shows('cell', 'Total')],
  ['deliveries of a job', ({ job }) => `jobs/${job}?tab=deliveries`, shows('cell', /job.completed/)],
  ['settings of a job', ({ job }) => `jobs/${job}?tab=settings`, shows('rowheader', 'Max. places')],
  ['new job', () => 'jobs/new', shows('button', 'Create job')],
  ['monitors', () => 'monitors', shows('link', 'Bakeries each week')],
  ['a monitor', ({ monitor }) => `monitors/${monitor}`, says('+49 30 1')],
  ['runs of a monitor', ({ monitor }) => `monitors/${monitor}?tab=runs`, shows('link', 'Open job')],
  ['settings of a monitor', ({ monitor }) => `monitors/${monitor}?tab=settings`, shows('button', 'Save settings')],
  ['new monitor', ({ job }) => `monitors/new?from=${job}`, shows('button', 'Create monitor')],
  ['new monitor without a job', () => 'monitors/new', all(shows('textbox', 'Keywords'), drawsMap)],
  ['known places', () => 'known-places', shows('table', 'Known places')],
  ['keys', () => 'keys', hostileText],
  ['credits', () => 'credits', all(shows('table', 'Ledger'), drawsChart)],
  ['webhooks', () => 'webhooks', shows('link', 'Our CRM')],
  ['a webhook', ({ webhook }) => `webhooks/${webhook}`, shows('cell', 'job.completed')],
  ['connect a program', () => 'connect', shows('button', 'Continue')],
  ['approve a program', ({ code }) => `connect?code=${code}`, shows('button', 'Approve')],
  ['account', () => 'account', shows('table')],
  ['support', () => 'support', shows('button', 'Send')],
  ['fleet', () => 'fleet', shows('table', 'Agents')],
  ['an agent', () => 'fleet/agent?id=shed', shows('heading', 'The last hour')],
  ['jobs of all users', () => 'operations?tab=jobs', shows('table', 'Jobs of all users')],
  ['a job of any user', ({ job }) => `operations/jobs/${job}`, shows('table', 'Tasks')],
  ['doctor', () => 'operations', shows('table', 'Checks')],
  ['dead tasks', () => 'operations?tab=dead', shows('cell', /^the map site has changed/)],
  ['users', () => 'operations?tab=users', shows('table')],
  ['prices', () => 'operations?tab=prices', shows('table', 'Prices')],
  ['support requests', () => 'operations?tab=support', says('Where is it?')],
  ['a path without a page', () => 'nowhere', shows('link', 'Go to jobs')],
]
