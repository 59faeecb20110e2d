import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { expect, test } from 'vitest'
import type { RunningConsole } from './harness/browser.ts'

/** Tests of the pages of webhooks. */
export function webhookTests({ product, openTab }: RunningConsole): void {
  test('a webhook is registered with chosen events, and gets others later', async () => {
    const page = await openTab()
    await page.goto('/console/webhooks')
    await page.getByLabel('Name').fill('Alarms')
    await page.getByLabel('URL').fill(product.receiverUrl)
    const types = page.getByRole('group', { name: 'Events' })
    await types.getByLabel('monitor.paused').check()
    await types.getByLabel('job.completed').uncheck()
    await page.getByRole('button', { name: 'Register webhook' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()

    await page.getByRole('link', { name: 'Alarms' }).click()
    await types.getByLabel('job.failed').uncheck()
    await types.getByLabel('job.cancelled').uncheck()
    await page.getByRole('button', { name: 'Save events' }).click()
    await page.getByText('The events are saved').waitFor()
    await page.reload()
    await types.getByRole('checkbox').first().waitFor()
    expect(await types.getByRole('checkbox', { checked: true }).count()).toBe(1)
    expect(await types.getByLabel('monitor.paused').isChecked()).toBe(true)
  })

  test('a webhook is tested, shows what was sent and answered, is retried, gets a new secret and is enabled again', async () => {
    const made = await product.client.call('POST', '/api/v1/webhooks', { name: 'Orders', url: product.receiverUrl })
    const { id: webhook_id } = made.body as { id: string }
    const page = await openTab()
    await page.goto(`/console/webhooks/${webhook_id}`)
    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivered = page.getByRole('row', { name: /^webhook\.test delivered/ })
    await delivered.waitFor()
    await delivered.getByRole('button', { name: 'Details of webhook.test' }).click()
    await page.getByRole('region', { name: 'Request' }).getByText('"event_type":"webhook.test"').waitFor()
    await page.getByText(/^HTTP 204/).waitFor()
    await page.getByRole('button', { name: 'Close details' }).click()

    await deliveriesOf(product.db).updateMany(
      { webhook_id },
      { $set: { event_type: 'job.completed', status: 'failed' } },
    )
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
    await webhooksOf(product.db).updateOne({ _id: webhook_id }, { $set: disabled })
    await page.reload()
    await page.getByText('Your server responded with an error (5xx).').waitFor()
    await page.getByRole('button', { name: 'Enable again' }).click()
    await page.getByText('healthy').waitFor()
  })
}
