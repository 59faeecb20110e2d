import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createClient } from '../harness/coordinator/client.ts'
import { volume } from '../harness/volume.ts'
import { startConsole } from './harness/console.ts'
import { SOON, statusOf } from './harness/waits.ts'

const { db, url, receiverUrl, stripeUrl, newUser } = await startConsole()

const REFUSED = [
  ['en-GB', 'Create job', '1 field needs a correction.', 'Enter one to five keywords', 'Your own proxies'],
  ['de-DE', 'Auftrag anlegen', 'Berichtigen Sie ein Feld.', 'Geben Sie ein bis fünf Suchwörter', 'Eigene Proxys'],
] as const

test.each(REFUSED.slice(0, volume(1, 2)))(
  'on a phone in %s, a refused form leads to its first fault, and a fault goes when it is mended',
  async (...texts) => {
    const [locale, button, count, fault, proxies] = texts
    const user = await newUser()
    const page = await user.openTab({ locale, viewport: { width: 360, height: 740 } })
    await page.goto('/console/jobs/new')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('alert').filter({ hasText: count }).waitFor()
    await page.getByText(fault).waitFor()
    await expectFocusInView(page)
    await page.keyboard.type('hotel')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByText(fault).count(), SOON).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.locator('summary').first().click()
    await page.getByLabel(proxies).fill('much')
    await page.locator('summary').first().click()
    await page.getByRole('button', { name: button }).click()
    await expect.poll(() => page.getByLabel(proxies).getAttribute('aria-invalid'), SOON).toBe('true')
    await expectFocusInView(page) // in the options, which it opens
    await page.getByLabel(proxies).fill('')
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: 'hotel', exact: true }).waitFor() // the name is the keyword
  },
)

test('an error of the API is shown at its field, and an error of no field beside the button', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/jobs/new')
  await page.getByLabel('Latitude').fill('95')
  await page.getByText('More options').click()
  await page.getByLabel('Credit limit').fill('-1')
  await page.getByRole('button', { name: 'Create job' }).click()

  await page.getByRole('alert').filter({ hasText: '4 fields need a correction.' }).waitFor()
  expect(await wrongFields(page)).toEqual(['Keywords', 'Credit limit', 'Latitude', 'Longitude'])
  await page.getByText('The same job from a program').click()
  await page.getByText('Command line', { exact: true }).click()
  await page.getByRole('region', { name: 'Command line' }).getByText('--max-cost=-1').waitFor()

  const id = await user.client.create({ name: 'Of an older version', keywords: ['hotel'], max_results: 1 })
  await user.client.ended(id)
  await jobsOf(db).updateOne({ _id: id }, { $set: { 'data.country': 'nowhere' } })
  for (const [path, button] of [
    ['jobs/new', 'Create job'],
    ['monitors/new', 'Create monitor'],
  ] as const) {
    await page.goto(`/console/${path}?from=${id}`)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('alert').filter({ hasText: 'country' }).waitFor()
  }
})

test('a monitor is made without a job, and its keywords are changed later', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/monitors')
  await page.getByRole('link', { name: 'New monitor' }).click()
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await expect.poll(() => page.getByLabel('Keywords').getAttribute('aria-invalid'), SOON).toBe('true')
  await page.getByLabel('Keywords').fill('hotel')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await page.getByRole('heading', { name: 'hotel', exact: true }).waitFor()
  const { total } = (await user.client.call('GET', '/api/v1/jobs')).body as { total: number }
  expect(total, 'nothing is paid before the first run').toBe(0)

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Change keywords and area' }).click()
  await page.getByLabel('Keywords').fill('hostel')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('The settings are saved').waitFor()
  await page.getByText('hotel, hostel').waitFor()
})

