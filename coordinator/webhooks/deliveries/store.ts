import { randomUUID } from 'node:crypto'
import type { Db, Document } from 'mongodb'
import { fromNow } from '../../mongo/clock.ts'
import { type AttemptResult, type DeliveryDocument, deliveriesOf } from './documents.ts'

/** How long a claim holds without being renewed: after a crash another coordinator goes on this much later. */
const CLAIM_SECONDS = 5

/** Attempts that are kept of one delivery; only its owner can ask for more than the five there are. */
const KEPT_ATTEMPTS = 20

// A claim that is lost in a crash was worth nothing without the attempt, whose count is journaled.
const UNJOURNALED = { w: 1, j: false } as const

/** A delivery that is ours to work on. */
export type Claimed = DeliveryDocument & { claim: string }

const untilExpiry = fromNow(CLAIM_SECONDS, 'second')
const due = { status: 'pending', $expr: { $lte: ['$due_at', '$$NOW'] } } as const

/** The deliveries that are not over, and who works on them. */
export function createDeliveryQueue(db: Db) {
  const deliveries = deliveriesOf(db)
  const claimed = ({ _id, claim }: Claimed) => ({ _id, claim, status: 'pending' }) as const
  const change = async (delivery: Claimed, update: Document[]): Promise<boolean> =>
    (await deliveries.updateOne(claimed(delivery), update)).matchedCount === 1

  return {
    /** Deliveries that are due, the longest due first, except those for these webhooks. */
    due: (limit: number, except: readonly string[]): Promise<DeliveryDocument[]> =>
      deliveries
        .find({ ...due, webhook_id: { $nin: [...except] } })
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray(),

    /** Milliseconds until the next delivery is due; undefined when there is none to wait for. */
    async nextDueInMs(): Promise<number | undefined> {
      const [next] = await deliveries
        .aggregate<{ wait: number }>([
          { $match: { status: 'pending', $expr: { $gt: ['$due_at', '$$NOW'] } } },
          { $sort: { due_at: 1 } },
          { $limit: 1 },
          { $project: { wait: { $subtract: ['$due_at', '$$NOW'] } } },
        ])
        .toArray()
      return next && Number(next.wait)
    },

    /** Takes a due delivery. Undefined: somebody else has it. A claim that is neither renewed nor ended runs out. */
    async claim(delivery_id: string): Promise<Claimed | undefined> {
      const claim = randomUUID()
      const update = [{ $set: { claim, due_at: untilExpiry } }]
      const options = { returnDocument: 'after', writeConcern: UNJOURNALED } as const
      const taken = await deliveries.findOneAndUpdate({ ...due, _id: delivery_id }, update, options)
      return taken ? { ...taken, claim } : undefined
    },

    renew: (delivery: Claimed) => change(delivery, [{ $set: { due_at: untilExpiry } }]),

    /**
     * Counts and records an attempt that is about to be made, so that a crash cannot make one too many, with what the
     * limits have counted it for. Gives when, or undefined when the claim is lost.
     */
    async begin(delivery: Claimed, counted: readonly string[]): Promise<Date | undefined> {
      const number = { $add: ['$attempt_count', 1] }
      const attempts = { $slice: [{ $concatArrays: ['$attempts', [{ number, at: '$$NOW' }]] }, -KEPT_ATTEMPTS] }
      const begun = await deliveries.findOneAndUpdate(
        { ...claimed(delivery), attempt_count: delivery.attempt_count },
        [{ $set: { attempt_count: number, attempts, counted, due_at: untilExpiry } }],
        { returnDocument: 'after', projection: { attempts: { $slice: -1 } } },
      )
      return begun?.attempts[0]?.at
    },

    /** Puts a delivery off without an attempt, and keeps what the limits have counted it for. */
    postpone: (delivery: Claimed, until: Date, counted: readonly string[]) =>
      change(delivery, [{ $set: { due_at: until, counted } }, { $unset: 'claim' }]),

    /** Records a failed attempt after which there is another. */
    retryIn: (delivery: Claimed, result: AttemptResult, delayMs: number) =>
      change(delivery, [
        { $set: { attempts: withResult(delivery, result), due_at: fromNow(Math.ceil(delayMs), 'millisecond') } },
        { $unset: 'claim' },
      ]),

    /** Ends a delivery as failed, or as dropped, with the result of its last attempt where there was one. */
    end: (delivery: Claimed, status: 'failed' | 'dropped', result?: AttemptResult) =>
      change(delivery, ended(status, result ? { attempts: withResult(delivery, result) } : {})),

    /** Ends a delivery as delivered. What was answered with a 2xx was delivered, whoever holds the claim by now. */
    async delivered(delivery: Claimed, result: AttemptResult): Promise<void> {
      const filter = { _id: delivery._id, status: { $ne: 'delivered' } } as const
      await deliveries.updateOne(filter, ended('delivered', { attempts: withResult(delivery, result) }))
    },

    /** Drops what a webhook still waits for. What is under way is not called back. */
    async dropWaiting(webhook_id: string): Promise<void> {
      await deliveries.updateMany({ webhook_id, status: 'pending', claim: { $exists: false } }, ended('dropped', {}))
    },
  }
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

const ended = (status: DeliveryDocument['status'], changes: Document): Document[] => [
  { $set: { status, ended_at: '$$NOW', ...changes } },
  { $unset: 'claim' },
]

/** The attempts with the result of the one that this claim began. */
function withResult({ attempt_count }: Claimed, result: AttemptResult): Document {
  const mine = { $eq: ['$$attempt.number', attempt_count + 1] }
  const merged = { $mergeObjects: ['$$attempt', { $literal: result }] }
  return { $map: { input: '$attempts', as: 'attempt', in: { $cond: [mine, merged, '$$attempt'] } } }
}
