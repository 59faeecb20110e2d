import type { Db } from 'mongodb'
import { type CheckoutDocument, checkoutsOf } from './documents.ts'
import type { CheckoutSession } from './objects.ts'

/** The checkout sessions we know of. */
export type Checkouts = {
  /** Remembers a session that was opened. */
  add(session: { id: string; user_id: string; created: Date }): Promise<void>
  find(session_id: string): Promise<CheckoutDocument | undefined>
  /** The session in which a payment was made, if we saw it settled. */
  ofPayment(payment_intent: string): Promise<string | undefined>
  /** Notes that a session was credited; one we did not know of is known from then on. */
  settle(session: CheckoutSession): Promise<void>
  /** Notes that an open session will not be paid. */
  giveUp(session_id: string): Promise<void>
  /** Takes an open session that is to be looked at, so that no other coordinator does; undefined: none is. */
  claimDue(): Promise<string | undefined>
}

const FIRST_LOOK_MS = 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

/**
 * The next look at an open session is half its age away: after a minute or two while it is likely to be paid, every few
 * hours for a payment that takes days.
 */
const NEXT_LOOK = {
  $add: [
    '$$NOW',
    {
      $min: [LONGEST_WAIT_MS, { $max: [FIRST_LOOK_MS, { $divide: [{ $subtract: ['$$NOW', '$created_at'] }, 2] }] }],
    },
  ],
}

/** The checkout sessions in the database. */
export function createCheckouts(db: Db): Checkouts {
  const checkouts = checkoutsOf(db)
  return {
    async add({ id, user_id, created }) {
      const due_at = new Date(created.getTime() + FIRST_LOOK_MS)
      await checkouts.insertOne({ _id: id, user_id, created_at: created, state: 'open', due_at })
    },
    find: async (session_id) => (await checkouts.findOne({ _id: session_id })) ?? undefined,
    ofPayment: async (payment_intent) => (await checkouts.findOne({ payment_intent }))?._id,
    async settle({ id, user_id, created, payment_intent }) {
      const payment = payment_intent === undefined ? {} : { payment_intent }
      const settled = { user_id, created_at: created, state: 'settled' as const, ...payment }
      await checkouts.updateOne({ _id: id }, { $set: settled, $unset: { due_at: '' } }, { upsert: true })
    },
    async giveUp(session_id) {
      await checkouts.updateOne({ _id: session_id, state: 'open' }, { $set: { state: 'over' }, $unset: { due_at: '' } })
    },
    async claimDue() {
      const due = { state: 'open' as const, $expr: { $lte: ['$due_at', '$$NOW'] } }
      const claimed = await checkouts.findOneAndUpdate(due, [{ $set: { due_at: NEXT_LOOK } }], { sort: { due_at: 1 } })
      return claimed?._id
    },
  }
}
