import { verifyWebhook } from '@placefleet/client/webhooks'
import { newSigningSecret, signedHeaders } from '@placefleet/shared/webhooks/signature'
import { expect, test } from 'vitest'

const EVENT = { event_type: 'job.completed', job_id: 'a', job_name: 'Café', status: 'completed', result_count: 3 }
const body = JSON.stringify(EVENT)
const secret = newSigningSecret()
const now = new Date('2026-03-02T09:17:03Z')

/** Returns the headers of a delivery as the service sends them. */
const headersOf = (secrets = [secret]) =>
  signedHeaders({ id: 'd1', body: Buffer.from(body), unixSeconds: now.getTime() / 1_000 }, secrets)

test('a signed delivery verifies and returns its event, with headers of Node and of fetch', async () => {
  expect(await verifyWebhook({ body, headers: headersOf(), secret, now })).toEqual(EVENT)
  expect(await verifyWebhook({ body, headers: new Headers(headersOf()), secret, now })).toEqual(EVENT)
})

test.each([
  ['bytes', Buffer.from(body)],
  ['an array buffer', new Uint8Array(Buffer.from(body)).buffer],
])('a body of %s verifies', async (_, bytes) => {
  expect(await verifyWebhook({ body: bytes, headers: headersOf(), secret, now })).toEqual(EVENT)
})

test.each([
  [
    'names in other letter cases',
    (pairs: [string, string][]) => pairs.map(([name, value]) => [name.toUpperCase(), value]),
  ],
  ['lists of values', (pairs: [string, string][]) => pairs.map(([name, value]) => [name, [value]])],
])('headers with %s verify', async (_, change) => {
  const headers = Object.fromEntries(change(Object.entries(headersOf())))
  expect(await verifyWebhook({ body, headers, secret, now })).toEqual(EVENT)
})

test('pairs of headers verify', async () => {
  expect(await verifyWebhook({ body, headers: Object.entries(headersOf()), secret, now })).toEqual(EVENT)
})

test('a delivery from the future is not called old', async () => {
  const early = new Date(now.getTime() - 301_000)
  await expect(verifyWebhook({ body, headers: headersOf(), secret, now: early })).rejects.toThrow('in the future')
})

test('during a rotation either secret verifies', async () => {
  const next = newSigningSecret()
  const headers = headersOf([next, secret])
  expect(await verifyWebhook({ body, headers, secret, now })).toEqual(EVENT)
  expect(await verifyWebhook({ body, headers, secret: next, now })).toEqual(EVENT)
})

test.each([
  ['another body', { body: `${body} ` }],
  ['another secret', { secret: newSigningSecret() }],
  ['a secret that is none', { secret: 'whsec_%' }],
  ['another id', { headers: { ...headersOf(), 'webhook-id': 'd2' } }],
  ['no signature', { headers: { ...headersOf(), 'webhook-signature': undefined } }],
  ['a signature that is none', { headers: { ...headersOf(), 'webhook-signature': 'v1,%% v2,AAAA' } }],
  ['an old delivery', { now: new Date(now.getTime() + 301_000) }],
  ['a delivery from the future', { now: new Date(now.getTime() - 301_000) }],
  ['a time that is none', { headers: { ...headersOf(), 'webhook-timestamp': 'x' } }],
])('%s is refused', async (_, wrong) => {
  const delivery = { body, headers: headersOf(), secret, now, ...wrong }
  await expect(verifyWebhook(delivery)).rejects.toMatchObject({ name: 'WebhookVerificationError' })
})
