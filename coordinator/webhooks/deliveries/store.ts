import type { Collection, Db, Document } from 'mongodb'
import { skipOf } from '../../http/params.ts'
import { batchedTogether } from '../../mongo/batched.ts'
import { createDueQueue, type DueQueue, type Held, heldBy, NOT_DUE, setDueNow } from '../../mongo/due-work.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { using } from '../../mongo/indexes.ts'
import { fromNow } from '../../mongo/time.ts'
import { TIMINGS, type Timings } from '../../timings.ts'
import type { WebhookDocument } from '../documents.ts'
import { type AttemptResult, type DeliveryDocument, deliveriesBy, deliveriesOf, queueOf } from './documents.ts'
import type { DeliveryQuery } from './schema.ts'

/** Kept attempts of a delivery. Only retries by its owner make more than five. */
const KEPT_ATTEMPTS = 20

/** A delivery that this coordinator holds. */
export type HeldDelivery = Held<DeliveryDocument>

/** Creates the queues of pending deliveries, fair to each. */
export function createDeliveryQueue(db: Db, { deliveryLeaseMs }: Timings = TIMINGS) {
  const deliveries = deliveriesOf(db)
  const queue = createDueQueue(deliveries, { leaseMs: deliveryLeaseMs, key: 'queue' })
  const { takeOne, takeFairly, nextInMs } = queue
  return {
    takeOne,
    takeFairly,
    nextInMs,
    ...waitingDeliveries(deliveries),
    ...attempts(deliveries, queue, deliveryLeaseMs),
  }
}

const WAITS = { lease: { $exists: false } } as const

/** Deliveries that wait for the same limit. */
export type Waiting = { user_id: string; by_hand?: true } | { queue: string }

const BEHIND_MS = 60_000

/** Returns when a delivery by hand is due that was postponed with others: once they have gone. */
export const behind = (until: Date): Date => new Date(until.getTime() + BEHIND_MS)

/** Returns the changes of deliveries that nobody holds. Each is one write, however many they are. */
function waitingDeliveries(deliveries: Collection<DeliveryDocument>) {
  return {
    /** Drops the waiting deliveries of a webhook. Attempts in flight continue. */
    async dropWaiting({ user_id, _id: webhook_id }: OwnedWebhook): Promise<void> {
      const waiting = { user_id, due_at: { $exists: true }, webhook_id, ...WAITS }
      await deliveries.updateMany(
        waiting,
        [{ $set: { ...ended('dropped'), ...NOT_DUE } }],
        using(deliveriesBy.due_user_id),
      )
    },

    /**
     * Postpones the waiting deliveries of an exhausted account or queue that the limit has not counted yet. Those by
     * hand follow the others a minute later.
     */
    async postponeWaiting(of: Waiting, until: Date, limit: string): Promise<void> {
      const sooner = { ...of, due_at: { $exists: true, $lt: until }, counted: { $ne: limit }, ...WAITS }
      const index = 'queue' in of ? deliveriesBy.due_queue : deliveriesBy.due_user_id
      const later = { $cond: ['$by_hand', behind(until), until] }
      await deliveries.updateMany(sooner, [{ $set: { due_at: later } }], using(index))
    },
  }
}

