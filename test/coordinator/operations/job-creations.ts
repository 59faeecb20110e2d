import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { DEFAULT_PRICES } from '@placefleet/coordinator/billing/prices/cost'
import { jobCeiling } from '@placefleet/coordinator/billing/prices/estimate'
import { rollbackCreation } from '@placefleet/coordinator/jobs/create'
import { createDemoJob } from '@placefleet/coordinator/jobs/demo'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { jobProxiesOf } from '@placefleet/coordinator/jobs/proxies'
import { referencesOf, tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { type Bed, createQuietly, creation, WHOLE } from './bed.ts'
import { chargedTo, endsAs, noneLeft } from './job-checks.ts'
import type { Operation } from './operation.ts'
import { dyingBefore } from './steps.ts'

/** A creation of a job with proxies that died before its last write. */
async function diedCreating(bed: Bed, user_id: string) {
  const create = (owner: string) => (db: Db) => createQuietly(bed.over(db), creation(owner, { request: WHOLE }))
  let writes = 0
  await bed.inSteps(
    (write) => {
      writes += 1
      return write()
    },
    create(await bed.user()),
  )
  await bed.inSteps(dyingBefore(writes), create(user_id)).catch(() => undefined) // it is the crash
  return (await jobsOf(bed.db).findOne({ user_id })) ?? expect.fail('the creation left nothing')
}

const proxiesOf = ({ db }: Bed, ...job_ids: string[]) => jobProxiesOf(db).countDocuments({ _id: { $in: job_ids } })

/** The creations of jobs. */
export const creations: readonly Operation[] = [
  {
    name: 'jobs/create.ts createJob',
    when: 'without an Idempotency-Key',
    async begin(bed) {
      const user_id = await bed.user()
      return {
        users: [user_id],
        call: async (db) => createQuietly(bed.over(db), creation(user_id, { request: WHOLE })),
        async resume() {
          const [left] = await jobsOf(bed.db).find({ user_id }).toArray()
          if (left) await bed.healthy.engine.reconcile(left._id) // as the end of a task of the user's other jobs does
          expect(await tasksOf(bed.db).countDocuments({ user_id, state: 'released' })).toBe(0)
          await bed.sweep(user_id)
          await noneLeft(bed, user_id)()
          expect(await proxiesOf(bed, left?._id ?? '')).toBe(0)
        },
        async check() {
          const ids = (await jobsOf(bed.db).find({ user_id }).toArray()).map(({ _id }) => _id)
          expect(await proxiesOf(bed, ...ids)).toBe(ids.length)
          expect(await chargedTo(bed, user_id)).toBe(0)
        },
      }
    },
  },
  {
    name: 'jobs/create.ts createJob',
    when: 'with an Idempotency-Key',
    async begin(bed) {
      const user_id = await bed.user()
      const wanted = creation(user_id, { request: WHOLE, idempotent: { key: 'k', fingerprint: 'f' } })
      return {
        users: [user_id],
        call: async (db) => createQuietly(bed.over(db), wanted),
        async resume() {
          await bed.sweep(user_id)
          expect(await jobsOf(bed.db).countDocuments({ user_id, listed: false })).toBe(0)
          await createQuietly(bed.healthy, wanted)
        },
        async check() {
          await endsAs(bed, user_id, { status: 'pending', listed: true }, 0)()
          const { _id: job_id } = (await jobsOf(bed.db).findOne({ user_id })) ?? expect.fail('there is no job')
          const named = await referencesOf(bed.db).find({ job_id }).sort({ position: 1 }).toArray()
          expect(named).toMatchObject([
            { position: 1, place_key: '0x1:0x2', input: '0x1:0x2' },
            { position: 2, place_key: '0x0:0x2', input: '2' },
            { position: 3, place_key: '0x1:0x3', input: '0x1:0x3' },
          ])
          expect(await tasksOf(bed.db).find({ job_id }).toArray()).toMatchObject(Array(2).fill({ kind: 'discover' }))
          expect(await proxiesOf(bed, job_id)).toBe(1)
        },
      }
    },
  },
  {
    name: 'jobs/create.ts createJob',
    when: 'beside another one that takes the credits',
    notIn: 'crashes',
    async begin(bed) {
      const user_id = await bed.user(jobCeiling(creation('').request, DEFAULT_PRICES).max)
      return {
        users: [user_id],
        call: async (db) => createQuietly(bed.over(db), creation(user_id)),
        async check() {
          expect(await jobsOf(bed.db).countDocuments({ user_id }), 'jobs').toBe(1)
          expect(await ledgerEntries(bed.db).distinct('type', { user_id })).toEqual(['bonus', 'hold'])
        },
      }
    },
  },
  {
    name: 'jobs/create.ts createJob',
    when: 'beside a sweeper that gives it up',
    notIn: 'crashes',
    async begin(bed) {
      const user_id = await bed.user()
      return {
        users: [user_id],
        call: async (db) => createQuietly(bed.over(db), creation(user_id)),
        async rival() {
          const job = await jobsOf(bed.db).findOne({ user_id })
          if (job) await rollbackCreation(bed.healthy, job)
        },
        async check() {
          const listed = await jobsOf(bed.db).countDocuments({ user_id, listed: true })
          expect(await tasksOf(bed.db).countDocuments({ user_id }), 'two searches of a job').toBe(2 * listed)
        },
      }
    },
  },
  {
    name: 'jobs/create.ts rollbackCreation',
    when: 'of a creation with proxies that died',
    async begin(bed) {
      const user_id = await bed.user()
      const job = await diedCreating(bed, user_id)
      return {
        users: [user_id],
        call: async (db) => rollbackCreation(bed.over(db), job),
        resume: () => bed.sweep(user_id),
        async check() {
          await noneLeft(bed, user_id)()
          expect(await proxiesOf(bed, job._id)).toBe(0)
        },
      }
    },
  },
  {
    name: 'jobs/demo.ts createDemoJob',
    when: 'at the first sign-in',
    async begin(bed) {
      const user_id = await bed.user()
      const demoCity = { offer: async () => false }
      const call = async (db: Db) => {
        const by = bed.over(db)
        await createDemoJob({ ...by, demoCity, engine: { ...by.engine, reconcile: async () => undefined } }, user_id)
      }
      return {
        users: [user_id],
        call,
        async resume() {
          await bed.sweep(user_id)
          await call(bed.db) // at the next sign-in
        },
        async check() {
          expect(await usersOf(bed.db).findOne({ _id: user_id })).toHaveProperty('demo_at')
          expect(await jobsOf(bed.db).countDocuments({ user_id, listed: true }), 'demo jobs').toBe(1)
        },
      }
    },
  },
]
