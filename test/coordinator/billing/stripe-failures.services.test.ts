import {
  checkoutSession,
  ourMetadata,
  StripeEvent,
  StripeSession,
} from '@placefleet/coordinator/billing/purchases/stripe/objects'
import { describe, expect, test } from 'vitest'
import { FAST } from '../../harness/coordinator/fast.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { deliver } from '../../stripe/deliveries.ts'
import { pay, refund } from '../../stripe/happenings.ts'
import type { Fault } from '../../stripe/server.ts'
import { stripeWorld } from './stripe-world.ts'

const { db } = await testDatabase()

describe('clients get an error, nothing stays half done and everything is caught up later, when Stripe', () => {
  test.each<[string, Fault, number]>([
    ['answers 500', 'error', 503],
    ['is busy', 'busy', 503],
    ['cuts connections', 'reset', 503],
    ['loses its answers', 'lost', 503],
    ['takes minutes', 'slow', 503], // only a coordinator that gives up answers its clients
    ['sends an answer that never ends', 'drip', 503],
    ['answers garbage', 'garbage', 502],
    ['answers something else', 'wrong', 502],
    ['refuses our key', 'refused', 502],
  ])('%s: their error is $2', async (_, fault, status) => {
    const world = await stripeWorld(db, undefined, FAST)
    const { stripe, account, endpoint, open, payer, reconcile, history } = world
    const { user_id, key, session_id } = await payer()
    const event = account.events.at(-1) ?? expect.fail()
    stripe.misbehave(fault)
    const answers = [open(key, '5'), reconcile(key, session_id)]
    const delivered = deliver(event, endpoint)
    const statuses = (await Promise.all(answers)).map((answer) => [answer.status, answer.headers.has('retry-after')])
    expect(statuses).toEqual(Array(2).fill([status, status === 503]))
    expect(await delivered).toBe(status) // so Stripe will send it again
    expect(await history(key)).toEqual([])

    stripe.misbehave(undefined)
    await world.sweepAll()
    expect(await history(key)).toEqual(['purchase 25.000000'])
    expect(await world.deviations(user_id)).toEqual([])
    expect((await open(key, '5')).status).toBe(200)
  })
})

describe('the sweeper finds payments without an event:', () => {
  test('a paid session, a minute after it was opened, also with a key that cannot read events', async () => {
    const { stripe, payer, history, sweep, sweepAll } = await stripeWorld(db)
    const { key } = await payer()
    stripe.forbid('/v1/events')
    await sweep()
    expect(await history(key)).toEqual([])
    await sweepAll()
    expect(await history(key)).toEqual(['purchase 25.000000'])
  })

  test('a refund, also one that Stripe lists only after a younger event was read', async () => {
    const { account, payer, history, sweepAll, reconcile, deviations } = await stripeWorld(db)
    const { user_id, key, session_id, charge } = await payer()
    await reconcile(key, session_id)
    refund(account, charge, 500)
    await sweepAll()
    expect(await history(key)).toEqual(['purchase 25.000000', 'refund -5.000000'])
    expect(await deviations(user_id)).toEqual([])

    const listed = account.events.length
    refund(account, charge, 200)
    for (const event of account.events.slice(listed)) event.created -= 299
    await sweepAll()
    expect(await history(key)).toEqual(['purchase 25.000000', 'refund -5.000000', 'refund -2.000000'])
  })

  test('a stored event with interrupted handling', async () => {
    const { stripe, account, endpoint, payer, history, sweepAll } = await stripeWorld(db)
    const { key } = await payer()
    const event = account.events.at(-1) ?? expect.fail()
    stripe.misbehave('error')
    expect(await deliver(event, endpoint)).toBe(503)
    stripe.misbehave(undefined)
    account.events.length = 0
    await db.collection('checkouts').deleteMany({})
    await sweepAll()
    expect(await history(key)).toEqual(['purchase 25.000000'])
    expect(await db.collection('stripe_events').countDocuments({ type: event.type, state: 'received' }, SCAN)).toBe(0)
  })

  test('by several sweepers at once, and each session is requested by one of them', async () => {
    const { stripe, account, opened, history, sweep, makeDue } = await stripeWorld(db)
    const { key } = await testUser(db)
    const sessions: string[] = []
    for (let n = 0; n < 5; n++) sessions.push((await opened(key, '2')).session_id)
    for (const session of sessions) pay(account, session)
    account.events.length = 0
    await makeDue()
    const before = stripe.calls.length
    await Promise.all([sweep(), sweep(), sweep()])
    expect(await history(key)).toEqual(Array(5).fill('purchase 2.000000'))
    // Sessions of other tests may be due as well.
    const requests = stripe.calls.slice(before).filter(({ path }) => sessions.some((session) => path.includes(session)))
    expect(requests).toHaveLength(5)
  })
})

test('a restricted key that may not read disputes keeps no refund from being taken back', async () => {
  const { stripe, account, endpoint, payer, reconcile, history } = await stripeWorld(db)
  const { key, session_id, charge } = await payer()
  await reconcile(key, session_id)
  stripe.forbid('/v1/disputes')
  refund(account, charge, 1_000)
  const event = account.events.at(-1) ?? expect.fail()
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
