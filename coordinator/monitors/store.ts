import type { Db, Document, UpdateFilter } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { using, usingKey } from '../mongo/indexes.ts'
import { insertInSlot } from '../mongo/locks.ts'
import { ago } from '../mongo/time.ts'
import {
  DUE_INDEX,
  DUE_KEY,
  type MonitorDocument,
  monitorsOf,
  RUNS_INDEX,
  type Run,
  type RunDocument,
  runId,
  runsOf,
  SLOT_INDEX,
  SLOT_KEY,
} from './documents.ts'
import { occurrencesAfter, type Timing } from './schedule.ts'

/** Monitors of one user at most. */
export const MAX_MONITORS = 50

/** How long other coordinators leave a monitor alone that one looks at. */
const LOOK_SECONDS = 60

/** The moment by the database's clock, or by the clock of a test. */
export type Clock = '$$NOW' | (() => Date)

const nowOf = (clock: Clock) => (clock === '$$NOW' ? clock : clock())

/** Returns the fields that decide the due times of a stored monitor. */
export const timingOf = ({ _id, schedule, anchor, jitter_seconds, ends_at }: MonitorDocument): Timing => ({
  ...{ monitor_id: _id, schedule, anchor, jitter_seconds, ends_at },
})

export type MonitorStore = ReturnType<typeof createMonitorStore>

/** Creates the monitors of a database. Reads and writes on behalf of a user take the user first. */
export function createMonitorStore(db: Db, clock: Clock = '$$NOW') {
  return { ...userQueries(db), ...sweepQueries(db, clock), ...runQueries(db) }
}

function userQueries(db: Db) {
  const monitors = monitorsOf(db)
  return {
    /** @throws AppError `conflict` when the user has 50 monitors. */
    async insert(monitor: Omit<MonitorDocument, 'slot'>): Promise<void> {
      const { user_id } = monitor
      const inserted = await insertInSlot({
        limit: MAX_MONITORS,
        key: SLOT_KEY,
        taken: () => monitors.distinct('slot', { user_id }),
        insert: (slot) => monitors.insertOne({ ...monitor, slot }),
      })
      if (!inserted)
        throw new AppError('conflict', `You have ${MAX_MONITORS} monitors, which is the maximum. Delete one.`)
    },

    find: async (user_id: string, monitor_id: string): Promise<MonitorDocument | undefined> =>
      (await monitors.findOne({ _id: monitor_id, user_id })) ?? undefined,

    /** All monitors of a user, oldest first. */
    list: (user_id: string): Promise<MonitorDocument[]> =>
      monitors.find({ user_id }, using(SLOT_INDEX)).sort({ created_at: 1, _id: 1 }).toArray(),

    /** The ids of the API keys that created the monitors of a user. */
    keyIds: async (user_id: string): Promise<string[]> =>
      (await monitors.distinct('key_id', { user_id })).flatMap((key_id) => key_id ?? []),

    /** The ids of the monitors of all users. */
    ids: (): Promise<string[]> => monitors.distinct('_id'),

    /** Changes fields of a user's monitor. Undefined: it does not exist. */
    change: async (
      user_id: string,
      monitor_id: string,
      update: UpdateFilter<MonitorDocument>,
    ): Promise<MonitorDocument | undefined> =>
      (await monitors.findOneAndUpdate({ _id: monitor_id, user_id }, update, { returnDocument: 'after' })) ?? undefined,

    /** Removes a user's monitor with its runs. False: it does not exist. */
    async remove(user_id: string, monitor_id: string): Promise<boolean> {
      const { deletedCount } = await monitors.deleteOne({ _id: monitor_id, user_id })
      if (deletedCount === 0) return false
      await runsOf(db).deleteMany({ monitor_id }, using(RUNS_INDEX))
      return true
    },
  }
}

function sweepQueries(db: Db, clock: Clock) {
  const monitors = monitorsOf(db)
  /** Changes a monitor if it is still as it was. Undefined: another coordinator was first, or it is gone. */
  const compareAndSet = async (filter: Document & { _id: string }, update: Document | Document[]) =>
    (await monitors.findOneAndUpdate(filter, update, { returnDocument: 'after' })) ?? undefined

  return {
    compareAndSet,

    /** The present, as the value of a field in a pipeline. */
    now: () => nowOf(clock),

    /**
     * Claims the monitor that has been due longest, so that other coordinators skip it for a minute. Its `looked_at` is
     * the moment of the claim. Undefined: none is due.
     */
    async takeDue(): Promise<MonitorDocument | undefined> {
      const now = nowOf(clock)
      const again = { $dateAdd: { startDate: now, unit: 'second', amount: LOOK_SECONDS } }
      const due = { due_at: { $exists: true }, $expr: { $lte: ['$due_at', now] } }
      const options = { sort: DUE_KEY, ...usingKey(DUE_INDEX, DUE_KEY), returnDocument: 'after' } as const
      return (await monitors.findOneAndUpdate(due, [{ $set: { looked_at: now, due_at: again } }], options)) ?? undefined
    },

    /** Has a coordinator look at a monitor again at this time. */
    async lookAgain(monitor: MonitorDocument, at: Date): Promise<void> {
      const { _id, looked_at } = monitor
      const asItWas = { _id, ...(looked_at && { looked_at }), due_at: { $exists: true } }
      await monitors.updateOne(asItWas, { $set: { due_at: at } })
    },

    /** Has a coordinator look at a monitor at once. */
    async lookNow(monitor_id: string): Promise<void> {
      await monitors.updateOne({ _id: monitor_id, due_at: { $exists: true } }, [{ $set: { due_at: nowOf(clock) } }])
    },
  }
}

function runQueries(db: Db) {
  const runs = runsOf(db)
  return {
    /** Writes runs that were decided with a watermark, then takes the note of them from the monitor. Safe to repeat. */
    async recordRuns({ _id: monitor_id, unrecorded = [] }: MonitorDocument): Promise<void> {
      if (unrecorded.length === 0) return
      await runs.bulkWrite(
        unrecorded.map((run) => ({
          updateOne: {
            filter: { _id: runId(monitor_id, run.at) },
            update: { $setOnInsert: { monitor_id, ...run } },
            upsert: true,
          },
        })),
        { ordered: false },
      )
      await monitorsOf(db).updateOne(
        { _id: monitor_id },
        { $pull: { unrecorded: { at: { $in: unrecorded.map(({ at }) => at) } } } },
      )
    },

    /** Writes how a run ended. Safe to repeat. */
    async recordEnd(monitor_id: string, { at, ...end }: Run): Promise<void> {
      await runs.updateOne(
        { _id: runId(monitor_id, at) },
        { $set: end, $setOnInsert: { monitor_id, at } },
        { upsert: true },
      )
    },

    /** Removes the runs of a monitor that were due more than this many days ago. */
    async removeOldRuns(monitor_id: string, days: number): Promise<void> {
      const old = { $expr: { $lt: ['$at', ago(24 * days, 'hour')] } }
      await runs.deleteMany({ monitor_id, ...old }, using(RUNS_INDEX))
    },

    /** The latest runs of a monitor, the newest first. */
    latestRuns: (monitor_id: string, limit: number): Promise<RunDocument[]> =>
      runs.find({ monitor_id }, using(RUNS_INDEX)).sort({ at: -1 }).limit(limit).toArray(),
  }
}

/** Returns when a coordinator must look at a monitor next; undefined when no run follows. */
export const nextDue = (monitor: MonitorDocument): Date | undefined =>
  occurrencesAfter(timingOf(monitor), monitor.watermark, 1)[0]?.due_at
