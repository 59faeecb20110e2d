import { readConfig } from '@placefleet/coordinator/config'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { addCoordinator, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { pay } from '../../stripe/happenings.ts'
import { SECRET_KEY, startStripe } from '../../stripe/server.ts'
import { WEBHOOK_SECRET } from './stripe-world.ts'

const Opened = z.object({ session_id: z.string() })
const body = { credits: '25', currency: 'USD' }

test('a coordinator sells credits, hears of the payment and grants the higher limits on the next request', async () => {
  const stripe = await startStripe()
  const { url, client } = await addCoordinator(await startWorld(), {
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
    BOOTSTRAP_CREDITS: '1',
    RATE_FREE: '1000:1001',
    RATE_PAID: '1000:1002',
    RATE_ADDRESS: '0.001:1',
  })
  const balance = () => client.call('GET', '/api/v1/credits/balance')
  const limit = async () => (await balance()).headers.get('x-ratelimit-limit')
  // A flood of requests to the URL of events must not block Stripe's events.
  for (let call = 0; call < 20; call++) expect((await client.call('POST', '/stripe/webhook', {})).status).toBe(400)
  stripe.sendEventsTo({ url: `${url}/stripe/webhook`, secret: WEBHOOK_SECRET })
  const { session_id } = Opened.parse((await client.call('POST', '/api/v1/credits/checkout-session', body)).body)
  expect(await limit()).toBe('1001')
  pay(stripe.account, session_id)
  await stripe.delivered()
  expect(await limit()).toBe('1002')
  expect((await balance()).body).toMatchObject({ credit_balance: '26.000000', total_credits_purchased: '25.000000' })
})

test('without a key of Stripe, buying and its events answer 503 billing_not_configured', async () => {
  const { url, client } = await addCoordinator(await startWorld())
  const answers = [
    await client.call('POST', '/api/v1/credits/checkout-session', body),
    await client.call('POST', '/api/v1/credits/reconcile', { session_id: 'cs_test_1' }),
    await client.call('POST', '/stripe/webhook', {}),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { error: 'billing_not_configured' } })
  expect((await fetch(`${url}/stripe/webhook`)).status).toBe(405)
})

test('a key that was pasted wrongly is refused at the start, without being shown', async () => {
  const env = { ...coordinatorEnv(await startWorld()), STRIPE_SECRET_KEY: 'sk_test two words' }
  expect(() => readConfig(env)).toThrow(/STRIPE_SECRET_KEY: must be a Stripe secret key$/)
})
