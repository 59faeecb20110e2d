import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { ledgerEntries } from '@placefleet/coordinator/billing/documents'
import { cancelJob, deleteJob, deleteOldJobs } from '@placefleet/coordinator/jobs/cancel'
import { rollbackCreation } from '@placefleet/coordinator/jobs/create'
import { createDemoJob } from '@placefleet/coordinator/jobs/demo'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { expect } from 'vitest'
import { crashingDb, WRITES } from '../billing/crashing-db.ts'
import { type Bed, CREDITS, createQuietly, creation, START } from './bed.ts'
import type { Operation, Situation } from './operation.ts'

const PAST = () => new Date(Date.now() - 600_000)

const chargedTo = async ({ healthy }: Bed, user_id: string) => CREDITS - (await healthy.ledger.state(user_id)).balance

/** The one job of a user, as it must have ended. */
const endsAs =
  (bed: Bed, user_id: string, job: object, charged = START) =>
  async () => {
    expect(await jobsOf(bed.db).find({ user_id }).toArray()).toMatchObject([job])
    expect(await chargedTo(bed, user_id)).toBe(charged)
  }

const none = (bed: Bed, user_id: string) => async () => {
  expect(await jobsOf(bed.db).countDocuments({ user_id })).toBe(0)
  expect(await tasksOf(bed.db).countDocuments({ user_id })).toBe(0)
  expect(await chargedTo(bed, user_id)).toBe(0)
}

/** A creation that died before its last write. */
async function diedCreating(bed: Bed, user_id: string) {
  const dying = await bed.over(crashingDb(bed.db, { calls: 4, written: false }, WRITES))
  await createQuietly(dying, creation(user_id)).catch(() => undefined) // it is the crash
  return (await jobsOf(bed.db).findOne({ user_id })) ?? expect.fail('the creation left nothing')
}

const creations: Operation[] = [
  {
    name: 'jobs/create.ts createJob',
    when: 'without an Idempotency-Key',
    writes: 4, // insert, hold, tasks, list
    async begin(bed) {
      const user_id = await bed.user()
      return {
        users: [user_id],
        call: async (db) => createQuietly(await bed.over(db), creation(user_id)),
        async resume() {
          const [left] = await jobsOf(bed.db).find({ user_id }).toArray()
          if (left) await bed.healthy.engine.reconcile(left._id) // as the end of a task of the user's other jobs does
          expect(await tasksOf(bed.db).countDocuments({ user_id, state: 'released' })).toBe(0)
          await bed.sweep(user_id)
          await none(bed, user_id)()
        },
        check: async () => expect(await chargedTo(bed, user_id)).toBe(0),
      }
    },
  },
  {
    name: 'jobs/create.ts createJob',
    when: 'with an Idempotency-Key',
    writes: 4,
    async begin(bed) {
      const user_id = await bed.user()
      const wanted = creation(user_id, { idempotent: { key: 'k', fingerprint: 'f' } })
      return {
        users: [user_id],
        call: async (db) => createQuietly(await bed.over(db), wanted),
        async resume() {
          await bed.sweep(user_id)
          await createQuietly(bed.healthy, wanted)
        },
        check: endsAs(bed, user_id, { status: 'pending', listed: true }, 0),
      }
    },
  },
  {
    name: 'jobs/create.ts createJob',
    when: 'of an account without credits',
    fails: {
      crash: 'each refused creation leaves an entry in the ledger for ever',
      race: 'each refused creation leaves an entry in the ledger for ever',
    },
    async begin(bed) {
      const user_id = await bed.user(0)
      return {
        users: [user_id],
        call: async (db) => createQuietly(await bed.over(db), creation(user_id)),
        settle: () => bed.sweep(user_id),
        async check() {
          expect(await ledgerEntries(bed.db).countDocuments({ user_id }), 'entries of the ledger').toBe(0)
        },
      }
    },
  },
  {
    name: 'jobs/create.ts createJob',
    when: 'beside a sweeper that gives it up',
    notIn: 'crashes',
    writes: 4,
    fails: { race: 'the tasks of a creation that was given up meanwhile stay for ever' },
    async begin(bed) {
      const user_id = await bed.user()
      return {
        users: [user_id],
        call: async (db) => createQuietly(await bed.over(db), creation(user_id)),
        async rival() {
          const job = await jobsOf(bed.db).findOne({ user_id })
          if (job) await rollbackCreation(bed.healthy, job)
        },
        settle: () => bed.sweep(user_id),
        check: async () => undefined,
      }
    },
  },
  {
    name: 'jobs/create.ts rollbackCreation',
    when: 'of a creation that died',
    writes: 4, // give up, release, tasks, job
    async begin(bed) {
      const user_id = await bed.user()
      const job = await diedCreating(bed, user_id)
      return {
        users: [user_id],
        call: async (db) => rollbackCreation(await bed.over(db), job),
        resume: () => bed.sweep(user_id),
        check: none(bed, user_id),
      }
    },
  },
  {
    name: 'jobs/demo.ts createDemoJob',
    when: 'at the first sign-in',
    fails: { crash: 'a crash after the first write leaves a user without the demo job' },
    async begin(bed) {
      const user_id = await bed.user()
      const demoCity = { offer: async () => false }
      return {
        users: [user_id],
        async call(db) {
          const by = await bed.over(db)
          await createDemoJob({ ...by, demoCity, engine: { ...by.engine, reconcile: async () => undefined } }, user_id)
        },
        settle: () => bed.sweep(user_id),
        async check() {
          expect(await usersOf(bed.db).findOne({ _id: user_id })).toHaveProperty('demo_at')
          expect(await jobsOf(bed.db).countDocuments({ user_id, listed: true }), 'demo jobs').toBe(1)
        },
      }
    },
  },
]

