import { type Grant, grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds, type Holds } from '@placefleet/coordinator/billing/ledger/holds'
import {
  createLedger,
  type Ledger,
  type LedgerEntry,
  type LedgerStore,
} from '@placefleet/coordinator/billing/ledger/ledger'
import type { MongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { verifyEntries } from '@placefleet/coordinator/billing/verify/verify-entries'
import { AppError } from '@placefleet/coordinator/http/errors'
import fc from 'fast-check'
import { expect } from 'vitest'
import { collected } from './collected.ts'
import { Crash, crashing, type InsertFault } from './memory-ledger.ts'

/** A job and what becomes of it. Amounts in micro-credits. */
type JobPlan = { max: number; min: number; price: number; more: number; ends: 'settled' | 'released'; sweeps: number }
export type Story = { grants: number[]; jobs: JobPlan[]; faults: InsertFault[][] }

const small = fc.nat({ max: 40 })
const jobPlan: fc.Arbitrary<JobPlan> = fc
  .record({
    max: small,
    min: small,
    price: fc.nat({ max: 5 }),
    more: small,
    ends: fc.constantFrom('settled', 'released'),
    sweeps: fc.nat({ max: 2 }),
  })
  .map((plan) => ({ ...plan, max: Math.max(plan.max, plan.min) }))
const insertFaults = fc.array(fc.constantFrom<InsertFault>('none', 'none', 'before', 'after'), { maxLength: 12 })
/** Any story of up to 4 grants and 4 jobs on two replicas. */
export const stories: fc.Arbitrary<Story> = fc.record({
  grants: fc.array(
    fc.integer({ min: -30, max: 100 }).filter((amount) => amount !== 0),
    { maxLength: 4 },
  ),
  jobs: fc.array(jobPlan, { minLength: 1, maxLength: 4 }),
  faults: fc.array(insertFaults, { minLength: 2, maxLength: 2 }),
})

/** Every call to the store waits for its turn, so that any two replicas may get between any two of them. */
function inTurns(scheduler: fc.Scheduler, store: LedgerStore): LedgerStore {
  const turn = <Result>(label: string, call: () => Promise<Result>) =>
    scheduler.schedule(Promise.resolve(), label).then(call)
  return {
    last: (user_id) => turn('last', () => store.last(user_id)),
    spending: (...asked) => turn('spending', () => store.spending(...asked)),
    now: store.now,
    about: (user_id, reference_id) => turn('about', () => store.about(user_id, reference_id)),
    insert: (entry) => turn(`insert ${entry.reference_type} ${entry.reference_id}`, () => store.insert(entry)),
  }
}

/** Ignores the expected errors of a story: a crash, too few credits, an abandoned job. */
async function mayFail(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (error instanceof Crash) return
    if (error instanceof AppError && (error.code === 'insufficient_credits' || error.code === 'conflict')) return
    throw error
  }
}

const grantOf = (user_id: string, amount: number, index: number): Grant => ({
  user_id,
  amount,
  type: amount > 0 ? 'bonus' : 'adjustment',
  reference: { reference_type: 'grant', reference_id: `grant ${index}` },
  description: 'given',
})

type Replica = { ledger: Ledger; holds: Holds; user_id: string }

/** Checks that an answered call was written. */
async function expectRecorded({ ledger, user_id }: Replica, type: string, id: string): Promise<void> {
  const found = (await ledger.about(user_id, id)).filter((entry) => entry.reference_type === type)
  expect(found).toHaveLength(1)
}

async function give(replica: Replica, amount: number, index: number): Promise<void> {
  await grant(replica.ledger, grantOf(replica.user_id, amount, index))
  await expectRecorded(replica, 'grant', `grant ${index}`)
}

async function end(replica: Replica, job_id: string, { ends, price, more }: JobPlan): Promise<void> {
  const { holds, user_id } = replica
  if (ends === 'released') await holds.void({ user_id, job_id })
  else await holds.settle({ user_id, job_id, job_name: job_id, total: price + more })
  await expectRecorded(replica, 'job_settlement', job_id)
}

async function live(replica: Replica, job_id: string, plan: JobPlan): Promise<void> {
  const { holds, user_id } = replica
  await holds.reserve({ user_id, job_id, max: plan.max, min: plan.min })
  await expectRecorded(replica, 'job_hold', job_id)
  if (plan.ends === 'settled') await holds.chargeStart({ user_id, job_id, job_name: job_id, price: plan.price })
  await end(replica, job_id, plan)
}

/** Starts all concurrent work: each grant requested twice, and jobs that one replica runs and the other sweeps. */
function happenings(replicas: Replica[], { grants, jobs }: Story): Promise<void>[] {
  const replica = (index: number) => replicas[index % replicas.length] ?? expect.fail('no replica')
  return [
    ...grants.flatMap((amount, index) => replicas.map((each) => mayFail(give(each, amount, index)))),
    ...jobs.map((plan, index) => mayFail(live(replica(index), `job ${index}`, plan))),
    ...jobs.flatMap((plan, index) =>
      Array.from({ length: plan.sweeps }, (_, sweep) => mayFail(end(replica(index + sweep + 1), `job ${index}`, plan))),
    ),
  ]
}

/** Sweeps the unfinished parts of a job, and checks that it was charged its cost. */
async function expectSettled(sweeper: Replica, job_id: string, plan: JobPlan): Promise<void> {
  const { ledger, holds, user_id } = sweeper
  if (!(await holds.of(user_id, job_id))) return
  await end(sweeper, job_id, plan)
  const placed = (await ledger.about(user_id, job_id)).find((entry) => entry.type === 'hold')?.held_change ?? 0
  const charged = plan.ends === 'settled' ? Math.min(plan.price + plan.more, placed) : 0
  expect(await holds.of(user_id, job_id)).toEqual({ held: 0, charged, settled: true })
}

/** Returns the entries of one user in order, each with a sound state of the account. */
async function soundEntries(store: StoryStore, user_id: string): Promise<LedgerEntry[]> {
  const entries = await collected(store.entries(user_id))
  expect((await verifyEntries(store.entries(user_id))).faults).toEqual([])
  return entries
}

/** A store whose entries can be read back in order. */
export type StoryStore = LedgerStore & Pick<MongoLedgerStore, 'entries'>

/**
 * Plays a story on two replicas over one store, any call to it in any order and with the story's crashes; then sweeps
 * what is left over and checks that every account and every job adds up.
 */
export async function play(scheduler: fc.Scheduler, store: StoryStore, user_id: string, story: Story): Promise<void> {
  const replica = (over: LedgerStore): Replica => {
    const ledger = createLedger(over)
    return { ledger, holds: createHolds(ledger), user_id }
  }
  const replicas = story.faults.map((faults) => replica(inTurns(scheduler, crashing(store, faults))))
  await scheduler.waitFor(Promise.all(happenings(replicas, story)))

  const sweeper = replica(store)
  for (const [index, plan] of story.jobs.entries()) await expectSettled(sweeper, `job ${index}`, plan)
  const entries = await soundEntries(store, user_id)
  const given = story.grants.filter((_, index) => entries.some((entry) => entry.reference_id === `grant ${index}`))
  const spent = entries.filter((entry) => entry.type === 'consumption').map((entry) => entry.amount)
  const { balance, held } = await sweeper.ledger.state(user_id)
  expect(held).toBe(0)
  expect(balance).toBe([...given, ...spent].reduce((sum, amount) => sum + amount, 0))
}
