import { randomUUID } from 'node:crypto'
import type { Collection, Db, Document } from 'mongodb'
import { skipOf } from '../../http/paging.ts'
import { UNJOURNALED } from '../../mongo/connect.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { using } from '../../mongo/indexes.ts'
import { fromNow } from '../../mongo/time.ts'
import { TIMINGS, type Timings } from '../../timings.ts'
import {
  type AttemptResult,
  DELIVERY_JOB_KEY,
  DELIVERY_PAUSE_KEY,
  type DeliveryDocument,
  DUE_INDEX,
  deliveriesOf,
  WEBHOOK_DUE_INDEX,
} from './documents.ts'
import type { DeliveryQuery } from './schema.ts'

/** Kept attempts of a delivery. Only retries by its owner make more than five. */
const KEPT_ATTEMPTS = 20

/** A delivery claimed by this coordinator. */
export type Claimed = DeliveryDocument & { claim: string }

const due = { status: 'pending', $expr: { $lte: ['$due_at', '$$NOW'] } } as const

/** Creates the queue of pending deliveries and their claims. */
export function createDeliveryQueue(db: Db, { deliveryClaimMs }: Timings = TIMINGS) {
  const deliveries = deliveriesOf(db)
  const untilExpiry = fromNow(deliveryClaimMs, 'millisecond')
  return { ...claims(deliveries, untilExpiry), ...attempts(deliveries, untilExpiry) }
}

const claimed = ({ _id, claim }: Claimed) => ({ _id, claim, status: 'pending' }) as const

/** Changes a delivery under its claim. Returns false when the claim is lost. */
async function change(deliveries: Collection<DeliveryDocument>, delivery: Claimed, update: Document[]) {
  return (await deliveries.updateOne(claimed(delivery), update)).matchedCount === 1
}

const waitingOf = (webhook_id: string) => ({ webhook_id, status: 'pending', claim: { $exists: false } }) as const

/** How coordinators find and claim due deliveries. */
function claims(deliveries: Collection<DeliveryDocument>, untilExpiry: Document) {
  return {
    /** Returns due deliveries, longest due first, except those of the given webhooks. */
    due: (limit: number, except: readonly string[]): Promise<DeliveryDocument[]> =>
      deliveries
        .find(
          except.length === 0 ? due : { ...due, webhook_id: { $nin: [...except] } },
          using(except.length === 0 ? DUE_INDEX : WEBHOOK_DUE_INDEX),
        )
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray(),

    /** Milliseconds until the next delivery is due: 0 or less when one is due now, undefined when none waits. */
    async nextDueInMs(): Promise<number | undefined> {
      const [next] = await deliveries
        .aggregate<{ wait: number }>(
          [
            { $match: { status: 'pending' } },
            { $sort: { due_at: 1 } },
            { $limit: 1 },
            { $project: { wait: { $subtract: ['$due_at', '$$NOW'] } } },
          ],
          using(DUE_INDEX),
        )
        .toArray()
      return next && Number(next.wait)
    },

    /**
     * Claims a due delivery. Returns undefined when another coordinator has it. A claim expires unless it is renewed or
     * ended.
     */
    async claim(delivery_id: string): Promise<Claimed | undefined> {
      const claim = randomUUID()
      const update = [{ $set: { claim, due_at: untilExpiry } }]
      const options = { returnDocument: 'after', writeConcern: UNJOURNALED } as const
      const taken = await deliveries.findOneAndUpdate({ ...due, _id: delivery_id }, update, options)
      return taken ? { ...taken, claim } : undefined
    },

    renew: (delivery: Claimed) => change(deliveries, delivery, [{ $set: { due_at: untilExpiry } }]),

    /** Drops the waiting deliveries of a webhook. Attempts in flight continue. */
    async dropWaiting(webhook_id: string): Promise<void> {
      await deliveries.updateMany(waitingOf(webhook_id), ended('dropped', {}), using(WEBHOOK_DUE_INDEX))
    },

    /** Postpones the waiting deliveries of a webhook that a limit has not counted yet, without claiming each. */
    async postponeWaiting(webhook_id: string, until: Date, limit: string): Promise<void> {
      const sooner = { ...waitingOf(webhook_id), counted: { $ne: limit }, due_at: { $lt: until } }
      await deliveries.updateMany(sooner, { $set: { due_at: until } }, using(WEBHOOK_DUE_INDEX))
    },
  }
}

