import { createUser, findUser } from '@placefleet/coordinator/accounts/store'
import { createHolds, type Holds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import type { Payments } from '@placefleet/coordinator/billing/purchases/payments'
import { stripePayments } from '@placefleet/coordinator/billing/purchases/stripe/payments'
import { AppError } from '@placefleet/coordinator/http/errors'
import { createLogger } from '@placefleet/shared/log'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { SCAN } from '../../harness/servers/scan.ts'
import { kept, moneyOf } from '../../stripe/account.ts'
import { signatureOf } from '../../stripe/deliveries.ts'
import { closeDispute, dispute, endPayment, expire, failRefund, pay, refund } from '../../stripe/happenings.ts'
import type { Event } from '../../stripe/objects.ts'
import type { StandIn } from '../../stripe/server.ts'
import { collected } from './collected.ts'
import { crashingDb, type Fuse } from './crashing-db.ts'
import { Crash } from './memory-ledger.ts'
import { deviationsOf, SECRET_KEY, WEBHOOK_SECRET } from './stripe-world.ts'

const nth = fc.nat({ max: 200 })

/** Returns a choice among words, each as often as its number says. */
const weighted = <Word extends string>(weights: Record<Word, number>) => {
  const entries: [string, unknown][] = Object.entries(weights)
  const isWord = (word: string): word is Word => word in weights
  const words = entries.flatMap(([word, weight]) => Array<string>(Number(weight)).fill(word)).filter(isWord)
  return fc.constantFrom(...words)
}

/** What a coordinator is asked to do. `of` picks one of the sessions, events or jobs that are there. */
const asked = fc.record({
  do: weighted({ open: 2, news: 4, deliver: 3, reconcile: 2, spend: 4, job: 2, start: 1, end: 2, sweep: 1 }),
  of: nth,
  amount: fc.integer({ min: 1, max: 20 }),
})
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never

/** What people and banks do at Stripe. */
const happened = fc.record({
  happens: weighted({
    pay: 5,
    later: 1,
    succeed: 1,
    fail: 1,
    expire: 1,
    refund: 4,
    unrefund: 2,
    dispute: 2,
    close: 3,
  }),
  of: nth,
  cents: fc.integer({ min: 1, max: 2_500 }),
  well: fc.boolean(),
})
type Happened = typeof happened extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Several things that are asked of a coordinator at once, or a thing that happens. Some coordinators die on the way.
 */
const turn = fc.oneof(
  fc.record({
    at: fc.nat({ max: 1 }),
    asked: fc.array(asked, { minLength: 1, maxLength: 4 }),
    fuse: fc.option(fc.record({ calls: fc.integer({ min: 1, max: 40 }), written: fc.boolean() })),
  }),
  happened,
)
type Turn = { at: number; asked: Asked[]; fuse: Fuse | null } | Happened

/**
 * How undelivered events of the history arrive at its end. `read`: they are read from Stripe. `sent`: Stripe resends
 * rejected events. `lost`: Stripe resends them, except those of checkouts.
 */
type Hearing = 'read' | 'sent' | 'lost'
export type History = { hearing: Hearing; turns: Turn[] }

const manyTurns = fc
  .array(turn, { minLength: 10, maxLength: 40, size: 'max' })
  .map((turns): Turn[] => [{ at: 0, asked: [{ do: 'open', of: 0, amount: 25 }], fuse: null }, ...turns])

/** Any history of one buyer: purchases, events in any order and number, refunds, disputes, jobs and crashes. */
export const histories: fc.Arbitrary<History> = fc.record({
  hearing: fc.constantFrom('read', 'sent', 'lost'),
  turns: manyTurns,
})

/** One coordinator's part in it. */
type Process = { payments: Payments; holds: Holds }
type World = {
  db: Db
  stripe: StandIn
  user_id: string
  hearing: Hearing
  jobs: string[]
  /** The sessions whose payment page a user has received. */
  opened: string[]
  /** The events that were taken in. */
  accepted: Set<string>
}

const log = createLogger('history', 'silent')

function start({ stripe }: World, db: Db): Process {
  const ledger = createLedger(mongoLedgerStore(db))
  const settings = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: stripe.url }
  const parts = { db, ledger, log, publicUrl: 'https://fleet.example' }
  return { payments: stripePayments(settings, parts), holds: createHolds(ledger) }
}

const pick = <Item>(items: Item[], of: number): Item | undefined => items[of % Math.max(1, items.length)]

async function deliver({ accepted, hearing }: World, payments: Payments, event: Event | undefined): Promise<void> {
  if (!event || (hearing === 'lost' && event.type.startsWith('checkout.'))) return
  const body = JSON.stringify(event)
  await payments.receive(Buffer.from(body), signatureOf(body, WEBHOOK_SECRET))
  accepted.add(event.id)
}

async function ask(world: World, { payments, holds }: Process, { do: what, of, amount }: Asked): Promise<unknown> {
  const { account } = world.stripe
  const { user_id, jobs, opened } = world
  const session_id = pick([...account.sessions.keys()], of)
  const job_id = pick(jobs, of)
  const money = amount * 1_000_000
  switch (what) {
    case 'open':
      return opened.push((await payments.checkout.open(user_id, amount)).session_id)
    case 'news':
      return deliver(world, payments, account.events.at(-1 - (of % 3)))
    case 'deliver':
      return deliver(world, payments, pick(account.events, of))
    case 'reconcile':
      return session_id === undefined ? undefined : payments.checkout.reconcile(user_id, session_id)
    case 'spend': {
      const spending = { user_id, job_id: `job ${jobs.length}` }
      jobs.push(spending.job_id)
      await holds.reserve({ ...spending, max: money, min: 1 })
      return holds.settle({ ...spending, job_name: spending.job_id, total: money })
    }
    case 'job': {
      const placed = `job ${jobs.length}`
      jobs.push(placed)
      return holds.reserve({ user_id, job_id: placed, max: money, min: 1 })
    }
    case 'start':
      return job_id === undefined ? undefined : holds.chargeStart({ user_id, job_id, job_name: job_id, price: 7_000 })
    case 'end':
      return job_id === undefined ? undefined : holds.settle({ user_id, job_id, job_name: job_id, total: money })
    case 'sweep':
      await makeDue(world.db)
      return payments.sweepOnce(new AbortController().signal)
  }
}

