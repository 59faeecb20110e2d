import { recordSearches, searchUpdates } from '@placefleet/coordinator/coverage/store'
import { deleteJob } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { firstSearches } from '@placefleet/coordinator/jobs/search-on'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { circleArea } from '@placefleet/shared/area/area-of'
import { expect } from 'vitest'
import { type Bed, START } from './bed.ts'
import { DELETED, endsAs } from './job-checks.ts'
import type { Operation, Situation } from './operation.ts'

const PAST = () => new Date(Date.now() - 600_000)

/** A running job whose tasks are all done, but one that its agent ends now. */
async function lastTaskDone(bed: Bed) {
  const { user_id, job_id, lease } = await bed.running()
  await tasksOf(bed.db).updateMany({ job_id, state: { $ne: 'running' } }, { $set: { state: 'done' } })
  await bed.healthy.leases.complete(lease, {})
  return { user_id, job_id }
}

/** The job has rested for as long as it may. */
const RESTED = (until: Date) => ({ ms: 10 * 86_400_000, until })

/** A running job past its deadline whose tasks the map site refused, all of them, for as long as it may rest. */
async function blocked(bed: Bed) {
  const { user_id, job_id, lease } = await bed.running()
  await bed.healthy.leases.snooze(lease, { seconds: 1_800, claimant: 'agent', others: [] }, {})
  const { not_before = new Date(), refused = [] } =
    (await tasksOf(bed.db).findOne({ _id: lease.task_id })) ?? expect.fail('no task')
  const others = { job_id, _id: { $ne: lease.task_id } }
  await tasksOf(bed.db).updateMany(others, { $set: { state: 'waiting', not_before, refused } })
  await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { deadline_at: PAST(), rest: RESTED(not_before) } })
  return { user_id, job_id }
}

const AREA = { lat: '52.05', lon: '13.1', radius: 7_000, exhaust: true, max_results: 100_000, max_time: 86_400 }

/** Makes a job one that exhausts its area. */
async function exhausting(bed: Bed, job_id: string): Promise<void> {
  const data = Object.fromEntries(Object.entries(AREA).map(([field, value]) => [`data.${field}`, value]))
  await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: data })
}

/** A running job that exhausts its area, and whose searches have ended: of two keywords, in this state everywhere. */
async function searched(bed: Bed, state: 'searched' | 'cut') {
  const { user_id, job_id, lease } = await bed.running()
  await exhausting(bed, job_id)
  const { db, leases } = bed.healthy
  for (const { keyword } of firstSearches(await bed.find(job_id))) {
    const { bounds } = circleArea({ latitude: 52.05, longitude: 13.1, radius: AREA.radius })
    const search = { bounds, state, places: 0, place_keys: [] }
    const looks = [
      { ...search, look: 0 },
      { ...search, look: 1 },
    ]
    await recordSearches(db, searchUpdates(db, { job_id, keyword: keyword ?? '', ordinal: 0 }, looks))
  }
  await tasksOf(bed.db).updateMany({ job_id, state: { $ne: 'running' } }, { $set: { state: 'done' } })
  await leases.complete(lease, {})
  return { user_id, job_id }
}

const aborts = async (bed: Bed, user_id: string, job_id: string, end: object): Promise<Situation> => ({
  users: [user_id],
  call: async (db) => bed.over(db).engine.abort(job_id, 'timeout'),
  check: endsAs(bed, user_id, end),
})