/** Returns the changes of a claimed delivery. */
function attempts(deliveries: Collection<DeliveryDocument>, untilExpiry: Document) {
  return {
    /**
     * Counts and records an attempt before it is made, so a crash cannot cause one too many. Also records which limits
     * counted it. Returns its time, or undefined when the claim is lost.
     */
    async begin(delivery: Claimed, counted: readonly string[]): Promise<Date | undefined> {
      const number = { $add: ['$attempt_count', 1] }
      const attempts = { $slice: [{ $concatArrays: ['$attempts', [{ number, at: '$$NOW' }]] }, -KEPT_ATTEMPTS] }
      const begun = await deliveries.findOneAndUpdate(
        claimed(delivery),
        [{ $set: { attempt_count: number, attempts, counted, due_at: untilExpiry } }],
        { returnDocument: 'after', projection: { attempts: { $slice: -1 } } },
      )
      return begun?.attempts[0]?.at
    },

    /** Postpones a delivery without an attempt, and records which limits counted it. */
    postpone: (delivery: Claimed, until: Date, counted: readonly string[]) =>
      change(deliveries, delivery, [{ $set: { due_at: until, counted } }, { $unset: 'claim' }]),

    /** Records a failed attempt and schedules the next. */
    retryIn: (delivery: Claimed, result: AttemptResult, delayMs: number) =>
      change(deliveries, delivery, [
        { $set: { attempts: withResult(delivery, result), due_at: fromNow(Math.ceil(delayMs), 'millisecond') } },
        { $unset: 'claim' },
      ]),

    /** Ends a delivery as failed or dropped, with the result of its last attempt if there was one. */
    end: (delivery: Claimed, status: 'failed' | 'dropped', result?: AttemptResult) =>
      change(deliveries, delivery, ended(status, result ? { attempts: withResult(delivery, result) } : {})),

    /**
     * Ends a delivery as delivered. It does not check the claim, because a 2xx was received: another coordinator may have
     * claimed or ended the delivery meanwhile.
     */
    async delivered(delivery: Claimed, result: AttemptResult): Promise<void> {
      await deliveries.updateOne({ _id: delivery._id }, ended('delivered', { attempts: withResult(delivery, result) }))
    },
  }
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

const ended = (status: DeliveryDocument['status'], changes: Document): Document[] => [
  { $set: { status, ended_at: '$$NOW', ...changes } },
  { $unset: 'claim' },
]

/** Returns the attempts, with the result of the one that this claim began. */
function withResult({ attempt_count }: Claimed, result: AttemptResult): Document {
  const mine = { $eq: ['$$attempt.number', attempt_count + 1] }
  const merged = { $mergeObjects: ['$$attempt', { $literal: result }] }
  return { $map: { input: '$attempts', as: 'attempt', in: { $cond: [mine, merged, '$$attempt'] } } }
}

/** Inserts a delivery unless its webhook has one for the same job. Returns whether it was inserted. */
export async function insertDeliveryOnce(db: Db, document: DeliveryDocument): Promise<boolean> {
  try {
    await deliveriesOf(db).insertOne(document)
    return true
  } catch (error) {
    if (isDuplicateKey(error, DELIVERY_JOB_KEY) || isDuplicateKey(error, DELIVERY_PAUSE_KEY)) return false
    throw error
  }
}

/** Returns a page of a webhook's deliveries that match the filters, newest first, and their total number. */
export async function pageDeliveries(db: Db, user_id: string, webhook_id: string, query: DeliveryQuery) {
  const { event_type, status, ...page } = query
  const filter = { user_id, webhook_id, ...(event_type ? { event_type } : {}), ...(status ? { status } : {}) }
  const [deliveries, total] = await Promise.all([
    deliveriesOf(db).find(filter).sort({ created_at: -1, _id: -1 }).skip(skipOf(page)).limit(page.limit).toArray(),
    deliveriesOf(db).countDocuments(filter),
  ])
  return { deliveries, total }
}

/** Returns the deliveries of a job: one a webhook. */
export async function deliveriesOfJob(db: Db, user_id: string, job_id: string): Promise<DeliveryDocument[]> {
  return deliveriesOf(db).find({ job_id, user_id }).toArray()
}

/** Returns a delivery of a user's webhook. */
export async function findDelivery(
  db: Db,
  user_id: string,
  webhook_id: string,
  delivery_id: string,
): Promise<DeliveryDocument | undefined> {
  return (await deliveriesOf(db).findOne({ _id: delivery_id, user_id, webhook_id })) ?? undefined
}

/**
 * Makes an ended delivery due for one more attempt under the same id. Returns undefined while it is still pending. The
 * rate limits count it anew; the health of the webhook does not count it.
 */
export async function retryByHand(db: Db, delivery: DeliveryDocument): Promise<DeliveryDocument | undefined> {
  const ended = { _id: delivery._id, status: { $ne: 'pending' } } as const
  return (await deliveriesOf(db).findOneAndUpdate(ended, oneMoreAttempt, { returnDocument: 'after' })) ?? undefined
}

/**
 * Makes the failed job events of a webhook since a time due for one more attempt each, as `retryByHand` does. Returns
 * how many.
 */
export async function retryFailed(db: Db, user_id: string, webhook_id: string, since: Date): Promise<number> {
  const failed = { user_id, webhook_id, status: 'failed', created_at: { $gte: since } } as const
  const ofJobs = { ...failed, event_type: { $ne: 'webhook.test' } } as const
  return (await deliveriesOf(db).updateMany(ofJobs, oneMoreAttempt)).modifiedCount
}

const oneMoreAttempt: Document[] = [
  {
    $set: {
      status: 'pending',
      due_at: '$$NOW',
      max_attempts: { $add: ['$attempt_count', 1] },
      by_hand: true,
      counted: [],
    },
  },
  { $unset: 'ended_at' },
]
