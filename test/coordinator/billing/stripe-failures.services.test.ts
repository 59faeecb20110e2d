import {
  checkoutSession,
  ourMetadata,
  StripeEvent,
  StripeSession,
} from '@placefleet/coordinator/billing/purchases/stripe/objects'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { describe, expect, test } from 'vitest'
import { FAST } from '../../harness/coordinator/fast.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { chargeOf } from '../../stripe/account.ts'
import { deliver } from '../../stripe/deliveries.ts'
import type { Fault } from '../../stripe/faults.ts'
import { pay, refund } from '../../stripe/happenings.ts'
import { deviationsOf, stripeWorld } from './stripe-world.ts'

const { db } = await testDatabase()

/** Everything there is to ask while Stripe misbehaves is asked at once; then it behaves again, and all is caught up. */
async function expectRecovery(fault: Fault, status: number, timings = TIMINGS): Promise<void> {
  const { stripe, endpoint, open, opened, reconcile, history, sweep } = await stripeWorld(db, undefined, timings)
  const { user_id, key } = await testUser(db)
  const { session_id } = await opened(key)
  pay(stripe.account, session_id)
  const event = stripe.account.events.at(-1) ?? expect.fail()
  stripe.misbehave(fault)
  const answers = [open(key, '5'), reconcile(key, session_id)]
  const delivered = deliver(event, endpoint)
  const statuses = (await Promise.all(answers)).map((answer) => [answer.status, answer.headers.has('retry-after')])
  expect(statuses).toEqual(Array(2).fill([status, status === 503]))
  expect(await delivered).toBe(status) // so Stripe will send it again
  expect(await history(key)).toEqual([])

  stripe.misbehave(undefined)
  await db.collection('checkouts').updateMany({ user_id }, { $set: { due_at: new Date(0) } }, SCAN)
  await sweep()
  expect(await history(key)).toEqual(['purchase 25.000000'])
  expect(await deviationsOf(db, stripe.url, user_id)).toEqual([])
  expect((await open(key, '5')).status).toBe(200)
}

describe('clients get an error, nothing stays half done and everything is caught up later, when Stripe', () => {
  test.each<[string, Fault, number]>([
    ['answers 500', { kind: 'error' }, 503],
    ['is busy', { kind: 'busy' }, 503],
    ['cuts connections', { kind: 'reset' }, 503],
    ['loses its answers', { kind: 'lost' }, 503],
    ['answers garbage', { kind: 'garbage' }, 502],
    ['answers something else', { kind: 'wrong' }, 502],
  ])('%s: their error is $2', (_, fault, status) => expectRecovery(fault, status))

  // Longer than this test: only a coordinator that gives up answers its clients.
  test('takes minutes, or its answer never ends', () =>
    Promise.all([
      expectRecovery({ kind: 'slow', ms: 600_000 }, 503, FAST),
      expectRecovery({ kind: 'drip' }, 503, FAST),
    ]))
})

test('while Stripe is down, 503; and when it refuses our key, 502', async () => {
  const { stripe, open, reconcile } = await stripeWorld(db)
  const { key } = await testUser(db)
  stripe.misbehave({ kind: 'refused' })
  expect((await open(key, '5')).status).toBe(502)
  await stripe.close()
  const answer = await reconcile(key, 'cs_test_1')
  expect([answer.status, answer.body]).toMatchObject([503, { code: 503, error: 'billing_unavailable' }])
  expect((await open(key, '5')).status).toBe(503)
})