test('a monitor is made of a job, gets other settings, runs at once, pauses with a reason and is deleted', async () => {
  const user = await newUser()
  const page = await user.openTab()
  const id = await user.client.create({ name: 'Watched hotels', keywords: ['hotel'], max_results: 1 })
  await page.goto(`/console/jobs/${id}`)
  await page.getByRole('link', { name: 'Monitor', exact: true }).click()
  await page.getByLabel('How often').selectOption('day')
  await page.getByLabel('Time').fill('07:30')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await page.getByText('Every day at 07:30 (Europe/Berlin)').waitFor()
  expect(await page.getByRole('list', { name: 'Next runs' }).getByRole('listitem').count()).toBe(5)
  await page.getByRole('listitem').filter({ hasText: '07:30' }).first().waitFor() // in the zone of the viewer
  const address = page.url()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('How often').selectOption('hours')
  await page.getByLabel('Hours between two runs').fill('1.5')
  await page.getByText('End and delay').click()
  await page.getByLabel('Ends on').fill('2020-01-01T06:00')
  await page.getByLabel('Collect only new places').check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Every 90m').waitFor()
  await page.getByText('No further run').waitFor()
  await page.getByText('Collects only places that you do not know yet').waitFor()
  await page.getByLabel('Ends on').fill('')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByRole('list', { name: 'Next runs' }).waitFor()

  await page.getByRole('button', { name: 'Run now' }).click()
  await statusOf(page).waitFor()
  expect(page.url()).toMatch(/\/console\/jobs\/[^/]+$/)

  await page.goto(`${address}?tab=runs`)
  await page.getByRole('link', { name: 'Open job' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByLabel('Why?').fill('holidays')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await page.getByText('holidays').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('list', { name: 'Next runs' }).waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No monitors yet').waitFor()
})

test('known places are uploaded, listed with their jobs, and forgotten after a confirmation', async () => {
  const user = await newUser()
  const page = await user.openTab()
  const id = await user.client.create({ name: 'Remembered', keywords: ['hotel'], max_results: 2 })
  await user.client.ended(id)
  const [place] = await user.client.places(id)
  await page.goto('/console/known-places')
  const table = page.getByRole('table', { name: 'Known places' })
  await table.getByText(place?.data_id ?? '').waitFor()

  const csv = `data_id\n0xabc:0xdef\n${place?.data_id}\nnothing\n`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('New places: 1. Known already: 1. Rows without a readable id: 1.').waitFor()
  await table.getByRole('row', { name: /^0xabc:0xdef .*uploaded/ }).waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from('"') })
  await page.getByText('The body is neither CSV nor XLSX').waitFor()

  await page.getByRole('button', { name: 'Forget all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forget all' }).click()
  await page.getByText('No known places yet').waitFor()
})

test('a key gets spending limits and others later, and the error of a wrong amount is shown at its field', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  const day = page.getByLabel('Credits a day at most')
  await page.getByLabel('What is the key for?').fill('Assistant')
  await day.fill('much')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect.poll(() => day.getAttribute('aria-invalid'), SOON).toBe('true')

  await day.fill('1.5')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByRole('region', { name: 'The key' }).textContent()) ?? ''
  expect((await createClient(url, key).call('GET', '/api/v1/credits/balance')).status).toBe(200)
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByRole('row', { name: /Assistant.*1\.50 a day/ }).waitFor()
  await page.getByRole('button', { name: 'Change the limits of Assistant' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Credits a day at most').fill('')
  await dialog.getByLabel('Credits a month at most').fill('20')
  await dialog.getByRole('button', { name: 'Save limits' }).click()

  await page.getByRole('row', { name: /Assistant.*20\.00 a month/ }).waitFor()
})

test('a letter to the operators is sent, and another session is ended', async () => {
  const user = await newUser()
  const [page, other] = [await user.openTab(), await user.openTab()]
  await page.goto('/console/support')
  await page.getByLabel('Subject').fill('Thanks')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => page.getByLabel('Message').getAttribute('aria-invalid'), SOON).toBe('true')
  await page.getByLabel('Message').fill('It works as it should.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your message was received').waitFor()

  await other.goto('/console/jobs')
  await page.goto('/console/account')
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Sign out / }).count(), SOON).toBe(0)
  await other.reload()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
})

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

