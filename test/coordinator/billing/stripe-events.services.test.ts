import { PassThrough } from 'node:stream'
import { findUser } from '@placefleet/coordinator/accounts/store'
import { eventsOf } from '@placefleet/coordinator/billing/purchases/stripe/documents'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { chargeOf, tell } from '../../stripe/account.ts'
import { deliver, signatureOf } from '../../stripe/deliveries.ts'
import { closeDispute, dispute, endPayment, expire, failRefund, pay, refund } from '../../stripe/happenings.ts'
import type { Event } from '../../stripe/objects.ts'
import { deviationsOf, SECRET_KEY, stripeWorld, WEBHOOK_SECRET } from './stripe-world.ts'

const { db } = await testDatabase()

/** Returns a user who bought 25 credits and knows of it by an event. */
async function buyer() {
  const world = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const { session_id } = await world.opened(key)
  world.stripe.sendEventsTo(world.endpoint)
  pay(world.stripe.account, session_id)
  await world.stripe.delivered()
  const { account } = world.stripe
  const settled = async () => {
    await world.stripe.delivered()
    expect(await deviationsOf(db, world.stripe.url, user_id)).toEqual([])
    return world.history(key)
  }
  return { ...world, account, user_id, key, session_id, settled, charge: chargeOf(account, session_id) }
}

describe('an event credits', () => {
  test('a session that was paid at once', async () => {
    const { settled, user_id } = await buyer()
    expect(await settled()).toEqual(['purchase 25.000000'])
    expect((await findUser(db, user_id))?.paid).toBe(true)
  })

  test('a session with a delayed payment, only after it succeeds', async () => {
    const { account, key, opened, settled } = await buyer()
    const { session_id } = await opened(key, '7')
    pay(account, session_id, 'later')
    expect(await settled()).toEqual(['purchase 25.000000'])
    endPayment(account, session_id, true)
    expect(await settled()).toEqual(['purchase 25.000000', 'purchase 7.000000'])
  })

  test('nothing when that payment fails, or the session expires', async () => {
    const { account, key, opened, settled } = await buyer()
    const [late, over] = [await opened(key), await opened(key)]
    pay(account, late.session_id, 'later')
    endPayment(account, late.session_id, false)
    expire(account, over.session_id)
    expect(await settled()).toEqual(['purchase 25.000000'])
    expect(await db.collection('checkouts').countDocuments({ state: 'over' }, SCAN)).toBe(2)
  })
})

describe('an event takes back', () => {
  test('refunds in parts', async () => {
    const { account, charge, key, settled, balance } = await buyer()
    refund(account, charge, 1_000)
    expect(await settled()).toEqual(['purchase 25.000000', 'refund -10.000000'])
    refund(account, charge)
    expect(await settled()).toEqual(['purchase 25.000000', 'refund -10.000000', 'refund -15.000000'])
    expect(await balance(key)).toMatchObject({ credit_balance: '0.000000', total_credits_purchased: '25.000000' })
  })

  test('nothing in the end when the refund fails', async () => {
    const { account, charge, settled } = await buyer()
    const { id } = refund(account, charge, 1_000, 'pending')
    expect(await settled()).toEqual(['purchase 25.000000', 'refund -10.000000'])
    failRefund(account, id)
    expect(await settled()).toEqual(['purchase 25.000000', 'refund -10.000000', 'adjustment 10.000000'])
  })

  test('disputed credits, finally when the dispute is lost', async () => {
    const { account, charge, settled, user_id } = await buyer()
    const { id } = dispute(account, charge)
    expect(await settled()).toEqual(['purchase 25.000000', 'refund -25.000000'])
    closeDispute(account, id, 'lost')
    expect(await settled()).toEqual(['purchase 25.000000', 'refund -25.000000'])
    expect((await findUser(db, user_id))?.paid).toBe(true)
  })

  test('and returns them when the dispute is won', async () => {
    const { account, charge, settled } = await buyer()
    closeDispute(account, dispute(account, charge).id, 'won')
    const history = await settled()
    // Told of both at once, we may have acted on neither.
    expect([
      ['purchase 25.000000'],
      ['purchase 25.000000', 'refund -25.000000', 'adjustment 25.000000'],
    ]).toContainEqual(history)
  })

  test('nothing for a warning of a bank', async () => {
    const { account, charge, settled } = await buyer()
    closeDispute(account, dispute(account, charge, 'warning_needs_response').id, 'warning_closed')
    expect(await settled()).toEqual(['purchase 25.000000'])
  })
})

test('events in any order, each several times, leave the same credits', async () => {
  const { stripe, endpoint, opened, history } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const { session_id } = await opened(key, '30')
  pay(stripe.account, session_id)
  refund(stripe.account, chargeOf(stripe.account, session_id), 1_000)
  refund(stripe.account, chargeOf(stripe.account, session_id), 500)
  const backwards = stripe.account.events.toReversed()
  for (const event of [...backwards, ...backwards, ...stripe.account.events]) {
    expect(await deliver(event, endpoint)).toBe(200)
  }
  const [first, ...rest] = await history(key)
  expect([first, rest.sort()]).toEqual(['purchase 30.000000', ['refund -10.000000', 'refund -5.000000']])
  expect(await deviationsOf(db, stripe.url, user_id)).toEqual([])
})