/** How jobs start and end. */
export const jobLife: readonly Operation[] = [
  {
    name: 'jobs/engine.ts reconcile',
    when: 'at the end of a job',
    async begin(bed) {
      const { user_id, job_id } = await lastTaskDone(bed)
      return {
        users: [user_id],
        call: async (db) => bed.over(db).engine.reconcile(job_id),
        check: endsAs(bed, user_id, { status: 'completed', listed: true, total_cost: START }),
      }
    },
  },
  {
    name: 'jobs/engine.ts reconcile',
    when: 'of a job that exhausts its area, at the end of its searches while cells are cut',
    async begin(bed) {
      const { user_id, job_id } = await searched(bed, 'cut')
      const planned: unknown[] = []
      return {
        users: [user_id],
        call: async (db) => bed.over(db).engine.reconcile(job_id),
        async settle() {
          await bed.sweep(user_id)
          expect(await jobsOf(bed.db).findOne({ _id: job_id })).toMatchObject({ phase: 'running' })
          const searches = await tasksOf(bed.db).find({ job_id, kind: 'discover' }).sort({ ordinal: 1 }).toArray()
          planned.push(...searches.map(({ ordinal, keyword, cells = [] }) => [ordinal, keyword, cells.length]))
          await bed.healthy.engine.abort(job_id, 'timeout')
          await bed.sweep(user_id)
        },
        async check() {
          expect(planned.slice(2)).toEqual([
            [2, 'one', 4],
            [3, 'two', 4],
          ])
          const end = { status: 'completed', partial_reason: 'max_time', total_cost: START }
          await endsAs(bed, user_id, end)()
        },
      }
    },
  },
  {
    name: 'jobs/engine.ts reconcile',
    when: 'of a job that has exhausted its area',
    async begin(bed) {
      const { user_id, job_id } = await searched(bed, 'searched')
      return {
        users: [user_id],
        call: async (db) => bed.over(db).engine.reconcile(job_id),
        check: endsAs(bed, user_id, { status: 'completed', estimate: { total: 0 }, total_cost: START }),
      }
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline of a job that exhausts its area',
    async begin(bed) {
      const { user_id, job_id } = await bed.running()
      await exhausting(bed, job_id)
      await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { deadline_at: PAST() } })
      return aborts(bed, user_id, job_id, { status: 'completed', partial: true, partial_reason: 'max_time' })
    },
  },
  {
    name: 'jobs/engine.ts reconcile',
    when: 'at the end of a deleted job',
    async begin(bed) {
      const { user_id, job_id, lease } = await bed.running()
      await deleteJob(bed.db, bed.healthy.engine, user_id, job_id)
      await bed.healthy.leases.complete(lease, {})
      return {
        users: [user_id],
        call: async (db) => bed.over(db).engine.reconcile(job_id),
        check: endsAs(bed, user_id, { status: 'cancelled', total_cost: START, ...DELETED }),
      }
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline',
    async begin(bed) {
      const { user_id, job_id } = await bed.running()
      await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { deadline_at: PAST() } })
      return aborts(bed, user_id, job_id, { status: 'cancelled', cancel_reason: 'timeout' })
    },
  },
  ...(['before the deadlines are looked at again', 'before a sweep'] as const).map(
    (resumed): Operation => ({
      name: 'jobs/engine.ts abort',
      when: `at the deadline of a job that the map site blocked, ${resumed}`,
      async begin(bed) {
        const { user_id, job_id } = await blocked(bed)
        const end = { status: 'failed', failure_reason: expect.stringMatching(/^blocked/) }
        const resume = async () => {
          if (resumed === 'before a sweep') await bed.healthy.engine.reconcile(job_id)
        }
        return { ...(await aborts(bed, user_id, job_id, end)), resume }
      },
    }),
  ),
  {
    name: 'jobs/engine.ts resultsEnded',
    when: 'of a job whose hold is spent',
    async begin(bed) {
      const { user_id, job_id } = await bed.running()
      const totals = { places: 0, reviews: 0, images: 0 }
      return {
        users: [user_id],
        call: async (db) => bed.over(db).engine.resultsEnded(job_id, totals, true),
        check: endsAs(bed, user_id, { status: 'completed', partial: true, total_cost: START }),
      }
    },
  },
  {
    name: 'jobs/engine.ts start',
    when: 'at the first claim',
    async begin(bed) {
      const { user_id, job_id } = await bed.pending()
      return {
        users: [user_id],
        async call(db) {
          const { engine } = bed.over(db)
          const started = await engine.start(await bed.find(job_id))
          if (started) await engine.abort(job_id, 'user')
        },
        async settle() {
          await bed.healthy.engine.abort(job_id, 'user')
          await bed.sweep(user_id)
        },
      }
    },
  },
]
