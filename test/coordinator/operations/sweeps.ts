import { isDeepStrictEqual } from 'node:util'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { expireLeases } from '@placefleet/coordinator/jobs/sweep'
import { monitorsOf, runsOf } from '@placefleet/coordinator/monitors/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { sweepMonitors } from '../../harness/coordinator/sweep-monitors.ts'
import { workOn } from '../../harness/coordinator/work-on.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import type { Coordinator } from './bed.ts'

const LONG_AGO = () => new Date(Date.now() - 600_000)

/** A field of a job that was set long ago, if the condition holds. */
const longAgoIf = (condition: object, field: string) => ({
  [field]: { $cond: [condition, { $dateSubtract: { startDate: '$$NOW', unit: 'minute', amount: 10 } }, `$${field}`] },
})

/** A job whose every wait is over. */
const WAITED = {
  ...longAgoIf({ $eq: ['$phase', 'aborting'] }, 'phase_at'),
  ...longAgoIf({ $eq: ['$phase', 'creating'] }, 'created_at'),
  ...longAgoIf({ $gt: ['$due_at', null] }, 'due_at'),
}

/** Returns what time and the loops of a coordinator do. */
export const sweeps = (healthy: Coordinator) => {
  const { db } = healthy
  /** Lets every wait of a user's jobs be over, then runs the loops of a coordinator. */
  const onceMore = async (user_id: string) => {
    await jobsOf(db).updateMany({ user_id }, [{ $set: WAITED }])
    await expireLeases(healthy)
    const due = await jobsOf(db)
      .find({ user_id, due_at: { $exists: true } })
      .toArray()
    for (const { _id } of due) await workOn(db, healthy, _id)
  }
  const jobsNow = async (user_id: string) => {
    const all = await jobsOf(db).find({ user_id }).toArray()
    return all.map(({ due_at, lease, created_at, phase_at, ...state }) => ({
      ...state,
      isDue: due_at !== undefined,
    }))
  }
  return {
    /** Does what coordinators do about the jobs of a user as time passes, until it changes nothing more. */
    async sweep(user_id: string): Promise<void> {
      let before: unknown
      for (let round = 0; round < 4; round++) {
        const state = await jobsNow(user_id)
        if (state.every(({ isDue }) => !isDue) || isDeepStrictEqual(before, state)) return
        before = state
        await onceMore(user_id)
      }
    },
    /** Removes the work of a user, which the sweeps of later situations would find. */
    async forget(user_id: string): Promise<void> {
      for (const all of [jobsOf, tasksOf, monitorsOf, runsOf]) await all(db).deleteMany({ user_id }, SCAN)
    },
    /** Lets the monitors of a user be looked at now, if they are to be looked at at all. */
    async sweepMonitors(user_id: string): Promise<void> {
      for (let round = 0; round < 2; round++) {
        const waiting = { user_id, due_at: { $exists: true } }
        await monitorsOf(db).updateMany(waiting, { $set: { due_at: LONG_AGO() } }, SCAN)
        await runsOf(db).updateMany(waiting, { $set: { due_at: LONG_AGO() } }, SCAN)
        await sweepMonitors(healthy)
      }
    },
  }
}
