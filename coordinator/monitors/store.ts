import type { Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import type { IdempotentRequest } from '../jobs/idempotency.ts'
import { KEY_WINDOW_HOURS } from '../jobs/idempotency.ts'
import { createDueQueue, type Held, setDueNow } from '../mongo/due-work.ts'
import { using } from '../mongo/indexes.ts'
import { insertInSlot } from '../mongo/locks.ts'
import { type Clock, nowOf } from '../mongo/time.ts'
import {
  LOOK_MS,
  type MonitorDocument,
  type MonitorWithProxies,
  monitorsBy,
  monitorsOf,
  WITHOUT_PROXIES,
} from './documents.ts'
import { occurrencesAfter, type Timing } from './schedule.ts'

/** Monitors of one user at most. */
export const MAX_MONITORS = 50

/** Returns the fields that decide the due times of a stored monitor. */
export const timingOf = ({ _id, schedule, anchor, jitter_seconds, ends_at }: MonitorDocument): Timing => ({
  monitor_id: _id,
  schedule,
  anchor,
  jitter_seconds,
  ends_at,
})

/** A monitor before its first write, which sets the times. */
export type MonitorDraft = Omit<
  MonitorWithProxies,
  'slot' | 'anchor' | 'watermark' | 'due_at' | 'lease' | 'created_at' | 'updated_at' | 'idempotency'
> & { idempotency?: IdempotentRequest }

export type MonitorStore = ReturnType<typeof createMonitorStore>

/** Creates the monitors of a database. Reads and writes on behalf of a user take the user first. */
export function createMonitorStore(db: Db, clock: Clock = '$$NOW') {
  return { ...userQueries(db, clock), ...sweepQueries(db, clock), ...stateQueries(db, clock) }
}

/** A monitor that its user did not delete. */
const KEPT = { slot: { $exists: true } } as const

function userQueries(db: Db, clock: Clock) {
  const monitors = monitorsOf(db)
  return {
    /**
     * Inserts a monitor at the database's time. A coordinator looks at it at once, and finds its first due time.
     * @throws AppError `conflict` when the user has 50 monitors, and the driver's error when its key is taken.
     */
    async insert(draft: MonitorDraft): Promise<MonitorDocument> {
      const { _id, user_id } = draft
      const now = nowOf(clock)
      const expires_at = { $dateAdd: { startDate: now, unit: 'hour', amount: KEY_WINDOW_HOURS } }
      const key = draft.idempotency ? { 'idempotency.expires_at': expires_at } : {}
      const times = { anchor: now, watermark: now, due_at: now, created_at: now, updated_at: now, ...key }
      const inserted = await insertInSlot({
        limit: MAX_MONITORS,
        index: monitorsBy.user_slot,
        taken: () => monitors.distinct('slot', { user_id, ...KEPT }),
        insert: (slot) =>
          monitors.updateOne({ _id }, [{ $replaceWith: { $literal: { ...draft, slot } } }, { $set: times }], {
            upsert: true,
          }),
      })
      const stored = inserted ? await monitors.findOne({ _id }, WITHOUT_PROXIES) : null
      if (stored) return stored
      throw new AppError('conflict', `You have ${MAX_MONITORS} monitors, which is the maximum. Delete one.`)
    },

    /** The monitor that a user's `Idempotency-Key` created within its window. Frees the key of an older one. */
    async ofKey(user_id: string, key: string): Promise<MonitorDocument | undefined> {
      const expired = { user_id, 'idempotency.key': key, $expr: { $lt: ['$idempotency.expires_at', nowOf(clock)] } }
      await monitors.updateOne(expired, { $unset: { idempotency: '' } })
      return (await monitors.findOne({ user_id, 'idempotency.key': key }, WITHOUT_PROXIES)) ?? undefined
    },

    find: async (user_id: string, monitor_id: string): Promise<MonitorDocument | undefined> =>
      (await monitors.findOne({ _id: monitor_id, user_id, ...KEPT }, WITHOUT_PROXIES)) ?? undefined,

    /** Returns a user's monitor, and the present by the database's clock. */
    async findNow(user_id: string, monitor_id: string): Promise<{ monitor: MonitorDocument; now: Date } | undefined> {
      const own = { $match: { _id: monitor_id, user_id, ...KEPT } }
      const stages = [own, { $unset: 'sealed_proxies' }, { $set: { now: nowOf(clock) } }]
      const [document] = await monitors.aggregate<MonitorDocument & { now: Date }>(stages).toArray()
      return document && { monitor: document, now: document.now }
    },

    /** All monitors of a user, oldest first. */
    list: (user_id: string): Promise<MonitorDocument[]> =>
      monitors
        .find({ user_id, ...KEPT }, { ...WITHOUT_PROXIES, ...using(monitorsBy.user_slot) })
        .sort({ created_at: 1, _id: 1 })
        .toArray(),

    /** The ids of the API keys that created the monitors of a user. */
    keyIds: async (user_id: string): Promise<string[]> =>
      (await monitors.distinct('key_id', { user_id, ...KEPT })).flatMap((key_id) => key_id ?? []),

    /**
     * Changes a user's monitor in one write, and has a coordinator look at it at once. Values are literal, except `now`.
     * Undefined: it does not exist.
     * @param change.restart counts its occurrences, or also its intervals, from now on.
     */
    async change(user_id: string, monitor_id: string, change: MonitorChange): Promise<MonitorDocument | undefined> {
      const now = nowOf(clock)
      const values = Object.entries(change.set ?? {}).map(([field, value]) => [field, { $literal: value }])
      const restart = {
        ...(change.restart && { watermark: now, failures: 0 }),
        ...(change.restart === 'intervals' && { anchor: now }),
      }
      const update = [
        { $set: { ...Object.fromEntries(values), ...restart, updated_at: now, ...setDueNow(clock) } },
        ...(change.unset && change.unset.length > 0 ? [{ $unset: change.unset }] : []),
      ]
      const filter = { _id: monitor_id, user_id, ...KEPT }
      return (
        (await monitors.findOneAndUpdate(filter, update, { returnDocument: 'after', ...WITHOUT_PROXIES })) ?? undefined
      )
    },

    /** Hides a user's monitor for good, and has a coordinator remove it. False: it does not exist. */
    async hide(user_id: string, monitor_id: string): Promise<boolean> {
      const now = nowOf(clock)
      const hidden = [{ $set: { deleted_at: now, ...setDueNow(clock), updated_at: now } }, { $unset: ['slot'] }]
      return (await monitors.updateOne({ _id: monitor_id, user_id, ...KEPT }, hidden)).matchedCount === 1
    },
  }
}

/** What a user changes of a monitor. */
type MonitorChange = {
  set?: Partial<MonitorWithProxies>
  unset?: (keyof MonitorWithProxies)[]
  restart?: 'occurrences' | 'intervals' | undefined
}

function sweepQueries(db: Db, clock: Clock) {
  const queue = createDueQueue(monitorsOf(db), { leaseMs: LOOK_MS, clock })
  return {
    /** Leases the monitor that has been due longest. */
    queue,

    /**
     * Ends the work on a held monitor: all occurrences up to its watermark are decided, and it is due again at `next`.
     * Undefined: nothing will be due. Changes nothing if the monitor was changed or taken in the meantime.
     */
    async waitUntil(monitor: Held<MonitorDocument>, next: Date | undefined): Promise<void> {
      const { watermark } = monitor
      await (next ? queue.again(monitor, next, { watermark }) : queue.done(monitor, { watermark }))
    },
  }
}

function stateQueries(db: Db, clock: Clock) {
  const monitors = monitorsOf(db)
  const now = () => nowOf(clock)
  return {
    /** A monitor of any user, also a deleted one. */
    findAny: async (monitor_id: string): Promise<MonitorDocument | undefined> =>
      (await monitors.findOne({ _id: monitor_id }, WITHOUT_PROXIES)) ?? undefined,

    /** A monitor of any user, also a deleted one, with the proxies of its jobs. */
    findWithProxies: async (monitor_id: string): Promise<MonitorWithProxies | undefined> =>
      (await monitors.findOne({ _id: monitor_id })) ?? undefined,

    /** Pauses a monitor on behalf of the service. A coordinator looks at it at once, and tells its user. */
    async pause(monitor_id: string, reason: string): Promise<void> {
      const times = { paused_at: now(), ...setDueNow(clock), updated_at: now() }
      const pause = { ...times, paused: true, pause_reason: { $literal: reason } }
      await monitors.updateOne({ _id: monitor_id, paused: { $exists: false } }, [{ $set: pause }])
    },

    /** Notes that the user heard of the pause of this time. */
    async pauseAnnounced(monitor_id: string, paused_at: Date): Promise<void> {
      await monitors.updateOne({ _id: monitor_id, paused_at }, { $set: { pause_announced: true } })
    },

    /**
     * Counts the end of the run that began at this time, each once, and pauses the monitor after `most` failures in a
     * row. Then a coordinator looks at it at once, and tells its user.
     */
    async countEnd(monitor_id: string, began_at: Date, failed: boolean, { most, reason }: FailureLimit): Promise<void> {
      const paused = { $and: [failed, { $gte: ['$failures', most] }, { $ne: [{ $ifNull: ['$paused', false] }, true] }] }
      const when = (value: unknown, field: string) => ({ $cond: [paused, value, field] })
      await monitors.updateOne(
        { _id: monitor_id, $or: [{ counted_at: { $exists: false } }, { counted_at: { $lt: began_at } }] },
        [
          { $set: { counted_at: began_at, failures: failed ? { $add: ['$failures', 1] } : 0 } },
          {
            $set: {
              pause_reason: when({ $literal: reason }, '$pause_reason'),
              paused_at: when(now(), '$paused_at'),
              due_at: when(now(), '$due_at'),
              lease: when('$$REMOVE', '$lease'),
              paused: when(true, '$paused'),
            },
          },
        ],
      )
    },

    /** Removes a deleted monitor itself. */
    async remove(monitor_id: string): Promise<void> {
      await monitors.deleteOne({ _id: monitor_id, deleted_at: { $exists: true } })
    },
  }
}

type FailureLimit = { most: number; reason: string }

/** Returns when the next run of a monitor begins; undefined when none follows. */
export const nextDue = (monitor: MonitorDocument): Date | undefined =>
  occurrencesAfter(timingOf(monitor), monitor.watermark, 1)[0]?.due_at
