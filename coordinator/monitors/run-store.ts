import type { Db } from 'mongodb'
import { KEY_WINDOW_HOURS } from '../jobs/idempotency.ts'
import { createDueQueue, type Held, NOT_DUE } from '../mongo/due-work.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { using } from '../mongo/indexes.ts'
import { ago, type Clock, nowOf } from '../mongo/time.ts'
import { LOOK_MS, type MonitorDocument, type RunDocument, type RunEnd, runId, runsBy, runsOf } from './documents.ts'
import type { Occurrence } from './schedule.ts'

/** A run that this coordinator has begun and holds. */
type StartedRun = Held<RunDocument> & { began_at: Date }

/** How a run by hand was requested. */
export type ByHand = { key: string | undefined }

export type RunStore = ReturnType<typeof createRunStore>

export function createRunStore(db: Db, clock: Clock = '$$NOW') {
  return {
    ...decisions(db, clock),
    ...progress(db, clock),
    ...readsOfRuns(db, clock),
    ...removalsOfRuns(db),
  }
}

function decisions(db: Db, clock: Clock) {
  const runs = runsOf(db)
  const queue = createDueQueue(runs, { leaseMs: LOOK_MS, clock })
  return {
    /** Leases the run that has been due longest. */
    queue,

    /** Ends the work on a held run, which is due again at this time. */
    waitUntil: async (run: Held<RunDocument>, at: Date): Promise<void> => void (await queue.again(run, at)),

    /**
     * Decides that an occurrence runs, and takes the run. Each occurrence is decided once, and one run a monitor is
     * active: unique indexes make this exact. `already_decided`: the occurrence, or the key, has its run. `overlaps`:
     * another one is active.
     */
    async begin(
      { _id: monitor_id, user_id }: MonitorDocument,
      { at, due_at: begins_at }: Occurrence,
      now: Date,
      byHand?: ByHand,
    ): Promise<{ outcome: 'started'; run: StartedRun } | { outcome: 'overlaps' } | { outcome: 'already_decided' }> {
      const _id = runId(monitor_id, at)
      const run: Held<RunDocument> = {
        _id,
        monitor_id,
        user_id,
        at,
        begins_at,
        state: 'due',
        active: true,
        ...queue.heldFrom(now, LOOK_MS),
        ...(byHand && { by_hand: true }),
        ...(byHand?.key !== undefined && { idempotency_key: byHand.key }),
      }
      try {
        // An insert at the database's time: no stored run lacks a state.
        const begun = await runs.findOneAndUpdate(
          { _id, state: { $exists: false } },
          [{ $replaceWith: { $literal: run } }, { $set: { began_at: nowOf(clock) } }],
          { upsert: true, returnDocument: 'after' },
        )
        if (!begun?.began_at) throw new Error(`the run ${_id} was not stored`)
        return { outcome: 'started', run: { ...run, began_at: begun.began_at } }
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        return { outcome: isDuplicateKey(error, runsBy.monitor_active) ? 'overlaps' : 'already_decided' }
      }
    },

    /** Decides that occurrences get no job, each once. */
    async skip(monitor: MonitorDocument, skipped: readonly Occurrence[], reason: string): Promise<void> {
      if (skipped.length === 0) return
      const { _id: monitor_id, user_id } = monitor
      const writes = skipped.map(({ at, due_at: begins_at }) => ({
        updateOne: {
          filter: { _id: runId(monitor_id, at) },
          update: { $setOnInsert: { monitor_id, user_id, at, begins_at, state: 'skipped' as const, reason } },
          upsert: true,
        },
      }))
      await runs.bulkWrite(writes, { ordered: false })
    },
  }
}

