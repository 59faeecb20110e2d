import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { eventsOf } from '@placefleet/coordinator/billing/purchases/stripe/documents'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { volume } from '../../harness/volume.ts'
import { type Account, type Charge, type Event, tell } from '../../stripe/account.ts'
import { deliver, signatureOf } from '../../stripe/deliveries.ts'
import { closeDispute, dispute, endPayment, expire, failRefund, pay, refund } from '../../stripe/happenings.ts'
import { SECRET_KEY } from '../../stripe/server.ts'
import { stripeWorld, WEBHOOK_SECRET } from './stripe-world.ts'

const { db } = await testDatabase()

/** Returns a user who bought 25 credits, and whose coordinator hears of all that happens. */
async function buyer() {
  const world = await stripeWorld(db)
  const user = await world.payer()
  expect((await world.reconcile(user.key, user.session_id)).status).toBe(204)
  world.stripe.sendEventsTo(world.endpoint)
  const settled = async () => {
    await world.stripe.delivered()
    expect(await world.deviations(user.user_id)).toEqual([])
    const [bought, ...rest] = await world.history(user.key)
    expect(bought).toBe('purchase 25.000000')
    return rest
  }
  return { ...world, ...user, settled }
}

describe('an event credits', () => {
  test('a session with a delayed payment, only after it succeeds', async () => {
    const { account, key, opened, settled } = await buyer()
    const { session_id } = await opened(key, '7')
    pay(account, session_id, 'later')
    expect(await settled()).toEqual([])
    endPayment(account, session_id, true)
    expect(await settled()).toEqual(['purchase 7.000000'])
  })

  test('nothing when that payment fails, or the session expires', async () => {
    const { account, key, user_id, opened, settled } = await buyer()
    const [late, over] = [await opened(key), await opened(key)]
    pay(account, late.session_id, 'later')
    endPayment(account, late.session_id, false)
    expire(account, over.session_id)
    expect(await settled()).toEqual([])
    expect(await db.collection('checkouts').countDocuments({ state: 'over', user_id }, SCAN)).toBe(2)
  })
})

type Happens = (account: Account, charge: Charge) => unknown

test.each<{ what: string; happens: Happens[]; rows: string[] }>([
  {
    what: 'refunds in parts',
    happens: [(account, charge) => refund(account, charge, 1_000), (account, charge) => refund(account, charge)],
    rows: ['refund -10.000000', 'refund -15.000000'],
  },
  {
    what: 'nothing in the end when the refund fails',
    happens: [
      (account, charge) => refund(account, charge, 1_000, 'pending'),
      (account) => failRefund(account, [...account.refunds.keys()][0] ?? ''),
    ],
    rows: ['refund -10.000000', 'adjustment 10.000000'],
  },
  {
    what: 'disputed credits, finally when the dispute is lost',
    happens: [dispute, (account) => closeDispute(account, [...account.disputes.keys()][0] ?? '', 'lost')],
    rows: ['refund -25.000000'],
  },
  {
    what: 'disputed credits, and returns them when the dispute is won',
    happens: [dispute, (account) => closeDispute(account, [...account.disputes.keys()][0] ?? '', 'won')],
    rows: ['refund -25.000000', 'adjustment 25.000000'],
  },
  {
    what: 'nothing for a warning of a bank',
    happens: [
      (account, charge) => dispute(account, charge, 'warning_needs_response'),
      (account) => closeDispute(account, [...account.disputes.keys()][0] ?? '', 'warning_closed'),
    ],
    rows: [],
  },
])('events take back $what', async ({ happens, rows }) => {
  const { account, charge, settled } = await buyer()
  for (const one of happens) {
    one(account, charge)
    await settled()
  }
  expect(await settled()).toEqual(rows)
})

const happening = fc.record({
  what: fc.constantFrom('buy', 'later', 'end', 'spend', 'refund', 'refund', 'unrefund', 'dispute', 'close', 'close'),
  of: fc.nat({ max: 20 }),
  cents: fc.integer({ min: 1, max: 2_500 }),
  well: fc.boolean(),
})
type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never

