import { cancelJob, deleteJob, deleteOldJobs } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { jobProxiesOf } from '@placefleet/coordinator/jobs/proxies'
import { expect } from 'vitest'
import { createQuietly, creation, START, WHOLE } from './bed.ts'
import { DELETED, endsAs } from './job-checks.ts'
import type { Operation } from './operation.ts'

/** A job that its user ends. */
const ending = (name: string, end: typeof deleteJob, was: 'pending' | 'running', job: object): Operation => ({
  name,
  when: `${end.name} of a ${was} job`,
  async begin(bed) {
    const { user_id, job_id } = await (was === 'pending' ? bed.pending() : bed.running())
    return {
      users: [user_id],
      call: (db) => end(db, bed.over(db).engine, user_id, job_id),
      check: endsAs(bed, user_id, { status: 'cancelled', ...job }, was === 'pending' ? 0 : START),
    }
  },
})

/** How users end and delete their jobs. */
export const cancellations: readonly Operation[] = [
  ending('jobs/engine.ts endEarly', cancelJob, 'pending', { listed: true }),
  ending('jobs/engine.ts endEarly', cancelJob, 'running', { listed: true }),
  ending('jobs/cancel.ts deleteJob', deleteJob, 'pending', DELETED),
  ending('jobs/cancel.ts deleteJob', deleteJob, 'running', DELETED),
  {
    name: 'jobs/engine.ts endEarly',
    when: 'cancelJob of a pending job with proxies',
    async begin(bed) {
      const user_id = await bed.user()
      const { job_id } = await createQuietly(bed.healthy, creation(user_id, { request: WHOLE }))
      return {
        users: [user_id],
        call: (db) => cancelJob(db, bed.over(db).engine, user_id, job_id),
        async check() {
          await endsAs(bed, user_id, { status: 'cancelled', listed: true }, 0)()
          expect(await jobProxiesOf(bed.db).findOne({ _id: job_id })).toBeNull()
        },
      }
    },
  },
  {
    name: 'jobs/cancel.ts deleteOldJobs',
    when: 'of one old job',
    async begin(bed) {
      const { user_id, job_id } = await bed.pending()
      await cancelJob(bed.db, bed.healthy.engine, user_id, job_id)
      await bed.healthy.endedJobs.idle()
      await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { created_at: new Date(Date.now() - 172_800_000) } })
      return {
        users: [user_id],
        call: (db) => deleteOldJobs(db, bed.over(db).engine, 1),
        check: endsAs(bed, user_id, { status: 'cancelled', ...DELETED }, 0),
      }
    },
  },
]