test('after a return from a payment that was cancelled, or that nobody knows, the page says what this means', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/credits?checkout=cancelled')
  await page.getByText('Nothing was charged').waitFor()
  await page.goto('/console/credits?checkout=success&session_id=cs_test_unknown')
  await page.getByText('The payment has not arrived yet').waitFor()
  await page.goto('/console/credits')
  await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor()
  expect(await page.getByRole('status').filter({ hasText: 'payment' }).count()).toBe(0)
})

test('a webhook is registered with chosen events, and gets others and another name later', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/webhooks')
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Name').fill('Alarms')
  await page.getByLabel('URL').fill(receiverUrl)
  const types = page.getByRole('group', { name: 'Events' })
  await types.getByLabel('monitor.paused').check()
  await types.getByLabel('job.completed').uncheck()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByRole('link', { name: 'Alarms' }).click()
  const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click()
  await edit()
  await types.getByLabel('job.failed').uncheck()
  await types.getByLabel('job.cancelled').uncheck()
  await page.getByLabel('Name').fill('Sirens')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The webhook is saved').waitFor()
  await page.getByRole('heading', { name: 'Sirens' }).waitFor()
  await page.reload()
  await edit()
  await types.getByRole('checkbox').first().waitFor()
  expect(await types.getByRole('checkbox', { checked: true }).count()).toBe(1)
  expect(await types.getByLabel('monitor.paused').isChecked()).toBe(true)
})

test('a webhook is tested, shows what was sent and answered, is retried, gets a new secret and is enabled again', async () => {
  const user = await newUser()
  const made = await user.client.call('POST', '/api/v1/webhooks', { name: 'Orders', url: receiverUrl })
  const { id: webhook_id } = made.body as { id: string }
  const page = await user.openTab()
  await page.goto(`/console/webhooks/${webhook_id}`)
  await page.getByRole('button', { name: 'Send a test', exact: true }).click()
  const delivered = page.getByRole('row', { name: /^webhook\.test delivered/ })
  await delivered.waitFor()
  await delivered.getByRole('button', { name: 'Details of webhook.test' }).click()
  await page.getByRole('region', { name: 'Request' }).getByText('"event_type":"webhook.test"').waitFor()
  await page.getByText(/^HTTP 204/).waitFor()
  await page.getByRole('button', { name: 'Close details' }).click()

  await deliveriesOf(db).updateMany({ webhook_id }, { $set: { event_type: 'job.completed', status: 'failed' } })
  await page.reload()
  await page.getByRole('row', { name: /^job\.completed failed/ }).waitFor()
  await page.getByRole('button', { name: 'Retry all failed' }).click()
  await page.getByText('1 delivery is sent again').waitFor()
  await page.getByRole('row', { name: /^job\.completed delivered/ }).waitFor()

  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  await page
    .getByRole('region', { name: 'The secret' })
    .getByText(/^whsec_/)
    .waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()

  const disabled = { health_state: 'disabled', disabled_at: new Date(), disabled_reason: 'http_5xx' } as const
  await webhooksOf(db).updateOne({ _id: webhook_id }, { $set: disabled })
  await page.reload()
  await page.getByText('Your server responded with an error (5xx).').waitFor()
  await page.getByRole('button', { name: 'Re-enable' }).click()
  await page.getByText('healthy').waitFor()
})

/** Expects that a field which is marked as wrong has the focus and can be seen. */
async function expectFocusInView(page: Page): Promise<void> {
  const focused = page.locator('[aria-invalid=true]:focus')
  await focused.waitFor()
  const box = await focused.boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
}

/** Returns the labels of the fields that are marked as wrong, in their order. */
const wrongFields = (page: Page) =>
  page.evaluate(`
    [...document.querySelectorAll('[aria-invalid=true]')].map(({ labels }) => labels[0].textContent.replace(' *', ''))`)