/** A job that its user ends: how it was, and how often the call writes. */
const ending = (
  name: string,
  end: typeof cancelJob,
  was: 'pending' | 'running',
  writes: number,
  job: object,
): Operation => ({
  name,
  when: `${end.name} of a ${was} job`,
  writes,
  async begin(bed) {
    const user_id = await bed.user()
    const job_id = was === 'pending' ? await bed.pending(user_id) : (await bed.running(user_id)).job_id
    return {
      users: [user_id],
      async call(db) {
        const { jobs, engine } = await bed.over(db)
        await end(jobs, engine, user_id, job_id)
      },
      settle: () => bed.sweep(user_id),
      check: endsAs(bed, user_id, { status: 'cancelled', ...job }, was === 'pending' ? 0 : START),
    }
  },
})

const DELETED = { listed: false, purged_at: expect.any(Date) }

const cancellations: Operation[] = [
  ending('jobs/engine.ts endEarly', cancelJob, 'pending', 6, { listed: true }),
  ending('jobs/engine.ts endEarly', cancelJob, 'running', 3, { listed: true }),
  ending('jobs/cancel.ts deleteJob', deleteJob, 'pending', 14, DELETED),
  ending('jobs/cancel.ts deleteJob', deleteJob, 'running', 4, DELETED),
  {
    name: 'jobs/cancel.ts deleteOldJobs',
    when: 'of one old job',
    async begin(bed) {
      const user_id = await bed.user()
      const job_id = await bed.pending(user_id)
      await cancelJob(bed.healthy.jobs, bed.healthy.engine, user_id, job_id)
      await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { created_at: new Date(Date.now() - 172_800_000) } })
      return {
        users: [user_id],
        async call(db) {
          const { jobs, engine } = await bed.over(db)
          await deleteOldJobs(jobs, engine, 1)
        },
        settle: () => bed.sweep(user_id),
        check: endsAs(bed, user_id, { status: 'cancelled', ...DELETED }, 0),
      }
    },
  },
]

/** A running job whose tasks are all done, but one that its agent ends now. */
async function lastTaskDone(bed: Bed, user_id: string): Promise<string> {
  const { job_id, lease } = await bed.running(user_id)
  await tasksOf(bed.db).updateMany({ job_id, state: { $ne: 'running' } }, { $set: { state: 'done' } })
  await bed.healthy.leases.complete(lease, {})
  return job_id
}

