// @vitest-environment happy-dom
import { fireEvent, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Routes, Schemas } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { delivery, deliveryPage, webhook } from './harness/samples.ts'

const SECRET = `whsec_${'a'.repeat(40)}`
const { id, name, url } = webhook()

/** The routes of one webhook, which its changes change. */
function webhookRoutes(start: Schemas['Webhook'], deliveries: Schemas['WebhookDelivery'][] = []): Routes {
  let stored = start
  return {
    'GET /api/v1/webhooks': () => [stored],
    'GET /api/v1/webhooks/{id}/deliveries': () => deliveryPage(deliveries),
    'PATCH /api/v1/webhooks/{id}': ({ body: { reenable, ...given } }) => {
      stored = { ...stored, ...given, ...(reenable && { health_state: 'healthy' }) }
      return undefined
    },
  }
}

test('a webhook is registered with chosen events', async () => {
  const page = openConsole('webhooks', {})
  await page.press('New webhook')
  await page.fill('Name', 'Alarms')
  await page.fill('URL', 'https://hooks.example.com/')
  const types = within(page.getByRole('group', { name: 'Events' }))
  fireEvent.click(types.getByLabelText('monitor.paused', { exact: false }))
  fireEvent.click(types.getByLabelText('job.completed', { exact: false }))
  const made = webhook({ name: 'Alarms' })
  Object.assign(page.routes, webhookRoutes(made))
  page.routes['POST /api/v1/webhooks'] = { id: made.id, name: made.name, url: made.url, secret: SECRET }
  await page.press('Add webhook')
  expect((await page.findByRole('region', { name: 'The secret' })).textContent).toContain(SECRET)
  await page.press('I have copied it')
  await page.findByRole('link', { name: 'Alarms' })
  expect(page.queryByRole('dialog')).toBeNull()
  expect(page.sentTo('POST /api/v1/webhooks')).toEqual([
    {
      name: 'Alarms',
      url: 'https://hooks.example.com/',
      event_types: expect.toSatisfy(
        (sent: string[]) => sent.toSorted().join() === 'job.cancelled,job.failed,monitor.paused',
      ),
    },
  ])
})

test('a webhook gets another name and other events', async () => {
  const page = openConsole(`webhooks/${webhook().id}`, webhookRoutes(webhook({ name: 'Alarms' })))
  await page.press('Edit')
  const dialog = await page.dialog()
  fireEvent.click(dialog.getByLabelText('job.failed', { exact: false }))
  fireEvent.click(dialog.getByLabelText('job.cancelled', { exact: false }))
  await page.fill('Name', 'Sirens')
  await page.press('Save')
  await page.see('The webhook is saved')
  await page.findByRole('heading', { name: 'Sirens' })
  expect(page.sentTo('PATCH /api/v1/webhooks/{id}')).toEqual([{ name: 'Sirens', event_types: ['job.completed'] }])
  await page.press('Edit')
  const checked = (await page.dialog()).getAllByRole('checkbox', { checked: true })
  expect(checked).toEqual([(await page.dialog()).getByLabelText('job.completed', { exact: false })])
})

test('a webhook is tested, and shows what was sent and answered', async () => {
  const sent = delivery({ event_type: 'webhook.test', body: '{"event_type":"webhook.test"}' })
  const page = openConsole(`webhooks/${webhook().id}`, webhookRoutes(webhook()))
  page.routes['POST /api/v1/webhooks/{id}/test'] = () => {
    Object.assign(page.routes, webhookRoutes(webhook(), [sent]))
    return sent
  }
  await page.press('Send a test')
  await page.findByRole('row', { name: /^webhook\.test delivered/ })
  await page.press('Details of webhook.test')
  within(await page.findByRole('region', { name: 'Request' })).getByText(/"event_type":"webhook.test"/)
  await page.see(/^HTTP 204/)
  await page.press('Close details')
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
})

test('all failed deliveries of a webhook are sent again', async () => {
  const page = openConsole(`webhooks/${webhook().id}`, webhookRoutes(webhook(), [delivery({ status: 'failed' })]))
  await page.findByRole('row', { name: /^job\.completed failed/ })
  page.routes['POST /api/v1/webhooks/{id}/retry-failed'] = () => {
    Object.assign(page.routes, webhookRoutes(webhook(), [delivery()]))
    return { retried: 1 }
  }
  await page.press('Retry all failed')
  await page.see('1 delivery is sent again')
  await page.findByRole('row', { name: /^job\.completed delivered/ })
})

test('a webhook gets a new secret after a confirmation, which is shown once', async () => {
  const page = openConsole(`webhooks/${webhook().id}`, {
    ...webhookRoutes(webhook()),
    'POST /api/v1/webhooks/{id}/rotate-secret': { id, name, url, secret: SECRET },
  })
  await page.press('New secret')
  await page.pressInDialog('New secret')
  expect((await page.findByRole('region', { name: 'The secret' })).textContent).toContain(SECRET)
  await page.press('I have copied it')
  await waitFor(() => expect(page.queryByRole('region', { name: 'The secret' })).toBeNull())
})

test('a webhook that was disabled says why, and is enabled again', async () => {
  const disabled = webhook({
    health_state: 'disabled',
    disabled_at: new Date().toISOString(),
    disabled_reason: 'http_5xx',
  })
  const page = openConsole(`webhooks/${webhook().id}`, webhookRoutes(disabled))
  await page.see('Your server responded with an error (5xx).')
  await page.press('Re-enable')
  await page.see('healthy')
  expect(page.sentTo('PATCH /api/v1/webhooks/{id}')).toEqual([{ reenable: true }])
})