describe('an event is stored by its id,', () => {
  test('and logged as handled, duplicate or ignored', async () => {
    const { stripe, api, opened } = await stripeWorld(db)
    const { key } = await testUser(db)
    const { session_id } = await opened(key)
    pay(stripe.account, session_id)
    const [paid, completed] = stripe.account.events
    const send = (event: Event | undefined) => {
      const rawBody = JSON.stringify(event)
      const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(rawBody, WEBHOOK_SECRET) }
      return api.call('POST', '/stripe/webhook', { rawBody, headers })
    }
    expect((await send(completed)).body).toEqual({ outcome: 'handled' })
    expect((await send(completed)).body).toEqual({ outcome: 'duplicate' })
    expect((await send(paid)).body).toEqual({ outcome: 'ignored' }) // its type is none of ours
    const stored = await eventsOf(db)
      .find({ _id: { $in: [paid?.id ?? '', completed?.id ?? ''] } })
      .toArray()
    expect(stored.map(({ type, state }) => [type, state]).sort()).toEqual([
      ['checkout.session.completed', 'handled'],
      ['payment_intent.succeeded', 'ignored'],
    ])
  })

  test('and ignored for live mode, unknown sessions and unknown shapes', async () => {
    const { stripe, endpoint, opened, history } = await stripeWorld(db)
    const { key } = await testUser(db)
    const { session_id } = await opened(key)
    const session = stripe.account.sessions.get(session_id) ?? expect.fail()
    tell(stripe.account, 'checkout.session.completed', { ...session, id: 'cs_test_unknown' })
    tell(stripe.account, 'checkout.session.expired', session)
    tell(stripe.account, 'charge.refunded', session) // not a charge, and of no payment
    const [unknown, live, odd] = stripe.account.events
    if (!unknown || !live || !odd) return expect.fail()
    expect(await deliver(unknown, endpoint)).toBe(200)
    expect(await deliver({ ...live, livemode: true }, endpoint)).toBe(200)
    expect(await deliver(odd, endpoint)).toBe(200)
    expect(await history(key)).toEqual([])
  })
})

describe('an event is refused with 400', () => {
  /** Returns a signed event that would credit a session, and ways to spoil it. */
  async function paidEvent() {
    const world = await stripeWorld(db)
    const { key } = await testUser(db)
    const { session_id } = await world.opened(key)
    pay(world.stripe.account, session_id)
    const event = world.stripe.account.events.at(-1) ?? expect.fail()
    const body = JSON.stringify(event, null, 2)
    const send = async (rawBody: string, signature: string | undefined, type = 'application/json') => {
      const headers = { 'content-type': type, ...(signature === undefined ? {} : { 'stripe-signature': signature }) }
      const { status } = await world.api.call('POST', '/stripe/webhook', { rawBody, headers })
      return [status, await world.history(key)]
    }
    return { body, send }
  }
  const now = () => Math.floor(Date.now() / 1_000)

  test('without a signature, or with a malformed one', async () => {
    const { body, send } = await paidEvent()
    for (const signature of [undefined, '', 'v1', 't=,v1=', `t=${now()}`, `t=${now()},v1=`, 't=NaN,v1=00'])
      expect(await send(body, signature)).toEqual([400, []])
  })

  test('when it is forged: another secret, another time, another body', async () => {
    const { body, send } = await paidEvent()
    const valid = signatureOf(body, WEBHOOK_SECRET)
    expect(await send(body, signatureOf(body, 'whsec_another_secret'))).toEqual([400, []])
    expect(await send(body, signatureOf(body, SECRET_KEY))).toEqual([400, []])
    expect(await send(body, valid.replace(/t=\d+/, `t=${now() + 1}`))).toEqual([400, []])
    expect(await send(body, valid.replace('v1=', 'v0='))).toEqual([400, []])
    expect(await send(`${body} `, valid)).toEqual([400, []])
    expect(await send(JSON.stringify(JSON.parse(body)), valid)).toEqual([400, []]) // the same, written anew
    expect(await send('', valid)).toEqual([400, []])
  })

  test('when it is older than 300 s, with a valid signature', async () => {
    const { body, send } = await paidEvent()
    expect(await send(body, signatureOf(body, WEBHOOK_SECRET, now() - 302))).toEqual([400, []])
    expect(await send(body, signatureOf(body, WEBHOOK_SECRET, now() - 290))).toEqual([200, ['purchase 25.000000']])
  })

  test('when it is signed and not an event', async () => {
    const { send } = await paidEvent()
    for (const body of ['null', '[]', '{}', '{"id":"evt_1","type":7}', '{"a":'])
      expect(await send(body, signatureOf(body, WEBHOOK_SECRET))).toEqual([400, []])
  })

  test('415 when it is not JSON by its type, 413 when it is too large', async () => {
    const { body, send } = await paidEvent()
    expect(await send(body, signatureOf(body, WEBHOOK_SECRET), 'text/plain')).toEqual([415, []])
    const large = ' '.repeat(300_000)
    expect(await send(large, signatureOf(large, WEBHOOK_SECRET))).toEqual([413, []])
  })
})

test('keys and the body of an event never appear in logs or answers', async () => {
  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  )
  const { stripe, api, endpoint, opened, reconcile } = await stripeWorld(db, log)
  const { key } = await testUser(db)
  const { session_id } = await opened(key)
  pay(stripe.account, session_id)
  const event = stripe.account.events.at(-1) ?? expect.fail()
  const answers = [
    await deliver(event, endpoint),
    await deliver(event, { ...endpoint, secret: 'whsec_forged_by_somebody' }),
  ]
  expect(answers).toEqual([200, 400])
  const texts = [
    (await api.call('POST', '/stripe/webhook', { rawBody: '{}', headers: { 'content-type': 'application/json' } }))
      .text,
  ]
  for (const kind of ['error', 'garbage', 'wrong', 'busy'] as const) {
    stripe.misbehave({ kind })
    texts.push((await reconcile(key, 'cs_test_other')).text)
  }
  const seen = [...lines, ...texts].join('\n')
  expect(seen).toContain('handled an event of Stripe')
  expect(seen).toContain('payment processor')
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET, 'whsec_', 'placefleet_user', key])
    expect(seen).not.toContain(secret)
})