describe('the sweeper finds payments without an event:', () => {
  test('a paid session', async () => {
    const { stripe, opened, history, sweep, makeDue } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    const { session_id } = await opened(key)
    await db
      .collection<{ _id: string }>('deployment')
      .updateOne({ _id: 'stripe_events' }, { $set: { due_at: new Date(8e15) } })
    pay(stripe.account, session_id)
    await sweep()
    expect(await history(key)).toEqual([]) // it is a minute old at least when it is first looked at
    await makeDue()
    stripe.account.events.length = 0
    await sweep()
    expect(await history(key)).toEqual(['purchase 25.000000'])
    expect(await deviationsOf(db, stripe.url, user_id)).toEqual([])
  })

  test('a refund', async () => {
    const { stripe, opened, history, sweep, makeDue, reconcile } = await stripeWorld(db)
    const { user_id, key } = await testUser(db)
    const { session_id } = await opened(key)
    pay(stripe.account, session_id)
    await reconcile(key, session_id)
    refund(stripe.account, chargeOf(stripe.account, session_id), 500)
    await makeDue()
    await sweep()
    expect(await history(key)).toEqual(['purchase 25.000000', 'refund -5.000000'])
    expect(await deviationsOf(db, stripe.url, user_id)).toEqual([])
  })

  test('a refund that Stripe lists only after a younger event was read', async () => {
    const { stripe, opened, history, sweep, makeDue, reconcile } = await stripeWorld(db)
    const { key } = await testUser(db)
    const { session_id } = await opened(key)
    pay(stripe.account, session_id)
    await reconcile(key, session_id)
    const charge = chargeOf(stripe.account, session_id)
    refund(stripe.account, charge, 500)
    await makeDue()
    await sweep()

    const listed = stripe.account.events.length
    refund(stripe.account, charge, 200)
    for (const event of stripe.account.events.slice(listed)) event.created -= 299
    await makeDue()
    await sweep()
    expect(await history(key)).toEqual(['purchase 25.000000', 'refund -5.000000', 'refund -2.000000'])
  })

  test('a stored event with interrupted handling', async () => {
    const { stripe, endpoint, opened, history, sweep, makeDue } = await stripeWorld(db)
    const { key } = await testUser(db)
    const { session_id } = await opened(key)
    pay(stripe.account, session_id)
    const event = stripe.account.events.at(-1) ?? expect.fail()
    stripe.misbehave({ kind: 'error' })
    expect(await deliver(event, endpoint)).toBe(503)
    stripe.misbehave(undefined)
    stripe.account.events.length = 0
    await db.collection('checkouts').deleteMany({})
    await makeDue()
    await sweep()
    expect(await history(key)).toEqual(['purchase 25.000000'])
    expect(await db.collection('stripe_events').countDocuments({ type: event.type, state: 'received' }, SCAN)).toBe(0)
  })

  test('by several sweepers at once, and each session is requested by one of them', async () => {
    const { stripe, opened, history, sweep, makeDue } = await stripeWorld(db)
    const { key } = await testUser(db)
    const sessions: string[] = []
    for (let n = 0; n < 5; n++) sessions.push((await opened(key, '2')).session_id)
    for (const session of sessions) pay(stripe.account, session)
    await makeDue()
    stripe.account.events.length = 0
    const before = stripe.calls.length
    await Promise.all([sweep(), sweep(), sweep()])
    expect(await history(key)).toEqual(Array(5).fill('purchase 2.000000'))
    // Sessions of other tests may be due as well.
    const requests = stripe.calls.slice(before).filter(({ path }) => sessions.some((session) => path.includes(session)))
    expect(requests).toHaveLength(5)
  })
})

test('a restricted key that may not read disputes keeps no refund from being taken back', async () => {
  const { stripe, endpoint, opened, reconcile, history } = await stripeWorld(db)
  const { key } = await testUser(db)
  const { session_id } = await opened(key)
  pay(stripe.account, session_id)
  await reconcile(key, session_id)
  stripe.forbid('/v1/disputes')
  refund(stripe.account, chargeOf(stripe.account, session_id), 1_000)
  const event = stripe.account.events.at(-1) ?? expect.fail()
  expect(await deliver(event, endpoint)).toBe(502) // Stripe sends it again until the rest can be read
  expect(await history(key)).toEqual(['purchase 25.000000', 'refund -10.000000'])
})

test('a stand-in for Stripe may omit optional fields', () => {
  const metadata = ourMetadata('u', 5)
  const paid = { id: 'cs', status: 'complete', payment_status: 'paid', amount_total: 500, currency: 'usd' }
  const session = StripeSession.parse({ ...paid, client_reference_id: 'u', metadata })
  expect(checkoutSession(session, false)).toMatchObject({ id: 'cs', user_id: 'u', amount: 5_000_000, state: 'paid' })
  expect(StripeSession.safeParse({ id: 'cs', payment_status: 'unpaid' }).success).toBe(true)
  const event = { id: 'evt', type: 'checkout.session.completed', data: { object: { id: 'cs' } } }
  expect(StripeEvent.safeParse(event).success).toBe(true)
})

test('payments are settled with a restricted key that cannot read events', async () => {
  const { stripe, opened, history, sweep, makeDue } = await stripeWorld(db)
  const { key } = await testUser(db)
  const { session_id } = await opened(key)
  pay(stripe.account, session_id)
  stripe.forbid('/v1/events')
  await makeDue()
  await sweep()
  expect(await history(key)).toEqual(['purchase 25.000000'])
})
