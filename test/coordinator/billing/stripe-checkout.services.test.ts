import { createApiKey, findUser } from '@placefleet/coordinator/accounts/store'
import { checkoutsOf, stripeIndexes } from '@placefleet/coordinator/billing/purchases/stripe/documents'
import { removeExpired } from '@placefleet/coordinator/mongo/expiry'
import { describe, expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { deliver } from '../../stripe/deliveries.ts'
import { endPayment, expire, openSession, pay } from '../../stripe/happenings.ts'
import { deviationsOf, stripeWorld } from './stripe-world.ts'

const { db } = await testDatabase()

describe('opening a checkout', () => {
  test('asks Stripe for one line of so many credits at 1 USD each, for this user', async () => {
    const { stripe, opened } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    const { session_id, url } = await opened(key, '25')
    expect(url).toBe(`${stripe.url}/c/pay/${session_id}`)
    expect(stripe.account.sessions.get(session_id)).toMatchObject({
      mode: 'payment',
      amount_total: 2_500,
      currency: 'usd',
      client_reference_id: user_id,
      metadata: { placefleet_user: user_id, placefleet_credits: '25' },
      line_items: [{ quantity: 25, unit_amount: 100 }],
      success_url: 'https://fleet.example/console/credits?checkout=paid&session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://fleet.example/console/credits?checkout=cancelled',
    })
    expect(stripe.calls).toMatchObject([
      { version: '2026-10-28.endive', idempotencyKey: expect.stringMatching(/^\S{36}$/) },
    ])
  })

  test('with a lost first answer opens one session', async () => {
    const { stripe, opened } = await stripeWorld(db)
    const { key } = await testUser(db)
    stripe.misbehave({ kind: 'lost' })
    const opening = opened(key)
    await expect.poll(() => stripe.calls.length).toBe(1)
    stripe.misbehave(undefined)
    const { session_id } = await opening
    expect([...stripe.account.sessions.keys()]).toEqual([session_id])
    expect(new Set(stripe.calls.map((call) => call.idempotencyKey)).size).toBe(1)
  })
})

test('a user opens ten checkouts, then one a minute', async () => {
  const { stripe, open, opened } = await stripeWorld(db)
  const { key } = await testUser(db)
  for (let nth = 0; nth < 10; nth++) await opened(key)
  const refused = await open(key, '25')
  expect([refused.status, refused.body]).toMatchObject([429, { error: 'rate_limited' }])
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(stripe.account.sessions.size).toBe(10)
})

test('a checkout that ended without a payment goes 30 days later, and one that was credited stays', async () => {
  const { stripe, payments, opened, reconcile } = await stripeWorld(db)
  const { key } = await testUser(db)
  const [over, settled] = [(await opened(key)).session_id, (await opened(key)).session_id]
  expire(stripe.account, over)
  pay(stripe.account, settled)
  await reconcile(key, settled)
  await checkoutsOf(db).updateMany({ _id: over }, { $set: { due_at: new Date(0) } })
  await payments.sweepOnce(new AbortController().signal)
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  expect(await checkoutsOf(db).findOne({ _id: over })).toMatchObject({ state: 'over', over_at: expect.any(Date) })

  for (const [days, left] of [
    [29, 2],
    [31, 1],
  ] as const) {
    await checkoutsOf(db).updateOne({ _id: over }, { $set: { over_at: daysAgo(days) } })
    await removeExpired(db, stripeIndexes)
    expect(await checkoutsOf(db).countDocuments({ _id: { $in: [over, settled] } })).toBe(left)
  }
})

describe('a paid checkout', () => {
  test('is credited at once when it is reconciled, and gives every key the paid limits', async () => {
    const { stripe, opened, reconcile, balance, history } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    await createApiKey(db, user_id, { name: 'another' })
    const { session_id } = await opened(key, '25')
    expect((await findUser(db, user_id))?.paid).toBe(false)
    pay(stripe.account, session_id)
    expect((await reconcile(key, session_id)).status).toBe(204)
    expect(await balance(key)).toMatchObject({ credit_balance: '25.000000', total_credits_purchased: '25.000000' })
    expect(await history(key)).toEqual(['purchase 25.000000'])
    expect((await findUser(db, user_id))?.paid).toBe(true)
    expect(await db.collection('api_keys').countDocuments({ user_id, paid: true })).toBe(2)
  })

  test('can be paid on the page itself, which leads back to us', async () => {
    const { endpoint, stripe, opened, balance } = await stripeWorld(db)
    stripe.sendEventsTo(endpoint)
    const { key } = await testUser(db)
    const { session_id, url } = await opened(key, '3')
    expect(await (await fetch(url)).text()).toContain('3.00 USD')
    const body = new URLSearchParams({ outcome: 'paid' })
    const paid = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    const back = `https://fleet.example/console/credits?checkout=paid&session_id=${session_id}`
    expect([paid.status, paid.headers.get('location')]).toEqual([303, back])
    await stripe.delivered()
    expect(await balance(key)).toMatchObject({ credit_balance: '3.000000' })
  })

  test('that is reconciled 25 times and has 25 events at once is one purchase', async () => {
    const { endpoint, stripe, opened, reconcile, history } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    const { session_id } = await opened(key, '7')
    pay(stripe.account, session_id)
    const completed = stripe.account.events.find((event) => event.type === 'checkout.session.completed')
    const statuses = await Promise.all(
      Array.from({ length: 25 }, async () => [
        (await reconcile(key, session_id)).status,
        completed && (await deliver(completed, endpoint)),
      ]),
    )
    expect(new Set(statuses.flat())).toEqual(new Set([204, 200]))
    expect(await history(key)).toEqual(['purchase 7.000000'])
    expect(await deviationsOf(db, stripe.url, user_id)).toEqual([])
  })
})

describe('reconciling is refused', () => {
  test('404 for a session that is unknown, of another user or malformed', async () => {
    const { stripe, opened, reconcile, history } = await stripeWorld(db)
    const { key } = await testUser(db)
    const stranger = await testUser(db)
    const { session_id } = await opened(key)
    pay(stripe.account, session_id)
    const calls = stripe.calls.length
    expect((await reconcile(stranger.key, session_id)).status).toBe(404)
    for (const id of ['cs_test_../../refunds', '../events', 'pi_1', 'cs_test_1?expand', 'é'])
      expect((await reconcile(key, id)).status).toBe(404)
    expect(stripe.calls).toHaveLength(calls) // none of these was worth a question
    expect((await reconcile(key, 'cs_test_nothing')).status).toBe(404)
    expect(await history(stranger.key)).toEqual([])
  })

  test('404 for a session of another user even where we have forgotten it', async () => {
    const { stripe, opened, reconcile, history } = await stripeWorld(db)
    const { key } = await testUser(db)
    const stranger = await testUser(db)
    const { session_id } = await opened(key)
    pay(stripe.account, session_id)
    await db.collection('checkouts').deleteMany({})
    expect((await reconcile(stranger.key, session_id)).status).toBe(404)
    expect((await reconcile(key, session_id)).status).toBe(204)
    expect(await history(key)).toEqual(['purchase 25.000000'])
  })

  test('409 while it is not paid, and always after it expired or its payment failed', async () => {
    const { stripe, opened, reconcile, history } = await stripeWorld(db)
    const { key } = await testUser(db)
    const [open, late, over] = [await opened(key), await opened(key), await opened(key)]
    expect((await reconcile(key, open.session_id)).status).toBe(409)
    pay(stripe.account, late.session_id, 'later')
    expect((await reconcile(key, late.session_id)).status).toBe(409)
    endPayment(stripe.account, late.session_id, false)
    expect((await reconcile(key, late.session_id)).status).toBe(409)
    expire(stripe.account, over.session_id)
    expect((await reconcile(key, over.session_id)).body).toMatchObject({
      message: expect.stringContaining('ended without a payment'),
    })
    expect(await history(key)).toEqual([])
  })

  test.each([
    ['free of charge', { quantity: 25, unit_amount: 0, name: 'x' }, 'usd'],
    ['for less', { quantity: 25, unit_amount: 99, name: 'x' }, 'usd'],
    ['in another currency', { quantity: 25, unit_amount: 100, name: 'x' }, 'eur'],
  ])('409 for one that was completed %s, without paid limits', async (_, item, currency) => {
    const { stripe, reconcile, history } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    const wrong = {
      mode: 'payment',
      client_reference_id: user_id,
      metadata: { placefleet_user: user_id, placefleet_credits: '25' },
      success_url: 'https://fleet.example/',
      cancel_url: 'https://fleet.example/',
      line_items: [item],
      currency,
    }
    const { id } = openSession(stripe.account, wrong, () => stripe.url)
    pay(stripe.account, id)
    expect((await reconcile(key, id)).status).toBe(409)
    expect(await history(key)).toEqual([])
    expect((await findUser(db, user_id))?.paid).toBe(false)
    expect(await deviationsOf(db, stripe.url, user_id)).toEqual([
      expect.stringContaining(`checkout_session ${id}: its amount is`),
    ])
  })

  test('404 for a session of something else that is sold with the same account', async () => {
    const { stripe, reconcile } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    const item = { quantity: 1, unit_amount: 100, name: 'a T-shirt' }
    const urls = { success_url: 'https://shop.example/', cancel_url: 'https://shop.example/' }
    const other = {
      mode: 'payment',
      client_reference_id: user_id,
      metadata: {},
      ...urls,
      line_items: [item],
      currency: 'usd',
    }
    const { id } = openSession(stripe.account, other, () => stripe.url)
    pay(stripe.account, id)
    expect((await reconcile(key, id)).status).toBe(404)
  })
})
