import type { Page } from 'playwright'
import type { Shown } from './shown.ts'

/** A look at a page: its path, and how to wait for what is on it, or to open what is before it. */
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

const dialog = (page: Page) => page.getByRole('dialog').waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name }).first().click()

/** Presses a button that asks before it acts. */
const asks = (name: string) => async (page: Page) => {
  await press(page, name)
  await dialog(page)
}

/** Chooses from the menu of a row. */
const choose = (menu: string, action: string) => async (page: Page) => {
  await press(page, menu)
  await page.getByRole('menuitem', { name: action }).click()
  await dialog(page)
}

/** Opens a form, fills its first field and sends it, which opens a dialog with a secret. */
const makes = (opener: string, field: string, value: string, button: string) => async (page: Page) => {
  await press(page, opener)
  await page.getByLabel(field).first().fill(value)
  await press(page, button)
  await page.getByRole('button', { name: 'I have copied it' }).waitFor()
}

/** Every dialog. */
export const DIALOGS: PageRow[] = [
  ['a place', ({ job, place }) => `jobs/${job}?place=${place}`, dialog],
  ['a delivery', ({ webhook }) => `webhooks/${webhook}?status=delivered`, asks('Details of job.completed')],
  ['forget all places', () => 'known-places', asks('Forget all')],
  ['pause a monitor', ({ monitor }) => `monitors/${monitor}`, asks('Pause')],
  ['delete a monitor', ({ monitor }) => `monitors/${monitor}`, asks('Delete')],
  ['limits of a key', () => 'keys', asks('Change the limits of')],
  ['revoke a key', () => 'keys', asks('Revoke ')],
  ['a new webhook', () => 'webhooks', asks('New webhook')],
  ['edit a webhook', ({ webhook }) => `webhooks/${webhook}`, asks('Edit')],
  ['make an operator', () => 'operations?tab=users', choose('Actions for ', 'Make')],
  ['revoke a webhook', ({ webhook }) => `webhooks/${webhook}`, asks('Revoke')],
  ['a new secret?', ({ webhook }) => `webhooks/${webhook}`, asks('New secret')],
  [
    'the secret of a webhook',
    ({ webhook }) => `webhooks/${webhook}`,
    async (page) => {
      await asks('New secret')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
      await page.getByRole('region', { name: 'The secret' }).waitFor()
    },
  ],
  ['revoke an agent', () => 'fleet', choose('Actions for attic', 'Revoke')],
  ['grant credits', () => 'operations?tab=users', choose('Actions for ', 'Grant credits')],
  ['a sign-in link', () => 'operations?tab=users', choose('Actions for ', 'Sign-in link')],
  [
    'set prices',
    () => 'operations?tab=prices',
    async (page) => {
      await page.getByLabel('From').fill('2099-01-01T00:00')
      await page.getByLabel('Reviews').fill('0.5')
      await press(page, 'Set prices')
      await dialog(page)
    },
  ],
  ['a new key', () => 'keys', makes('New key', 'What is the key for?', 'A test', 'Create key')],
  ['the token of an agent', () => 'fleet', makes('New agent', 'Name of the agent', 'barn', 'Enrol an agent')],
  [
    'the menu of settings',
    () => 'support',
    async (page) => {
      await press(page, 'Your settings')
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
    },
  ],
]

const says = (text: string) => (page: Page) => page.getByText(text, { exact: true }).first().waitFor()

/** Pages of a user who has made nothing. */
export const EMPTY_PAGES: PageRow[] = [
  ['no jobs', () => 'jobs', (page) => page.getByRole('heading', { name: 'Create a job' }).waitFor()],
  ['no job matches', () => 'jobs?search=nothing', says('No job matches')],
  ['no monitors', () => 'monitors', says('No monitors yet')],
  ['no known places', () => 'known-places', says('No known places yet')],
  ['no webhooks', () => 'webhooks', says('No webhook yet')],
  ['no failed tasks', () => 'operations?tab=dead', says('No failed tasks')],
  ['no letters', () => 'operations?tab=support', says('No support requests')],
]
