import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { isFinal, type JobStatus } from '@placefleet/shared/job-status'
import { every, type Loop } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { Expect } from './violation.ts'

/** What was seen of a job in the database: its statuses, oldest first, its places, and how many it had at its end. */
export type Seen = { statuses: JobStatus[]; stored?: number; places: number }

const LOOK_EVERY_MS = 150

/** Watches the jobs of a database past all faults. */
export function watchJobs(db: Db, expect: Expect): { jobs: ReadonlyMap<string, Seen>; loop: Loop } {
  const seen = new Map<string, Seen>()
  const over = new Set<string>()
  const look = async () => {
    const fields = { projection: { status: 1, totals: 1 } }
    const found = jobsOf(db).find({ _id: { $nin: [...over] } }, fields)
    for (const { _id, status, totals } of await found.toArray()) {
      const job = seen.get(_id) ?? { statuses: [], places: 0 }
      seen.set(_id, job)
      const fell = `job ${_id} had ${job.places} places and has ${totals.places}`
      expect('job state machine', totals.places >= job.places, fell)
      job.places = totals.places
      if (job.statuses.at(-1) !== status) job.statuses.push(status)
      if (!isFinal(status)) continue
      job.stored = await resultsOf(db).countDocuments({ job_id: _id, place_key: { $exists: true } })
      over.add(_id)
    }
  }
  return { jobs: seen, loop: every(LOOK_EVERY_MS, 'watching jobs', createLogger('watch', 'silent'), look) }
}