/** A running job past its deadline whose tasks the map site refused, all of them. */
async function blocked(bed: Bed, user_id: string): Promise<string> {
  const { job_id, lease } = await bed.running(user_id)
  await bed.healthy.leases.snooze(lease, { seconds: 1_800, host: 'agent', others: [] }, {})
  const { not_before = new Date(), refused = [] } =
    (await tasksOf(bed.db).findOne({ _id: lease.task_id })) ?? expect.fail('no task')
  const others = { job_id, _id: { $ne: lease.task_id } }
  await tasksOf(bed.db).updateMany(others, { $set: { state: 'waiting', not_before, refused } })
  await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { deadline_at: PAST() } })
  return job_id
}

const aborts = async (bed: Bed, user_id: string, job_id: string, end: object): Promise<Situation> => ({
  users: [user_id],
  call: async (db) => (await bed.over(db)).engine.abort(job_id, 'timeout'),
  settle: () => bed.sweep(user_id),
  check: endsAs(bed, user_id, end),
})

const ends: Operation[] = [
  {
    name: 'jobs/engine.ts reconcile',
    when: 'at the end of a job',
    async begin(bed) {
      const user_id = await bed.user()
      const job_id = await lastTaskDone(bed, user_id)
      return {
        users: [user_id],
        call: async (db) => (await bed.over(db)).engine.reconcile(job_id),
        settle: () => bed.sweep(user_id),
        check: endsAs(bed, user_id, { status: 'completed', listed: true, total_cost: START }),
      }
    },
  },
  {
    name: 'jobs/engine.ts reconcile',
    when: 'at the end of a deleted job',
    async begin(bed) {
      const user_id = await bed.user()
      const { job_id, lease } = await bed.running(user_id)
      await deleteJob(bed.healthy.jobs, bed.healthy.engine, user_id, job_id)
      await bed.healthy.leases.complete(lease, {})
      return {
        users: [user_id],
        call: async (db) => (await bed.over(db)).engine.reconcile(job_id),
        settle: () => bed.sweep(user_id),
        check: endsAs(bed, user_id, { status: 'cancelled', total_cost: START, ...DELETED }),
      }
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline',
    writes: 3,
    async begin(bed) {
      const user_id = await bed.user()
      const { job_id } = await bed.running(user_id)
      await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { deadline_at: PAST() } })
      return aborts(bed, user_id, job_id, { status: 'cancelled', cancel_reason: 'timeout' })
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline of a job that the map site blocked, before the deadlines are looked at again',
    fails: {
      crash: 'the end is decided in memory: after a crash the blocked job ends as cancelled',
      race: 'another process meets the decision half-way: the blocked job ends as cancelled',
    },
    async begin(bed) {
      const user_id = await bed.user()
      const job_id = await blocked(bed, user_id)
      const end = { status: 'failed', failure_reason: expect.stringMatching(/^blocked/) }
      return { ...(await aborts(bed, user_id, job_id, end)), resume: async () => undefined }
    },
  },
  {
    name: 'jobs/engine.ts abort',
    when: 'at the deadline of a job that the map site blocked, before a sweep',
    fails: {
      crash: 'the end is decided in memory: after a crash the blocked job ends as completed',
      race: 'another process meets the decision half-way: the blocked job ends as cancelled',
    },
    async begin(bed) {
      const user_id = await bed.user()
      const job_id = await blocked(bed, user_id)
      const end = { status: 'failed', failure_reason: expect.stringMatching(/^blocked/) }
      return { ...(await aborts(bed, user_id, job_id, end)), resume: () => bed.healthy.engine.reconcile(job_id) }
    },
  },
  {
    name: 'jobs/engine.ts resultsEnded',
    when: 'of a job whose hold is spent',
    async begin(bed) {
      const user_id = await bed.user()
      const { job_id } = await bed.running(user_id)
      const totals = { places: 0, reviews: 0, images: 0 }
      return {
        users: [user_id],
        call: async (db) => (await bed.over(db)).engine.resultsEnded(job_id, totals, true),
        settle: () => bed.sweep(user_id),
        check: endsAs(bed, user_id, { status: 'completed', partial: true, total_cost: START }),
      }
    },
  },
  {
    name: 'jobs/engine.ts start',
    when: 'at the first claim',
    async begin(bed) {
      const user_id = await bed.user()
      const job_id = await bed.pending(user_id)
      return {
        users: [user_id],
        async call(db) {
          const { engine } = await bed.over(db)
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

/** The operations of jobs. */
export const jobOperations: readonly Operation[] = [...creations, ...cancellations, ...ends]