/** Lets something happen at Stripe. Not everything can, which Stripe tells whoever tries. */
function happen(account: Account, opened: string[], { what, of, cents, well }: Happening): void {
  const oneOf = <Item>(items: Iterable<Item>) => [...items].find((_, nth, { length }) => nth === of % length)
  const charge = oneOf(account.charges.values())
  const disputed = oneOf(account.disputes.values())
  try {
    if (what === 'buy' || what === 'later') pay(account, opened.pop() ?? '', what === 'buy' ? 'now' : 'later')
    if (what === 'end') endPayment(account, oneOf(account.sessions.keys()) ?? '', well)
    if (what === 'refund' && charge) refund(account, charge, well ? cents : undefined, well ? 'succeeded' : 'pending')
    if (what === 'unrefund') failRefund(account, oneOf(account.refunds.keys()) ?? '')
    if (what === 'dispute' && charge) dispute(account, charge)
    const isOpen = disputed && disputed.status !== 'lost' // one that was won may be lost later
    if (what === 'close' && isOpen) closeDispute(account, disputed.id, well ? 'won' : 'lost')
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
  }
}

test('whatever happens at Stripe, and in whatever order its events arrive and how often, the ledger has its money', async () => {
  const run = async (happenings: Happening[], order: number[]) => {
    const { account, endpoint, ledger, opened, payer, sweepAll, deviations } = await stripeWorld(db)
    const { user_id, key } = await payer()
    const sessions = [(await opened(key, '30')).session_id, (await opened(key, '7')).session_id]
    const holds = createHolds(ledger)
    for (const [nth, one] of happenings.entries()) {
      const job = { user_id, job_id: `${user_id} ${nth}`, job_name: '' }
      if (one.what === 'spend') {
        await holds.reserve({ ...job, max: one.cents * 10_000, min: 0 })
        await holds.settle({ ...job, total: one.cents * 10_000 })
      }
      happen(account, sessions, one)
      const event = account.events.at(-1 - ((order[nth] ?? 0) % account.events.length))
      if (event) expect(await deliver(event, endpoint)).toBe(200)
    }
    await sweepAll()
    expect(await deviations(user_id)).toEqual([])
  }
  const order = fc.array(fc.nat({ max: 30 }), { minLength: 20, maxLength: 20 })
  const happenings = fc.array(happening, { minLength: 5, maxLength: 20 })
  await fc.assert(fc.asyncProperty(happenings, order, run), { numRuns: volume(3, 200) })
})

describe('an event is stored by its id,', () => {
  test('and logged as handled, duplicate or ignored', async () => {
    const { account, api, payer } = await stripeWorld(db)
    await payer()
    const [paid, completed] = account.events
    const send = (event: Event | undefined) => {
      const rawBody = JSON.stringify(event)
      const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(rawBody, WEBHOOK_SECRET) }
      return api.call('POST', '/stripe/webhook', { rawBody, headers })
    }
    expect((await send(completed)).body).toEqual({ outcome: 'handled' })
    expect((await send(completed)).body).toEqual({ outcome: 'duplicate' })
    expect((await send(paid)).body).toEqual({ outcome: 'ignored' }) // its type is none of ours
    const ids = { $in: [paid?.id ?? '', completed?.id ?? ''] }
    const stored = await eventsOf(db).find({ _id: ids }).sort({ type: 1 }).toArray()
    expect(stored).toMatchObject([
      { type: 'checkout.session.completed', state: 'handled' },
      { type: 'payment_intent.succeeded', state: 'ignored' },
    ])
  })

  test('and ignored for live mode, unknown sessions and unknown shapes', async () => {
    const { account, endpoint, opened, history } = await stripeWorld(db)
    const { key } = await testUser(db)
    const { session_id } = await opened(key)
    const session = account.sessions.get(session_id) ?? expect.fail()
    tell(account, 'checkout.session.completed', { ...session, id: 'cs_test_unknown' })
    tell(account, 'checkout.session.expired', session)
    tell(account, 'charge.refunded', session) // not a charge, and of no payment
    const [unknown, live, odd] = account.events
    if (!unknown || !live || !odd) return expect.fail()
    for (const event of [unknown, { ...live, livemode: true }, odd]) expect(await deliver(event, endpoint)).toBe(200)
    expect(await history(key)).toEqual([])
  })
})