/** Lets pass what may go wrong: the process died, there is too little credit, or a session is not paid. */
const EXPECTED = ['insufficient_credits', 'conflict', 'not_found']

async function mayFail(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (error instanceof Crash || (error instanceof AppError && EXPECTED.includes(error.code))) return
    throw error
  }
}

/** Lets something happen at Stripe; not everything can, which Stripe tells whoever tries. */
function happen({ stripe: { account }, opened, hearing }: World, { happens, of, cents, well }: Happened): void {
  // If a coordinator died before it answered, the user has no payment page and cannot pay.
  const session_id = pick(hearing === 'lost' ? opened : [...account.sessions.keys()], of) ?? ''
  const oneOf = (ids: Iterable<string>) => pick([...ids], of) ?? ''
  const charge = () => kept(account.charges, oneOf(account.charges.keys()))
  const act = {
    pay: () => pay(account, session_id),
    later: () => pay(account, session_id, 'later'),
    succeed: () => endPayment(account, session_id, true),
    fail: () => endPayment(account, session_id, false),
    expire: () => expire(account, session_id),
    refund: () => refund(account, charge(), well ? cents : undefined, well ? 'succeeded' : 'pending'),
    unrefund: () => failRefund(account, oneOf(account.refunds.keys())),
    dispute: () => dispute(account, charge(), cents < 300 ? 'warning_needs_response' : 'needs_response'),
    close: () => close(account, oneOf(account.disputes.keys()), well),
  }[happens]
  try {
    act()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    log.debug({ err: error }, 'did not happen')
  }
}

/** A dispute that is closed stays so, except that one that was won may be lost later. */
function close(account: StandIn['account'], id: string, won: boolean): void {
  const status = account.disputes.get(id)?.status
  if (status === 'warning_needs_response') closeDispute(account, id, 'warning_closed')
  if (status === 'needs_response') closeDispute(account, id, won ? 'won' : 'lost')
  if (status === 'won' && !won) closeDispute(account, id, 'lost')
}

async function makeDue(db: Db): Promise<void> {
  const past = { $set: { due_at: new Date(0) } }
  for (const name of ['checkouts', 'stripe_events', 'deployment']) {
    await db.collection(name).updateMany({ due_at: { $exists: true } }, past, SCAN)
  }
}

async function playTurns(world: World, turns: Turn[]): Promise<void> {
  const processes = [start(world, world.db), start(world, world.db)]
  for (const turn of turns) {
    if ('happens' in turn) {
      happen(world, turn)
      continue
    }
    const dying = turn.fuse && start(world, crashingDb(world.db, turn.fuse))
    const process = dying ?? processes[turn.at] ?? expect.fail()
    await Promise.all(turn.asked.map((each) => mayFail(ask(world, process, each))))
  }
}

/**
 * Returns the money of a user in micro-credits, according to the entries: purchases minus refunds and disputes, plus
 * their returns.
 */
async function moneyInLedger({ db, user_id }: World): Promise<number> {
  const entries = await collected(mongoLedgerStore(db).entries(user_id))
  const ofMoney = entries.filter((entry) => ['purchase', 'refund', 'refund_deficit', 'adjustment'].includes(entry.type))
  for (const entry of entries) expect(Math.min(entry.balance_after, entry.held_after)).toBeGreaterThanOrEqual(0)
  return ofMoney.reduce((sum, entry) => sum + entry.amount - entry.deficit_change, 0)
}

/** Lets a running coordinator end the jobs, handle the pending events and sweep. */
async function catchUp(world: World): Promise<void> {
  const { db, stripe, user_id, jobs, accepted, hearing } = world
  const { holds, payments } = start(world, db)
  for (const job_id of jobs) await holds.settle({ user_id, job_id, job_name: job_id, total: 1_000_000 })
  const again = hearing === 'read' ? [] : stripe.account.events.filter((event) => !accepted.has(event.id))
  for (const event of again) await deliver(world, payments, event)
  await makeDue(db)
  await payments.sweepOnce(new AbortController().signal)
}

/**
 * Plays a history of a new user, then lets a coordinator that lives catch up, and checks that the ledger is in order
 * and has exactly the money that Stripe has.
 */
export async function playHistory(db: Db, stripe: StandIn, { hearing, turns }: History): Promise<void> {
  const { _id: user_id } = await createUser(db, { email: `${crypto.randomUUID()}@example.com` })
  const world: World = { db, stripe, user_id, hearing, jobs: [], opened: [], accepted: new Set() }
  clear(stripe)
  stripe.forbid(hearing === 'read' ? undefined : '/v1/events')
  await playTurns(world, turns)
  await catchUp(world)

  expect(await deviationsOf(db, stripe.url, user_id)).toEqual([])
  expect(await moneyInLedger(world)).toBe(moneyOf(stripe.account, user_id) * 10_000)
  expect((await findUser(db, user_id))?.paid).toBe(stripe.account.charges.size > 0)
}

/** Forgets the history before, so that each is as long as it is, and none depends on another. */
function clear({ account }: StandIn): void {
  const { sessions, payments, charges, refunds, disputes, events } = account
  for (const all of [sessions, payments, charges, refunds, disputes]) all.clear()
  events.length = 0
}
