import { readConfig } from '@placefleet/coordinator/config'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { addCoordinator, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { pay } from '../../stripe/happenings.ts'
import { startStripe } from '../../stripe/server.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from './stripe-world.ts'

const Opened = z.object({ session_id: z.string() })
const webhook = (url: string) => `${url}/stripe/webhook`

test('a coordinator sells credits, hears of the payment and grants the higher limits on the next request', async () => {
  const stripe = await startStripe({ secretKey: SECRET_KEY })
  onTestFinished(() => stripe.close())
  const { url, client } = await addCoordinator(await startWorld(), {
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
    BOOTSTRAP_CREDITS: '1',
    RATE_FREE: '1000:1001',
    RATE_PAID: '1000:1002',
    RATE_ADDRESS: '0.001:1',
  })
  const limit = async () => (await client.call('GET', '/api/v1/credits/balance')).headers.get('x-ratelimit-limit')
  const unsigned = () =>
    fetch(webhook(url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  // A flood of requests to the URL of events must not block Stripe's events.
  for (let call = 0; call < 20; call++) expect((await unsigned()).status).toBe(400)
  stripe.sendEventsTo({ url: webhook(url), secret: WEBHOOK_SECRET })
  const body = { credits: '25', currency: 'USD' }
  const { session_id } = Opened.parse((await client.call('POST', '/api/v1/credits/checkout-session', body)).body)
  expect(await limit()).toBe('1001')
  pay(stripe.account, session_id)
  await stripe.delivered()
  expect(await limit()).toBe('1002')
  expect((await client.call('GET', '/api/v1/credits/balance')).body).toMatchObject({
    credit_balance: '26.000000',
    total_credits_purchased: '25.000000',
  })
  expect((await client.call('POST', '/api/v1/credits/reconcile', { session_id })).status).toBe(204)
})

test('without a key of Stripe, buying and its events answer 503 billing_not_configured', async () => {
  const { url, client } = await addCoordinator(await startWorld())
  const body = { credits: '25', currency: 'USD' }
  const answers = [
    await client.call('POST', '/api/v1/credits/checkout-session', body),
    await client.call('POST', '/api/v1/credits/reconcile', { session_id: 'cs_test_1' }),
    await client.call('POST', '/stripe/webhook', {}),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { error: 'billing_not_configured' } })
  expect((await fetch(webhook(url))).status).toBe(405)
})

test('a key that was pasted wrongly is refused at the start, without being shown', async () => {
  const env = { ...coordinatorEnv(await startWorld()), STRIPE_SECRET_KEY: 'sk_test two words' }
  expect(() => readConfig(env)).toThrow(/STRIPE_SECRET_KEY: must be a Stripe secret key$/)
})
