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

const pairs = Object.entries(headersOf())

test.each<[string, Parameters<typeof verifyWebhook>[0]['body'], Parameters<typeof verifyWebhook>[0]['headers']]>([
  ['a text and headers of Node', body, headersOf()],
  ['a text and headers of fetch', body, new Headers(headersOf())],
  ['bytes', Buffer.from(body), headersOf()],
  ['an array buffer', new Uint8Array(Buffer.from(body)).buffer, headersOf()],
  ['names in other letter cases', body, Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), value]))],
  ['lists of values', body, Object.fromEntries(pairs.map(([name, value]) => [name, [value]]))],
  ['pairs of headers', body, pairs],
])('a signed delivery of %s verifies and returns its event', async (_, bytes, headers) => {
  expect(await verifyWebhook({ body: bytes, headers, secret, now })).toEqual(EVENT)
})

test('during a rotation either secret verifies', async () => {
  const next = newSigningSecret()
  const headers = headersOf([next, secret])
  expect(await verifyWebhook({ body, headers, secret, now })).toEqual(EVENT)
  expect(await verifyWebhook({ body, headers, secret: next, now })).toEqual(EVENT)
})

test.each<[string, object, string?]>([
  ['another body', { body: `${body} ` }],
  ['another secret', { secret: newSigningSecret() }],
  ['a secret that is none', { secret: 'whsec_%' }],
  ['another id', { headers: { ...headersOf(), 'webhook-id': 'd2' } }],
  ['no signature', { headers: { ...headersOf(), 'webhook-signature': undefined } }],
  ['a signature that is none', { headers: { ...headersOf(), 'webhook-signature': 'v1,%% v2,AAAA' } }],
  ['an old delivery', { now: new Date(now.getTime() + 301_000) }],
  ['a delivery from the future', { now: new Date(now.getTime() - 301_000) }, 'in the future'],
  ['a time that is none', { headers: { ...headersOf(), 'webhook-timestamp': 'x' } }],
])('%s is refused', async (_, wrong, says = '') => {
  const verifying = verifyWebhook({ body, headers: headersOf(), secret, now, ...wrong })
  await expect(verifying).rejects.toMatchObject({ name: 'WebhookVerificationError' })
  await expect(verifying).rejects.toThrow(says)
})