describe('an event that would credit a session', () => {
  const now = () => Math.floor(Date.now() / 1_000)
  const signed = (body: string) => signatureOf(body, WEBHOOK_SECRET)

  test.each<[string, (body: string) => { sent?: string; signature?: string; type?: string }, number]>([
    ['without a signature', () => ({}), 400],
    ['with a malformed signature', () => ({ signature: 't=NaN,v1=00' }), 400],
    ['that another secret signed', (body) => ({ signature: signatureOf(body, SECRET_KEY) }), 400],
    ['of another time', (body) => ({ signature: signed(body).replace(/t=\d+/, `t=${now() + 1}`) }), 400],
    ['with another body', (body) => ({ signature: signed(body), sent: `${body} ` }), 400],
    ['written anew', (body) => ({ signature: signed(body), sent: JSON.stringify(JSON.parse(body)) }), 400],
    ['from 302 s ago', (body) => ({ signature: signatureOf(body, WEBHOOK_SECRET, now() - 302) }), 400],
    ['whose type is not JSON', (body) => ({ signature: signed(body), type: 'text/plain' }), 415],
    ['from 290 s ago', (body) => ({ signature: signatureOf(body, WEBHOOK_SECRET, now() - 290) }), 200],
  ])('$0 is answered with $2', async (_, change, expected) => {
    const { account, api, payer, history } = await stripeWorld(db)
    const { key } = await payer()
    const body = JSON.stringify(account.events.at(-1), null, 2)
    const { sent = body, signature, type = 'application/json' } = change(body)
    const headers = { 'content-type': type, ...(signature && { 'stripe-signature': signature }) }
    expect((await api.call('POST', '/stripe/webhook', { rawBody: sent, headers })).status).toBe(expected)
    expect(await history(key)).toEqual(expected === 200 ? ['purchase 25.000000'] : [])
  })

  test.each([
    ['is null', 'null', 400],
    ['has a number as its type', '{"id":"evt_1","type":7}', 400],
    ['is cut off', '{"a":', 400],
    ['has 300,000 bytes', ' '.repeat(300_000), 413],
  ])('is refused when it was signed and $0', async (_, rawBody, status) => {
    const { api } = await stripeWorld(db)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signed(rawBody) }
    expect((await api.call('POST', '/stripe/webhook', { rawBody, headers })).status).toBe(status)
  })
})

test('keys and the body of an event never appear in logs or answers', async () => {
  const { log, lines } = capturedLog()
  log.level = 'trace'
  const { stripe, account, api, endpoint, payer, reconcile } = await stripeWorld(db, log)
  const { key } = await payer()
  const event = account.events.at(-1) ?? expect.fail()
  expect(await deliver(event, endpoint)).toBe(200)
  expect(await deliver(event, { ...endpoint, secret: 'whsec_forged_by_somebody' })).toBe(400)
  const headers = { 'content-type': 'application/json' }
  const texts = [(await api.call('POST', '/stripe/webhook', { rawBody: '{}', headers })).text]
  for (const fault of ['error', 'garbage', 'wrong', 'busy'] as const) {
    stripe.misbehave(fault)
    texts.push((await reconcile(key, 'cs_test_other')).text)
  }
  const seen = [...lines, ...texts].join('\n')
  expect(seen).toContain('handled an event of Stripe')
  expect(seen).toContain('payment processor')
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET, 'whsec_', 'placefleet_user', key])
    expect(seen).not.toContain(secret)
})
