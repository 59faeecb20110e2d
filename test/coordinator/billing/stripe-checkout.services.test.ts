import { createApiKey, findUser } from '@placefleet/coordinator/accounts/store'
import { checkoutsOf, stripeIndexes } from '@placefleet/coordinator/billing/purchases/stripe/documents'
import { removeExpired } from '@placefleet/coordinator/mongo/expiry'
import { describe, expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { endPayment, expire, openSession, pay } from '../../stripe/happenings.ts'
import { stripeWorld } from './stripe-world.ts'

const { db } = await testDatabase()

test('opening a checkout asks Stripe for one line of so many credits at 1 USD each, for this user', async () => {
  const { stripe, account, opened } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const { session_id, url } = await opened(key, '25')
  expect(url).toBe(`${stripe.url}/c/pay/${session_id}`)
  expect(account.sessions.get(session_id)).toMatchObject({
    mode: 'payment',
    amount_total: 2_500,
    currency: 'usd',
    client_reference_id: user_id,
    metadata: { placefleet_user: user_id, placefleet_credits: '25' },
    line_items: [{ quantity: 25, unit_amount: 100 }],
    success_url: 'https://fleet.example/console/credits?checkout=paid&session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://fleet.example/console/credits?checkout=cancelled',
  })
  const idempotencyKey = expect.stringMatching(/^\S{36}$/)
  expect(stripe.calls).toMatchObject([{ version: '2026-10-28.endive', idempotencyKey }])
})

test('opening a checkout with a lost first answer opens one session', async () => {
  const { stripe, account, opened } = await stripeWorld(db)
  const { key } = await testUser(db)
  stripe.misbehave('lost')
  const opening = opened(key)
  await expect.poll(() => stripe.calls.length).toBe(1)
  stripe.misbehave(undefined)
  const { session_id } = await opening
  expect([...account.sessions.keys()]).toEqual([session_id])
})

test('a user opens ten checkouts, then one a minute', async () => {
  const { account, open, opened } = await stripeWorld(db)
  const { key } = await testUser(db)
  for (let nth = 0; nth < 10; nth++) await opened(key)
  const refused = await open(key, '25')
  expect([refused.status, refused.body]).toMatchObject([429, { error: 'rate_limited' }])
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(account.sessions.size).toBe(10)
})

test('a checkout that ended without a payment goes 30 days later, and one that was credited stays', async () => {
  const { account, payer, opened, reconcile, sweepAll } = await stripeWorld(db)
  const { key, session_id: settled } = await payer()
  const { session_id: over } = await opened(key)
  expire(account, over)
  await reconcile(key, settled)
  await sweepAll()
  expect(await checkoutsOf(db).findOne({ _id: over })).toMatchObject({ state: 'over', over_at: expect.any(Date) })

  for (const { days, left } of [
    { days: 29, left: 2 },
    { days: 31, left: 1 },
  ]) {
    const over_at = new Date(Date.now() - days * 86_400_000)
    await checkoutsOf(db).updateOne({ _id: over }, { $set: { over_at } })
    await removeExpired(db, stripeIndexes)
    expect(await checkoutsOf(db).countDocuments({ _id: { $in: [over, settled] } })).toBe(left)
  }
})

test('a paid checkout is credited at once when it is reconciled, and gives every key the paid limits', async () => {
  const { payer, reconcile, balance, history } = await stripeWorld(db)
  const { user_id, key, session_id } = await payer()
  await createApiKey(db, user_id, { name: 'another' })
  expect((await findUser(db, user_id))?.paid).toBe(false)
  expect((await reconcile(key, session_id)).status).toBe(204)
  expect(await balance(key)).toMatchObject({ credit_balance: '25.000000', total_credits_purchased: '25.000000' })
  expect(await history(key)).toEqual(['purchase 25.000000'])
  expect((await findUser(db, user_id))?.paid).toBe(true)
  expect(await db.collection('api_keys').countDocuments({ user_id, paid: true })).toBe(2)
})

describe('reconciling is refused', () => {
  test('404 for a session that is unknown, malformed or of another user, even where we have forgotten it', async () => {
    const { stripe, payer, reconcile, history } = await stripeWorld(db)
    const { key, session_id } = await payer()
    const stranger = await testUser(db)
    const calls = stripe.calls.length
    expect((await reconcile(stranger.key, session_id)).status).toBe(404)
    for (const id of ['cs_test_../../refunds', '../events', 'pi_1', 'cs_test_1?expand', 'é'])
      expect((await reconcile(key, id)).status).toBe(404)
    expect(stripe.calls).toHaveLength(calls) // none of these was worth a question
    expect((await reconcile(key, 'cs_test_nothing')).status).toBe(404)
    await db.collection('checkouts').deleteMany({})
    expect((await reconcile(stranger.key, session_id)).status).toBe(404)
    expect(await history(stranger.key)).toEqual([])
    expect((await reconcile(key, session_id)).status).toBe(204)
  })

  test('409 while it is not paid, and always after it expired or its payment failed', async () => {
    const { account, opened, reconcile, history } = await stripeWorld(db)
    const { key } = await testUser(db)
    const [open, late, over] = [await opened(key), await opened(key), await opened(key)]
    expect((await reconcile(key, open.session_id)).status).toBe(409)
    pay(account, late.session_id, 'later')
    expect((await reconcile(key, late.session_id)).status).toBe(409)
    endPayment(account, late.session_id, false)
    expect((await reconcile(key, late.session_id)).status).toBe(409)
    expire(account, over.session_id)
    const message = expect.stringContaining('ended without a payment')
    expect(await reconcile(key, over.session_id)).toMatchObject({ status: 409, body: { message } })
    expect(await history(key)).toEqual([])
  })

  test.each([
    { what: 'was completed free of charge', price: 0, currency: 'usd', status: 409 },
    { what: 'was completed for less', price: 99, currency: 'usd', status: 409 },
    { what: 'was completed in another currency', price: 100, currency: 'eur', status: 409 },
    { what: 'is of something else that is sold with the same account', price: 100, metadata: {}, status: 404 },
  ])('$status for one that $what, without paid limits', async ({ price, currency = 'usd', status, ...more }) => {
    const { stripe, account, reconcile, history, deviations } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    const wrong = {
      mode: 'payment',
      client_reference_id: user_id,
      metadata: { placefleet_user: user_id, placefleet_credits: '25' },
      success_url: 'https://fleet.example/',
      cancel_url: 'https://fleet.example/',
      line_items: [{ quantity: 25, unit_amount: price }],
      currency,
      ...more,
    }
    const { id } = openSession(account, wrong, () => stripe.url)
    pay(account, id)
    expect((await reconcile(key, id)).status).toBe(status)
    expect(await history(key)).toEqual([])
    expect((await findUser(db, user_id))?.paid).toBe(false)
    const reported = status === 409 ? [expect.stringContaining(`checkout_session ${id}: its amount is`)] : []
    expect(await deviations(user_id)).toEqual(reported)
  })
})
