import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createClient } from '../harness/coordinator/client.ts'
import type { RunningConsole } from './harness/browser.ts'

/** Machines that run these tests are busy. */
const SOON = { timeout: 10_000 }

const statusOf = (page: Page) => page.getByRole('status').filter({ hasText: /completed|running|pending|failed/ })

/** Tests of the pages with which users make and change things. */
export function formTests({ product, openTab }: RunningConsole): void {
  test('a monitor is made of a job, gets other settings, runs at once, pauses with a reason and is deleted', async () => {
    const page = await openTab()
    const id = await product.client.create({ name: 'Watched hotels', keywords: ['hotel'], max_results: 1 })
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
    await page.getByLabel('Last run before').fill('2020-01-01T06:00')
    await page.getByLabel('Collect only new places').check()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Every 90m').waitFor()
    await page.getByText('No further run').waitFor()
    await page.getByText('Collects only places that you do not know yet').waitFor()
    await page.getByLabel('Last run before').fill('')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByRole('list', { name: 'Next runs' }).waitFor()

    await page.getByRole('button', { name: 'Run now' }).click()
    await statusOf(page).waitFor()
    expect(page.url()).toMatch(/\/console\/jobs\/[^/]+$/)

    await page.goto(`${address}?tab=runs`)
    await page.getByRole('link', { name: 'To the job' }).waitFor()
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
    const page = await openTab()
    const id = await product.client.create({ name: 'Remembered', keywords: ['hotel'], max_results: 2 })
    await product.client.ended(id)
    const [place] = await product.client.places(id)
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
    await page.getByText('The body is not CSV').waitFor()

    await page.getByRole('button', { name: 'Forget all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget all' }).click()
    await page.getByText('No known places yet').waitFor()
  })

  test('a key gets spending limits and others later, and the error of a wrong amount is shown at its field', async () => {
    const page = await openTab()
    await page.goto('/console/keys')
    const day = page.getByLabel('Credits a day at most')
    await page.getByLabel('What is the key for?').fill('Assistant')
    await day.fill('much')
    await page.getByRole('button', { name: 'Create key' }).click()
    await expect.poll(() => day.getAttribute('aria-invalid'), SOON).toBe('true')

    await day.fill('1.5')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.getByRole('region', { name: 'The key' }).textContent()) ?? ''
    expect((await createClient(product.url, key).call('GET', '/api/v1/credits/balance')).status).toBe(200)
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
    const [page, other] = [await openTab(), await openTab()]
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
    const page = await openTab({ visits: product.stripeUrl })
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
}
