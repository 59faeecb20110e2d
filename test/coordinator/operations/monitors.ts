import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { changeMonitor, createMonitor, deleteMonitor } from '@placefleet/coordinator/monitors/change'
import { changesOf, watchedPlacesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { recordChanges } from '@placefleet/coordinator/monitors/changes/record'
import { type MonitorDocument, monitorsOf, runsOf } from '@placefleet/coordinator/monitors/documents'
import { runNow } from '@placefleet/coordinator/monitors/run-now'
import { CreateMonitorRequest } from '@placefleet/coordinator/monitors/schema'
import { removeTasks } from '@placefleet/coordinator/tasks/store'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { sweepMonitors } from '../../harness/coordinator/sweep-monitors.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import type { Bed } from './bed.ts'
import type { Operation, Situation } from './operation.ts'
import { placesOf } from './results.ts'

const REQUEST = CreateMonitorRequest.parse({
  name: 'm',
  job: { name: 'j', keywords: ['one'], language: 'en', max_results: 5 },
  schedule: { every: '1h' },
})
const HOUR_MS = 3_600_000

/** A user with a monitor that runs every hour. */
async function hourly(bed: Bed, more: Partial<MonitorDocument> = {}, of?: string) {
  const user_id = of ?? (await bed.user(1_000_000_000))
  const { monitor } = await createMonitor(bed.healthy, { user_id, source: 'api', paid: false }, REQUEST)
  const { _id } = monitor
  const hourAgo = new Date(Date.now() - 1.5 * HOUR_MS)
  await monitorsOf(bed.db).updateOne({ _id }, { $set: { anchor: hourAgo, watermark: hourAgo, ...more } })
  const find = async () => (await monitorsOf(bed.db).findOne({ _id })) ?? expect.fail('the monitor is gone')
  return { user_id, monitor_id: _id, find }
}

/** What becomes of the jobs that a race or a crash left: they are looked at, and not ended. */
const jobsOfMonitor = (bed: Bed, id: string) => jobsOf(bed.db).find({ 'monitor.id': id, listed: true }).toArray()

const paused = (bed: Bed, user_id: string, monitor_id: string, isPaused: boolean) => async (db: Db) =>
  changeMonitor(bed.over(db), user_id, monitor_id, { paused: isPaused })

const changes: Operation[] = [
  {
    name: 'monitors/change.ts createMonitor',
    when: 'again with its key',
    async begin(bed) {
      const user_id = await bed.user(1_000_000_000)
      const account = { user_id, source: 'api' as const, paid: false }
      const call = async (db: Db) =>
        createMonitor(bed.over(db), account, REQUEST, { key: 'once', fingerprint: 'of the body' })
      return {
        users: [user_id],
        call,
        settle: async () => void (await call(bed.db)),
        async check() {
          expect(await monitorsOf(bed.db).countDocuments({ user_id }, SCAN), 'monitors').toBe(1)
        },
      }
    },
  },
  {
    name: 'monitors/change.ts changeMonitor',
    when: 'a pause beside a resume',
    notIn: 'crashes',
    async begin(bed) {
      const { user_id, monitor_id } = await hourly(bed)
      return {
        users: [user_id],
        call: paused(bed, user_id, monitor_id, true),
        rival: paused(bed, user_id, monitor_id, false),
      }
    },
  },
  {
    name: 'monitors/run-now.ts runNow',
    when: 'by its user',
    async begin(bed) {
      const { user_id, monitor_id } = await hourly(bed, { watermark: new Date() })
      return {
        users: [user_id],
        call: async (db) => runNow(bed.over(db), user_id, monitor_id),
        async settle() {
          await bed.sweep(user_id)
          await bed.sweepMonitors(user_id)
        },
        async check() {
          expect(await jobsOfMonitor(bed, monitor_id), 'jobs').toHaveLength(1)
        },
      }
    },
  },
  {
    name: 'monitors/run-now.ts runNow',
    when: 'beside the due run of the schedule',
    notIn: 'crashes',
    async begin(bed) {
      const { user_id, monitor_id } = await hourly(bed)
      return {
        users: [user_id],
        call: async (db) => runNow(bed.over(db), user_id, monitor_id),
        rival: () => bed.sweepMonitors(user_id),
        async check() {
          expect(await jobsOfMonitor(bed, monitor_id), 'jobs').toHaveLength(1)
        },
      }
    },
  },
]

const removal: Operation = {
  name: 'monitors/change.ts deleteMonitor',
  when: 'of a monitor with runs, changes and places',
  async begin(bed) {
    const { user_id, monitor_id } = await hourly(bed)
    const at = new Date()
    const place = { monitor_id, place_key: 'k', run_at: at }
    await bed.db.collection('monitor_runs').insertOne({ monitor_id, at, state: 'skipped' })
    await bed.db.collection(watchedPlacesOf(bed.db).collectionName).insertOne({ ...place })
    await bed.db.collection(changesOf(bed.db).collectionName).insertOne({ ...place, sequence: 1 })
    return {
      users: [user_id],
      call: (db) => deleteMonitor(bed.over(db), user_id, monitor_id),
      settle: () => bed.sweepMonitors(user_id),
      async check() {
        const all = [monitorsOf, runsOf, watchedPlacesOf, changesOf]
        for (const collectionOf of all) {
          const { collectionName } = collectionOf(bed.db)
          const left = await bed.db.collection<{ monitor_id: string }>(collectionName).findOne({ monitor_id }, SCAN)
          expect(left, collectionName).toBeNull()
        }
      },
    }
  },
}

/** A monitor whose first run has stored a place, and its job, which has ended. */
async function ended(bed: Bed, status: 'completed' | 'failed', more: Partial<MonitorDocument> = {}) {
  const monitor = await hourly(bed, { watermark: new Date() })
  const { user_id, monitor_id } = monitor
  const { job_id } = await runNow(bed.healthy, user_id, monitor_id)
  await bed.healthy.results.append({ ...placesOf(user_id, job_id).to }, placesOf(user_id, job_id, 'k').places)
  const { held } = await bed.find(job_id)
  const closing = { phase: 'ended', end: status, total_cost: 0, ended_at: new Date() } as const
  await bed.healthy.holds.void({ user_id, job_id })
  await removeTasks(bed.healthy.db, job_id)
  const job = await jobsOf(bed.db).findOneAndUpdate(
    { _id: job_id },
    { $set: { status, held, ...closing }, $unset: { slot: '' } },
    { returnDocument: 'after' },
  )
  await monitorsOf(bed.db).updateOne({ _id: monitor_id }, { $set: more })
  return { ...monitor, job: job ?? expect.fail('no job') }
}

const runs: Operation[] = [
  {
    name: 'monitors/run.ts createMonitorWorkers',
    when: 'at a due run',
    async begin(bed) {
      const { user_id, monitor_id } = await hourly(bed)
      return {
        users: [user_id],
        async call(db) {
          await monitorsOf(bed.db).updateOne({ _id: monitor_id }, { $set: { due_at: new Date(0) } })
          await sweepMonitors(bed.over(db))
        },
        async settle() {
          await bed.sweep(user_id)
          await bed.sweepMonitors(user_id)
        },
        async check() {
          const [job, ...others] = await jobsOfMonitor(bed, monitor_id)
          expect(others).toEqual([])
          const runs = await runsOf(bed.db).find({ monitor_id }).toArray()
          expect(runs).toMatchObject([{ state: 'started', active: true, job_id: job?._id }])
        },
      }
    },
  },
  {
    name: 'monitors/run-end.ts recordRunEnd',
    when: 'of a completed run',
    async begin(bed) {
      const { monitor_id, job } = await ended(bed, 'completed')
      return {
        ...unbilled(),
        call: async (db) => bed.over(db).recordRunEnd(job),
        async check() {
          const [run] = await runsOf(bed.db).find({ monitor_id }).toArray()
          expect(run).toMatchObject({ state: 'completed' })
          expect(run).not.toHaveProperty('active')
          expect(await watchedPlacesOf(bed.db).countDocuments({ monitor_id })).toBe(1)
        },
      }
    },
  },
  {
    name: 'monitors/changes/record.ts recordChanges',
    when: 'of the first run',
    async begin(bed) {
      const { monitor_id, find, job } = await ended(bed, 'completed')
      const { monitor = expect.fail('no monitor') } = job
      return {
        ...unbilled(),
        call: (db) => recordChanges(db, { ...job, monitor }),
        async check() {
          expect(await find()).toMatchObject({ compared_at: monitor.began_at })
          expect(await watchedPlacesOf(bed.db).countDocuments({ monitor_id })).toBe(1)
        },
      }
    },
  },
  {
    name: 'monitors/run-end.ts recordRunEnd',
    when: 'of the third failed run',
    async begin(bed) {
      const { user_id, find, job } = await ended(bed, 'failed', { failures: 2 })
      return {
        ...unbilled(),
        call: async (db) => bed.over(db).recordRunEnd(job),
        async check() {
          expect(await find()).toMatchObject({ paused: true, failures: 3 })
          const told = await deliveriesOf(bed.db).countDocuments({ user_id, event_type: 'monitor.paused' }, SCAN)
          expect(told, 'events of the pause').toBe(1)
        },
      }
    },
  },
]

/** A run of the schedule for a user without credits: it gets no job, and its monitor is paused. */
const refused: Operation = {
  name: 'monitors/start-run.ts startRun',
  when: 'of a run that the credits do not cover',
  async begin(bed) {
    const user_id = await bed.user(0)
    const { monitor_id, find } = await hourly(bed, {}, user_id)
    const told = () => deliveriesOf(bed.db).countDocuments({ user_id, event_type: 'monitor.paused' }, SCAN)
    return {
      users: [user_id],
      async call(db) {
        await monitorsOf(bed.db).updateOne({ _id: monitor_id }, { $set: { due_at: new Date(0) } })
        await sweepMonitors(bed.over(db))
      },
      resume: async () => undefined,
      async settle() {
        await bed.sweep(user_id)
        await bed.sweepMonitors(user_id)
      },
      async check() {
        expect(await find()).toMatchObject({ paused: true })
        expect(await runsOf(bed.db).find({ monitor_id }).toArray()).toMatchObject([{ state: 'skipped' }])
        expect(await told(), 'events of the pause').toBe(1)
        expect(await jobsOfMonitor(bed, monitor_id)).toEqual([])
      },
    }
  },
}

/** The job was ended by hand, so its account has nothing to check. */
const unbilled = (): Pick<Situation, 'users'> => ({ users: [] })

/** The operations of monitors. */
export const monitorOperations: readonly Operation[] = [...changes, removal, ...runs, refused]