function progress(db: Db, clock: Clock) {
  const runs = runsOf(db)
  return {
    /** Notes the job of a due run. */
    async started({ _id }: RunDocument, job_id: string): Promise<void> {
      const started = { state: 'started', job_id, started_at: nowOf(clock), ...NOT_DUE }
      await runs.updateOne({ _id, state: 'due' }, [{ $set: started }])
    },

    /** Decides that a due run gets no job. */
    async refuse({ _id }: RunDocument, reason: string): Promise<void> {
      const refused = { state: 'skipped', reason: { $literal: reason }, active: '$$REMOVE', ...NOT_DUE }
      await runs.updateOne({ _id, state: 'due' }, [{ $set: refused }])
    },

    /**
     * Writes how a run ended. Safe to repeat. One that is not compared yet is due again after a minute, then after as long
     * as it has ended, at most an hour.
     */
    async end(run: RunEnd, isCompared = true): Promise<void> {
      const { monitor_id, user_id, at, began_at, state, job_id, reason, figures } = run
      const ended = {
        ...literals({ began_at, state, job_id, reason, figures }),
        monitor_id,
        user_id,
        at,
        begins_at: { $ifNull: ['$begins_at', at] },
        started_at: { $ifNull: ['$started_at', at] },
        ended_at: { $ifNull: ['$ended_at', nowOf(clock)] },
      }
      const update = [
        { $set: ended },
        { $unset: ['active'] },
        { $set: { ...NOT_DUE, ...(!isCompared && { due_at: laterAgain(nowOf(clock)) }) } },
      ]
      await runs.updateOne({ _id: runId(monitor_id, at) }, update, { upsert: true })
    },
  }
}

const MINUTE_MS = 60_000

/** Returns when a run that could not be compared is tried again. */
const laterAgain = (now: ReturnType<typeof nowOf>) => {
  const age = { $subtract: [now, '$ended_at'] }
  const wait = { $min: [60 * MINUTE_MS, { $max: [MINUTE_MS, age] }] }
  return { $dateAdd: { startDate: now, unit: 'millisecond', amount: wait } }
}

/** Returns the fields with a value as literals of a pipeline: texts of users may begin with a dollar sign. */
const literals = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[field, { $literal: value }]])),
  )

function readsOfRuns(db: Db, clock: Clock) {
  const runs = runsOf(db)
  return {
    active: async (monitor_id: string): Promise<RunDocument | undefined> =>
      (await runs.findOne({ monitor_id, active: true })) ?? undefined,

    /** Whether the run of a job has ended and waits for its comparison, which needs what the job left. */
    isUncompared: async ({ id, at }: { id: string; at: Date }): Promise<boolean> =>
      (await runs.findOne({ _id: runId(id, at), active: { $exists: false }, due_at: { $exists: true } })) !== null,

    /** The latest runs of a monitor, the newest first. */
    latest: (monitor_id: string, limit: number): Promise<RunDocument[]> =>
      runs.find({ monitor_id }, using(runsBy.monitor_at)).sort({ at: -1 }).limit(limit).toArray(),

    /** The run that a user's `Idempotency-Key` began within its window. Frees the key of an older one. */
    async ofKey(user_id: string, idempotency_key: string): Promise<RunDocument | undefined> {
      const oldest = { $dateSubtract: { startDate: nowOf(clock), unit: 'hour', amount: KEY_WINDOW_HOURS } }
      const expired = { user_id, idempotency_key, $expr: { $lt: ['$at', oldest] } }
      await runs.updateOne(expired, { $unset: { idempotency_key: '' } })
      return (await runs.findOne({ user_id, idempotency_key })) ?? undefined
    },

    /** The oldest runs that have ended and were due more than this many days ago, of all monitors. */
    old: (days: number, limit: number): Promise<RunDocument[]> =>
      runs
        .find({ $expr: { $lt: ['$at', ago(24 * days, 'hour')] }, active: { $exists: false } }, using(runsBy.at))
        .sort({ at: 1 })
        .limit(limit)
        .toArray(),
  }
}

function removalsOfRuns(db: Db) {
  const runs = runsOf(db)
  return {
    /** Removes a run by hand that could not begin, unless it did. */
    async forget({ _id }: RunDocument): Promise<void> {
      await runs.deleteOne({ _id, state: 'due' })
    },

    async remove(ids: string[]): Promise<void> {
      await runs.deleteMany({ _id: { $in: ids } })
    },

    async removeOf(monitor_id: string): Promise<void> {
      await runs.deleteMany({ monitor_id }, using(runsBy.monitor_at))
    },
  }
}