/** Returns the changes of a held delivery. */
function attempts(
  deliveries: Collection<DeliveryDocument>,
  queue: DueQueue<DeliveryDocument>,
  deliveryLeaseMs: number,
) {
  // Deliveries that end at the same time are written by one command.
  const endDelivered = batchedTogether<{ delivery: HeldDelivery; result: AttemptResult }, void>(async (calls) => {
    const updates = calls.map(({ delivery, result }) => {
      const delivered = { ...ended('delivered'), attempts: withResult(delivery, result), ...NOT_DUE }
      return { updateOne: { filter: { _id: delivery._id }, update: [{ $set: delivered }] } }
    })
    await deliveries.bulkWrite(updates, { ordered: false })
    return () => undefined
  })
  return {
    renew: (delivery: HeldDelivery) => queue.renew(delivery),

    /**
     * Counts and records an attempt before it is made, so a crash cannot cause one too many. Also records which limits
     * counted it. Returns its time, or undefined when the lease is lost.
     */
    async begin(delivery: HeldDelivery, counted: readonly string[]): Promise<Date | undefined> {
      const number = { $add: ['$attempt_count', 1] }
      const attempts = { $slice: [{ $concatArrays: ['$attempts', [{ number, at: '$$NOW' }]] }, -KEPT_ATTEMPTS] }
      const due_at = fromNow(deliveryLeaseMs, 'millisecond')
      const begun = await deliveries.findOneAndUpdate(
        heldBy(delivery),
        [{ $set: { attempt_count: number, attempts, counted, due_at } }],
        { returnDocument: 'after', projection: { attempts: { $slice: -1 } } },
      )
      return begun?.attempts[0]?.at
    },

    /** Postpones a delivery without an attempt, and records which limits counted it. */
    postpone: (delivery: HeldDelivery, until: Date, counted: readonly string[]) =>
      queue.again(delivery, until, { counted }),

    /** Records a failed attempt and schedules the next. */
    retryIn: (delivery: HeldDelivery, result: AttemptResult, delayMs: number) =>
      queue.again(delivery, fromNow(Math.ceil(delayMs), 'millisecond'), { attempts: withResult(delivery, result) }),

    /** Ends a delivery as failed or dropped, with the result of its last attempt if there was one. */
    end: (delivery: HeldDelivery, status: 'failed' | 'dropped', result?: AttemptResult) =>
      queue.done(delivery, { ...ended(status), ...(result && { attempts: withResult(delivery, result) }) }),

    /**
     * Ends a delivery as delivered. It does not check the lease, because a 2xx was received: another coordinator may
     * have taken or ended the delivery meanwhile.
     */
    delivered: (delivery: HeldDelivery, result: AttemptResult) => endDelivered({ delivery, result }),
  }
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

type OwnedWebhook = Pick<WebhookDocument, '_id' | 'user_id'>

const ended = (status: DeliveryDocument['status']) => ({ status, ended_at: '$$NOW' }) as const

/** Returns the attempts, with the result of the one that this holder began. */
function withResult({ attempt_count }: HeldDelivery, result: AttemptResult): Document {
  const mine = { $eq: ['$$attempt.number', attempt_count + 1] }
  const merged = { $mergeObjects: ['$$attempt', { $literal: result }] }
  return { $map: { input: '$attempts', as: 'attempt', in: { $cond: [mine, merged, '$$attempt'] } } }
}

/** Moves the pending deliveries of a webhook to the queues of its new host. */
export async function updateQueueOfPending(
  db: Db,
  { user_id, _id: webhook_id }: OwnedWebhook,
  url: string,
): Promise<void> {
  const waiting = { user_id, due_at: { $exists: true }, webhook_id, ...WAITS }
  const queue = { $cond: ['$by_hand', { $literal: queueOf(url, true) }, { $literal: queueOf(url, false) }] }
  await deliveriesOf(db).updateMany(waiting, [{ $set: { queue } }], using(deliveriesBy.due_user_id))
}

/** Inserts a delivery unless its webhook has one for the same job or pause. Returns whether it was inserted. */
export async function insertDeliveryOnce(db: Db, document: DeliveryDocument): Promise<boolean> {
  try {
    await deliveriesOf(db).insertOne(document)
    return true
  } catch (error) {
    if (isDuplicateKey(error, deliveriesBy.job_webhook, deliveriesBy.pause_webhook)) return false
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

/** Counts the deliveries of all users that are due. */
export function countDueDeliveries(db: Db): Promise<number> {
  return deliveriesOf(db).countDocuments({ due_at: { $exists: true, $lte: new Date() } })
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
export async function retryByHand(
  db: Db,
  { url }: Pick<WebhookDocument, 'url'>,
  { _id }: DeliveryDocument,
): Promise<DeliveryDocument | undefined> {
  const ended = { _id, status: { $ne: 'pending' } } as const
  return (await deliveriesOf(db).findOneAndUpdate(ended, oneMoreAttempt(url), { returnDocument: 'after' })) ?? undefined
}

/**
 * Makes the failed job events of a webhook since a time due for one more attempt each, as `retryByHand` does. Returns
 * how many.
 */
export async function retryFailed(
  db: Db,
  { user_id, _id: webhook_id, url }: Pick<WebhookDocument, '_id' | 'user_id' | 'url'>,
  since: Date,
): Promise<number> {
  const failed = { user_id, webhook_id, status: 'failed', created_at: { $gte: since } } as const
  const ofJobs = { ...failed, event_type: { $ne: 'webhook.test' } } as const
  return (await deliveriesOf(db).updateMany(ofJobs, oneMoreAttempt(url))).modifiedCount
}

const oneMoreAttempt = (url: string): Document[] => [
  {
    $set: {
      status: 'pending',
      ...setDueNow(),
      max_attempts: { $add: ['$attempt_count', 1] },
      by_hand: true,
      queue: { $literal: queueOf(url, true) },
      counted: [],
    },
  },
  { $unset: 'ended_at' },
]
