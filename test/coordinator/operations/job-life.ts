import { deleteJob } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
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

/** A running job past its deadline whose tasks the map site refused, all of them. */
async function blocked(bed: Bed) {
  const { user_id, job_id, lease } = await bed.running()
  await bed.healthy.leases.snooze(lease, { seconds: 1_800, host: 'agent', others: [] }, {})
  const { not_before = new Date(), refused = [] } =
    (await tasksOf(bed.db).findOne({ _id: lease.task_id })) ?? expect.fail('no task')
  const others = { job_id, _id: { $ne: lease.task_id } }
  await tasksOf(bed.db).updateMany(others, { $set: { state: 'waiting', not_before, refused } })
  await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { deadline_at: PAST() } })
  return { user_id, job_id }
}

const aborts = async (bed: Bed, user_id: string, job_id: string, end: object): Promise<Situation> => ({
  users: [user_id],
  call: async (db) => bed.over(db).engine.abort(job_id, 'timeout'),
  settle: () => bed.sweep(user_id),
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
        settle: () => bed.sweep(user_id),
        check: endsAs(bed, user_id, { status: 'completed', listed: true, total_cost: START }),
      }
    },
  },
  {
    name: 'jobs/engine.ts reconcile',
    when: 'at the end of a deleted job',
    async begin(bed) {
      const { user_id, job_id, lease } = await bed.running()
      await deleteJob(bed.healthy.jobs, bed.healthy.engine, user_id, job_id)
      await bed.healthy.leases.complete(lease, {})
      return {
        users: [user_id],
        call: async (db) => bed.over(db).engine.reconcile(job_id),
        settle: () => bed.sweep(user_id),
        check: endsAs(bed, user_id, { status: 'cancelled', total_cost: START, ...DELETED }),
      }
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline',
    writes: 2,
    async begin(bed) {
      const { user_id, job_id } = await bed.running()
      await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { deadline_at: PAST() } })
      return aborts(bed, user_id, job_id, { status: 'cancelled', cancel_reason: 'timeout' })
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline of a job that the map site blocked, before the deadlines are looked at again',
    async begin(bed) {
      const { user_id, job_id } = await blocked(bed)
      const end = { status: 'failed', failure_reason: expect.stringMatching(/^blocked/) }
      return { ...(await aborts(bed, user_id, job_id, end)), resume: async () => undefined }
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline of a job that the map site blocked, before a sweep',
    async begin(bed) {
      const { user_id, job_id } = await blocked(bed)
      const end = { status: 'failed', failure_reason: expect.stringMatching(/^blocked/) }
      return { ...(await aborts(bed, user_id, job_id, end)), resume: () => bed.healthy.engine.reconcile(job_id) }
    },
  },
  {
    name: 'jobs/engine.ts resultsEnded',
    when: 'of a job whose hold is spent',
    async begin(bed) {
      const { user_id, job_id } = await bed.running()
      const totals = { places: 0, reviews: 0, images: 0 }
      return {
        users: [user_id],
        call: async (db) => bed.over(db).engine.resultsEnded(job_id, totals, true),
        settle: () => bed.sweep(user_id),
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
        check: async () => undefined,
      }
    },
  },
]
