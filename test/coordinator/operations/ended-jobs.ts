import { costWith } from '@placefleet/coordinator/billing/prices/cost'
import { deleteJob } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { moveJob } from '@placefleet/coordinator/jobs/phase-moves'
import { knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { cancelTasks } from '@placefleet/coordinator/tasks/store'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { expect } from 'vitest'
import { SCAN } from '../../harness/servers/scan.ts'
import type { Bed } from './bed.ts'
import type { Operation, Situation } from './operation.ts'
import { placesOf } from './results.ts'

/** A job that has just ended with a place. Nothing has heard of its end. */
async function justEnded(bed: Bed) {
  const { user_id, job_id } = await bed.running()
  const { db, results, holds } = bed.healthy
  const { to, places } = placesOf(user_id, job_id, 'k')
  await results.append(to, places)
  await cancelTasks(db, job_id)
  const totals = await results.seal(job_id)
  const job = await bed.find(job_id)
  const total_cost = costWith(job, totals)
  await holds.settle({ user_id, job_id, job_name: job.name, total: total_cost })
  const ending = await moveJob(db, job, 'ending', { end: { status: 'completed' } })
  await moveJob(db, ending ?? expect.fail('not running'), 'closing', { set: { totals, total_cost } })
  return { user_id, job_id }
}

/** Does what follows the end of a job, by a process that sees this database. */
function follows(bed: Bed, user_id: string, job_id: string): Pick<Situation, 'users' | 'call'> {
  return {
    users: [user_id],
    async call(db) {
      await jobsOf(bed.db).updateOne({ _id: job_id, due_at: { $exists: true } }, { $set: { due_at: new Date(0) } })
      const { endedJobs } = bed.over(db)
      await endedJobs.startOne(job_id)
      await endedJobs.idle()
    },
  }
}

/** What follows the end of jobs. */
export const endedJobs: readonly Operation[] = [
  {
    name: 'jobs/ended-jobs.ts followEnd',
    when: 'of a job with a place and a webhook',
    async begin(bed) {
      const { user_id, job_id } = await justEnded(bed)
      return {
        ...follows(bed, user_id, job_id),
        async check() {
          expect(await bed.find(job_id)).toMatchObject({ phase: 'ended', status: 'completed' })
          expect(await deliveriesOf(bed.db).countDocuments({ user_id, event_type: 'job.completed' }, SCAN)).toBe(1)
          expect(await knownPlacesOf(bed.db).distinct('place_key', { user_id })).toEqual(['k'])
        },
      }
    },
  },
  {
    name: 'jobs/ended-jobs.ts followEnd',
    when: 'of a job that is deleted before anything heard of its end',
    async begin(bed) {
      const { user_id, job_id } = await justEnded(bed)
      const { db, engine, endedJobs } = bed.healthy
      await endedJobs.idle()
      await deleteJob(db, { ...engine, reconcile: async () => undefined }, user_id, job_id)
      return {
        ...follows(bed, user_id, job_id),
        async check() {
          expect(await bed.find(job_id)).toMatchObject({ phase: 'deleted', listed: false })
          expect(await deliveriesOf(bed.db).countDocuments({ user_id, event_type: 'job.completed' }, SCAN)).toBe(1)
          expect(await knownPlacesOf(bed.db).distinct('place_key', { user_id })).toEqual(['k'])
          expect(await tasksOf(bed.db).countDocuments({ job_id })).toBe(0)
          expect(await bed.healthy.results.keys(job_id)).toEqual([])
        },
      }
    },
  },
]
